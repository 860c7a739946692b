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

// maxArgs is how much of a tool call's arguments, and of a command's output, a
// summarizer gets to read: a call that writes a file holds all of it.
const maxArgs = 2000

// recorded hands over the recorded lines of what is left behind.
func (m *move) recorded(ctx context.Context) func(add func([]byte) error) error {
	return func(add func([]byte) error) error {
		return m.s.Recorded(ctx, m.at.Abandoned, func(_ int, line []byte) error { return add(line) })
	}
}

// bodies decodes what is left behind, one by one: all of it may be more than fits
// into memory.
func (m *move) bodies(ctx context.Context, fn func(l left, b session.Body) error) error {
	format := m.s.Format()
	return m.s.Recorded(ctx, m.at.Abandoned, func(i int, line []byte) error {
		body, err := format.Body(line)
		if err != nil {
			return err
		}
		return fn(m.left[i], body)
	})
}

// summary makes a summary of a text: the files that were touched on the branch
// left behind belong to it.
func (m *move) summary(ctx context.Context, text string) (*session.Summary, error) {
	touched := m.s.Format().Touched
	if touched == nil {
		return &session.Summary{Text: text}, nil
	}
	read, modified := map[string]bool{}, map[string]bool{}
	err := m.bodies(ctx, func(_ left, b session.Body) error {
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

// withFiles adds the files to a generated text, in the form in which pi shows
// them to the model.
func withFiles(s *session.Summary) {
	s.Text += tagged("read-files", s.Read) + tagged("modified-files", s.Modified)
}

func tagged(tag string, files []string) string {
	if len(files) == 0 {
		return ""
	}
	return fmt.Sprintf("\n\n<%s>\n%s\n</%s>", tag, strings.Join(files, "\n"), tag)
}

// spoken reports whether what is left behind says anything to a summarizer.
func (m *move) spoken() bool {
	return slices.ContainsFunc(m.left, left.spoken)
}

// spoken: results of tools, settings and what the model never saw are left out,
// as pi leaves them out.
func (l left) spoken() bool {
	switch l.kind {
	case session.KindUser, session.KindAssistant, session.KindShell, session.KindMessage, session.KindCustomMessage,
		session.KindCompaction, session.KindBranchSummary:
		return l.flags&session.FlagNoContext == 0
	}
	return false
}

// conversation writes what was said on the branch left behind, for a summarizer
// to read; nil when nothing was.
func (m *move) conversation(ctx context.Context) func(w io.Writer) error {
	if !m.spoken() {
		return nil
	}
	return func(w io.Writer) error {
		return m.bodies(ctx, func(l left, b session.Body) error {
			if !l.spoken() {
				return nil
			}
			return l.write(w, b)
		})
	}
}

// write writes one message: its texts, each under who said it.
func (l left) write(w io.Writer, b session.Body) error {
	var text strings.Builder
	speaker := l.speaker()
	var calls []string
	for i := range b.Blocks {
		switch block := &b.Blocks[i]; block.Kind {
		case session.BlockText, session.BlockFile:
			say(&text, speaker, block.Text)
		case session.BlockThinking:
			say(&text, speaker+" thinking", block.Text)
		case session.BlockImage:
			say(&text, speaker, "(an image)")
		case session.BlockError:
			say(&text, speaker+" failed", block.Text)
		case session.BlockOutput:
			say(&text, "Output", cut(block.Text))
		case session.BlockToolCall:
			calls = append(calls, block.Name+"("+arguments(block.Args)+")")
		}
	}
	if len(calls) > 0 && l.kind == session.KindShell {
		_, err := io.WriteString(w, "[User ran]: "+strings.Join(calls, "; ")+"\n\n"+text.String())
		return err
	}
	say(&text, speaker+" tool calls", strings.Join(calls, "; "))
	_, err := io.WriteString(w, text.String())
	return err
}

// say adds what somebody said, if it is anything.
func say(to *strings.Builder, speaker, text string) {
	if text = strings.TrimSpace(text); text != "" {
		to.WriteString("[" + speaker + "]: " + text + "\n\n")
	}
}

// speaker is who said it, for a summarizer.
func (l left) speaker() string {
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

// arguments are a call's arguments as recorded, without blanks between them.
func arguments(args json.RawMessage) string {
	var compact bytes.Buffer
	if json.Compact(&compact, args) != nil {
		return ""
	}
	return cut(compact.String())
}

// cut shortens what is too long to be worth reading in full.
func cut(s string) string {
	if len(s) <= maxArgs {
		return s
	}
	return fmt.Sprintf("%s… (%d bytes in all)", strings.ToValidUTF8(s[:maxArgs], ""), len(s))
}
