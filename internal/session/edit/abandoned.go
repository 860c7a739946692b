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

// maxQuotedText is how much of a tool call's arguments, and of a command's output, a
// summarizer gets to read: a call that writes a file holds all of it.
const maxQuotedText = 2000

// abandonedLines hands over the recorded lines of what is left behind.
func (m *leafMove) abandonedLines(ctx context.Context) func(add func([]byte) error) error {
	return func(add func([]byte) error) error {
		return m.s.ReadRawLines(ctx, m.branchPlan.Abandoned, func(_ int, line []byte) error { return add(line) })
	}
}

// eachBody decodes what is left behind, one by one: all of it may be more than fits
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

// newSummary makes a summary of a text: the files that were touched on the branch
// left behind belong to it.
func (m *leafMove) newSummary(ctx context.Context, text string) (*session.Summary, error) {
	touched := m.s.Format().TouchedFiles
	if touched == nil {
		return &session.Summary{Text: text}, nil
	}
	read, modified := map[string]bool{}, map[string]bool{}
	err := m.eachBody(ctx, func(_ abandonedEntry, b session.Body) error {
		r, w := touched(b)
		for _, path := range r {
			read[path] = true
		}
		for _, path := range w {
			modified[path] = true
		}
		return nil
	})
	for path := range modified { // who changed a file knows it
		delete(read, path)
	}
	return &session.Summary{Text: text, Read: slices.Sorted(maps.Keys(read)), Modified: slices.Sorted(maps.Keys(modified))}, err
}

// appendFileLists adds the files to a generated text, in the form in which pi shows
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

// hasQuotable reports whether what is left behind says anything to a summarizer.
func (m *leafMove) hasQuotable() bool {
	return slices.ContainsFunc(m.abandoned, abandonedEntry.isQuotable)
}

// isQuotable: results of tools, settings and what the model never saw are left out,
// as pi leaves them out.
func (l abandonedEntry) isQuotable() bool {
	switch l.kind {
	case session.KindUser, session.KindAssistant, session.KindShell, session.KindMessage, session.KindCustomMessage,
		session.KindCompaction, session.KindBranchSummary:
		return l.flags&session.FlagNoContext == 0
	}
	return false
}

// conversationWriter writes what was said on the branch left behind, for a summarizer
// to read; nil when nothing was.
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

// writeMessage writes one message: its texts, each under who said it.
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

// appendSpeech adds what somebody said, if it is anything.
func appendSpeech(to *strings.Builder, speaker, text string) {
	if text = strings.TrimSpace(text); text != "" {
		to.WriteString("[" + speaker + "]: " + text + "\n\n")
	}
}

// speakerName is who said it, for a summarizer.
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

// compactArgs are a call's arguments as recorded, without blanks between them.
func compactArgs(args json.RawMessage) string {
	var compact bytes.Buffer
	if json.Compact(&compact, args) != nil {
		return ""
	}
	return shortenText(compact.String())
}

// shortenText shortens what is too long to be worth reading in full.
func shortenText(s string) string {
	if len(s) <= maxQuotedText {
		return s
	}
	return fmt.Sprintf("%s… (%d bytes in all)", strings.ToValidUTF8(s[:maxQuotedText], ""), len(s))
}
