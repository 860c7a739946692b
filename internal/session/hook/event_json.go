package hook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"sessiontree/internal/session"
)

// entryLine is the recorded line of an entry.
type entryLine = json.RawMessage

// newEventWriter returns a function that writes an event as JSON: its name, its session
// and the fields of about.
func newEventWriter(name string, s Subject, about any) func(io.Writer) error {
	return func(w io.Writer) error {
		head, err := marshalUnclosed(struct {
			Type    string  `json:"type"`
			Session Subject `json:"session"`
		}{name, s})
		if err != nil {
			return err
		}
		text, err := json.Marshal(about)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s,%s\n", head, text[1:])
		return err
	}
}

// newTreeEventWriter returns a function that writes the event before a move of the leaf.
// It streams the entries, which may have a hundred megabytes.
func (p Preparation) newTreeEventWriter(s Subject) func(io.Writer) error {
	return func(w io.Writer) error {
		head, err := marshalUnclosed(struct {
			Type        string      `json:"type"`
			Session     Subject     `json:"session"`
			Preparation Preparation `json:"preparation"`
		}{eventBeforeTree, s, p})
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, `%s,"entriesToSummarize":[`, bytes.TrimSuffix(head, []byte("}"))); err != nil {
			return err
		}
		if p.Entries != nil {
			if err := writeJSONArray(w, p.Entries); err != nil {
				return err
			}
		}
		_, err = io.WriteString(w, "]}}\n")
		return err
	}
}

// marshalUnclosed marshals an object without its closing brace.
func marshalUnclosed(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	return bytes.TrimSuffix(text, []byte("}")), err
}

// writeJSONArray writes JSON lines as an array.
func writeJSONArray(w io.Writer, lines func(add func(line []byte) error) error) error {
	between := ""
	return lines(func(line []byte) error {
		_, err := fmt.Fprintf(w, "%s\n%s", between, line)
		between = ","
		return err
	})
}

// hookResponse is the response of a hook. Absent fields change nothing.
type hookResponse struct {
	Cancel              bool             `json:"cancel"`
	Reason              string           `json:"reason"`
	Summary             *responseSummary `json:"summary"`
	CustomInstructions  *string          `json:"customInstructions"`
	ReplaceInstructions *bool            `json:"replaceInstructions"`
	Label               *string          `json:"label"`
}

// responseSummary is a summary in a hook's response.
type responseSummary struct {
	Summary string `json:"summary"`
	Details struct {
		ReadFiles     []string `json:"readFiles"`
		ModifiedFiles []string `json:"modifiedFiles"`
	} `json:"details"`
}

// parseResponse parses a response. Empty output is valid. Invalid output is an error
// because the hook may have tried to cancel.
func parseResponse(event string, out []byte) (hookResponse, error) {
	var a hookResponse
	if len(bytes.TrimSpace(out)) == 0 {
		return a, nil
	}
	in := json.NewDecoder(bytes.NewReader(out))
	in.DisallowUnknownFields()
	err := in.Decode(&a)
	if err == nil && in.More() {
		err = fmt.Errorf("more than one answer")
	}
	if err == nil && a.Summary != nil && strings.TrimSpace(a.Summary.Summary) == "" {
		err = fmt.Errorf("an empty summary")
	}
	switch {
	case err != nil:
		return hookResponse{}, fmt.Errorf("%w: %s: invalid response: %w", ErrFailed, event, err)
	case a.Cancel && a.Reason != "":
		return hookResponse{}, fmt.Errorf("%w by %s: %s", ErrCancelled, event, visibleText(a.Reason))
	case a.Cancel:
		return hookResponse{}, fmt.Errorf("%w by %s", ErrCancelled, event)
	}
	return a, nil
}

// applyTo copies the fields of a response into a preparation.
func (a *hookResponse) applyTo(p *Preparation) {
	if a.CustomInstructions != nil {
		p.CustomInstructions = *a.CustomInstructions
	}
	if a.ReplaceInstructions != nil {
		p.ReplaceInstructions = *a.ReplaceInstructions
	}
	if a.Label != nil {
		p.Label = *a.Label
	}
}

func (g *responseSummary) toSummary() *session.Summary {
	return &session.Summary{Text: g.Summary, Program: true, Read: g.Details.ReadFiles, Modified: g.Details.ModifiedFiles}
}
