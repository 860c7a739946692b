package edit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"sessiontree/internal/session"
)

// maxQuotedText limits the arguments of a tool call, and the output of a command, for a
// summarizer: a call that writes a file has all of its content.
const maxQuotedText = 2000

// abandonedLines returns a function that passes the recorded lines of the abandoned
// entries to add.
func (m *leafMove) abandonedLines(ctx context.Context) func(add func([]byte) error) error {
	return func(add func([]byte) error) error {
		return m.s.ReadRawLines(ctx, m.branchPlan.Abandoned, func(_ int, line []byte) error { return add(line) })
	}
}

// eachBody decodes the abandoned entries one by one, because all of them may not fit
// into memory.
func (m *leafMove) eachBody(ctx context.Context, fn func(l abandonedEntry, b session.Body) error) error {
	format := m.s.Format()
	return m.s.ReadRawLines(ctx, m.branchPlan.Abandoned, func(i int, line []byte) error {
		body, err := format.DecodeBody(line)
		if err != nil {
			return err
		}
		return fn(m.abandoned[i], body)
	})
}

// newSummary returns a summary with a text and the files touched on the abandoned
// branch.
func (m *leafMove) newSummary(ctx context.Context, text string) (*session.Summary, error) {
	encode := m.s.Format().Write
	if encode == nil || encode.TouchedFiles == nil {
		return &session.Summary{Text: text}, nil
	}
	read, modified := map[string]bool{}, map[string]bool{}
	err := m.eachBody(ctx, func(_ abandonedEntry, b session.Body) error {
		r, w := encode.TouchedFiles(b)
		for _, path := range r {
			read[path] = true
		}
		for _, path := range w {
			modified[path] = true
		}
		return nil
	})
	for path := range modified { // a changed file is known without having been read
		delete(read, path)
	}
	return &session.Summary{Text: text, Read: slices.Sorted(maps.Keys(read)), Modified: slices.Sorted(maps.Keys(modified))}, err
}

// appendFileLists appends the files to a generated text in the form in which pi shows
// them to the model.
func appendFileLists(s *session.Summary) {
	s.Text += fileListTag("read-files", s.Read) + fileListTag("modified-files", s.Modified)
}

func fileListTag(tag string, files []string) string {
	if len(files) == 0 {
		return ""
	}
	return fmt.Sprintf("\n\n<%s>\n%s\n</%s>", tag, strings.Join(files, "\n"), tag)
}

// hasQuotable reports whether an abandoned entry has text for a summarizer.
func (m *leafMove) hasQuotable() bool {
	return slices.ContainsFunc(m.abandoned, abandonedEntry.isQuotable)
}

// isQuotable reports whether a summarizer gets the entry. Results of tools, settings
// and what the model never saw are omitted, as in pi.
func (l abandonedEntry) isQuotable() bool {
	switch l.kind {
	case session.KindUser, session.KindAssistant, session.KindShell, session.KindMessage, session.KindCustomMessage,
		session.KindCompaction, session.KindBranchSummary:
		return l.flags&session.FlagNoContext == 0
	}
	return false
}

// conversationWriter returns a function that writes the conversation of the abandoned
// branch for a summarizer, nil if there is none.
func (m *leafMove) conversationWriter(ctx context.Context) func(w io.Writer) error {
	if !m.hasQuotable() {
		return nil
	}
	return func(w io.Writer) error {
		return m.eachBody(ctx, func(l abandonedEntry, b session.Body) error {
			if !l.isQuotable() {
				return nil
			}
			return l.writeMessage(w, b)
		})
	}
}

// writeMessage writes the texts of one message, each after the name of its speaker.
func (l abandonedEntry) writeMessage(w io.Writer, b session.Body) error {
	var text strings.Builder
	speaker := l.speakerName()
	var calls []string
	for i := range b.Blocks {
		switch block := &b.Blocks[i]; block.Kind {
		case session.BlockText, session.BlockFile:
			appendSpeech(&text, speaker, block.Text)
		case session.BlockThinking:
			appendSpeech(&text, speaker+" thinking", block.Text)
		case session.BlockImage:
			appendSpeech(&text, speaker, "(an image)")
		case session.BlockError:
			appendSpeech(&text, speaker+" failed", block.Text)
		case session.BlockOutput:
			appendSpeech(&text, "Output", shortenText(block.Text))
		case session.BlockToolCall:
			calls = append(calls, block.Name+"("+compactArgs(block.Args)+")")
		}
	}
	if len(calls) > 0 && l.kind == session.KindShell {
		_, err := io.WriteString(w, "[User ran]: "+strings.Join(calls, "; ")+"\n\n"+text.String())
		return err
	}
	appendSpeech(&text, speaker+" tool calls", strings.Join(calls, "; "))
	_, err := io.WriteString(w, text.String())
	return err
}

// appendSpeech appends a non-empty text after the name of its speaker.
func appendSpeech(to *strings.Builder, speaker, text string) {
	if text = strings.TrimSpace(text); text != "" {
		to.WriteString("[" + speaker + "]: " + text + "\n\n")
	}
}

// speakerName returns the name of the speaker for a summarizer.
func (l abandonedEntry) speakerName() string {
	switch l.kind {
	case session.KindUser:
		return "User"
	case session.KindAssistant:
		return "Assistant"
	case session.KindCompaction:
		return "Summary of what came before"
	case session.KindBranchSummary:
		return "Summary of another branch"
	case session.KindCustomMessage:
		return l.name
	}
	return l.role
}

// compactArgs returns the recorded arguments of a call without white space between
// them.
func compactArgs(args json.RawMessage) string {
	var compact bytes.Buffer
	if json.Compact(&compact, args) != nil {
		return ""
	}
	return shortenText(compact.String())
}

// shortenText cuts a text that is longer than maxQuotedText.
func shortenText(s string) string {
	if len(s) <= maxQuotedText {
		return s
	}
	return fmt.Sprintf("%s… (%d bytes in all)", strings.ToValidUTF8(s[:maxQuotedText], ""), len(s))
}
