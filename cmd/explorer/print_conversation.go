package main

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/session/store"
)

// messageText returns the text of a context message. Blocks with a heading are not part
// of it unless they are sent to the model.
func messageText(b session.Body, item session.ContextItem, shell bool) string {
	var own []string
	for _, block := range messageBlocks(b.Blocks, item) {
		switch {
		case block.Sent != nil:
			own = append(own, *block.Sent)
		case shell && block.Kind == session.BlockToolCall:
			return soleArgument(block.Args)
		case block.Name != "":
		case block.Kind == session.BlockText || block.Kind == session.BlockOutput && !shell:
			own = append(own, block.Text)
		}
	}
	switch { // a compaction's body is its summary, then its system message
	case item.SystemMessage:
		own = own[min(1, len(own)):]
	case item.Role == "compactionSummary":
		own = own[:min(1, len(own))]
	}
	return strings.Join(slices.DeleteFunc(own, func(text string) bool { return text == "" }), b.Separator)
}

// messageBlocks returns the blocks of an entry that belong to a context message. Results
// belong to the last call before them.
func messageBlocks(blocks []session.Block, item session.ContextItem) (part []session.Block) {
	call := -1
	for _, block := range blocks {
		if block.Kind == session.BlockToolCall {
			call++
		}
		result := block.Kind == session.BlockOutput && block.ID != ""
		switch item.Part {
		case session.PartMessage:
			if !result || item.Role != "assistant" {
				part = append(part, block)
			}
		case session.PartResult:
			if result && call == item.Call {
				part = append(part, block)
			}
		}
	}
	return part
}

// soleArgument returns the only argument of a command that the user ran.
func soleArgument(args json.RawMessage) string {
	var named map[string]any
	if json.Unmarshal(args, &named) != nil {
		return ""
	}
	for _, v := range named {
		if text, ok := v.(string); ok {
			return text
		}
	}
	return ""
}

// bodyPageSize is the number of entries read from disk at a time.
const bodyPageSize = 200

// printConversation prints entries as a conversation.
func (p *program) printConversation(ctx context.Context, s *store.Session, ps []session.Pos) error {
	out := newColorWriter(p.out)
	for len(ps) > 0 {
		page := ps[:min(bodyPageSize, len(ps))]
		ps = ps[len(page):]
		bodies, err := s.ReadBodies(ctx, page)
		if err != nil {
			return err
		}
		s.ReadTree(func(t *session.Tree, _ store.Revision) {
			for i, at := range page {
				writeEntry(out, t, at, bodies[i])
			}
		})
	}
	return out.Flush()
}

func writeEntry(out *colorWriter, t *session.Tree, p session.Pos, b session.Body) {
	e := t.At(p)
	out.writeColored(headingColor(e), cleanLine(entryHeading(t, p)))
	out.writeColored(dim, " "+cleanLine(e.ID))
	if e.Time != session.NoTime {
		out.writeColored(dim, " "+time.UnixMilli(e.Time).Format("2006-01-02 15:04:05"))
	}
	if l, ok := t.Label(p); ok {
		out.writeColored(yellow, " ["+cleanLine(l.Text)+"]")
	}
	out.writeColored("", "\n")
	for _, block := range b.Blocks {
		if e.Kind != session.KindShell || block.Kind != session.BlockToolCall { // the heading contains it
			writeBlock(out, block)
		}
	}
}

// entryHeading returns the role of an entry, or its row text for entries without a
// message.
func entryHeading(t *session.Tree, p session.Pos) string {
	e := t.At(p)
	switch e.Kind {
	case session.KindUser, session.KindSystem, session.KindMessage:
		return e.Role
	case session.KindAssistant:
		return e.Role + " (" + e.ModelID() + ")"
	case session.KindCustomMessage:
		return "[" + e.CustomType() + "]"
	case session.KindBranchSummary:
		return "[branch summary]"
	}
	if text := t.RowText(p); text != "" {
		return text
	}
	return "[" + e.Role + "]"
}

func headingColor(e *session.Entry) string {
	switch {
	case e.HasFlag(session.FlagError):
		return red
	case e.Kind == session.KindUser:
		return blue
	case e.Kind.IsBookkeeping():
		return dim
	}
	return bold
}

func writeBlock(out *colorWriter, b session.Block) {
	switch b.Kind {
	case session.BlockThinking:
		for line := range strings.Lines(b.Text) {
			out.writeColored(dim, "  | "+cleanLine(strings.TrimRight(line, "\r\n"))+"\n")
		}
	case session.BlockToolCall:
		out.writeColored(cyan, "  "+cleanLine(b.Name)+" "+cleanLine(string(b.Args))+"\n")
	case session.BlockImage:
		out.writeColored(dim, "  (image "+cleanLine(b.Name)+")\n")
	case session.BlockFile:
		out.writeColored(cyan, "  "+cleanLine(b.Name)+"\n")
		writeIndented(out, b.Text)
	case session.BlockInjected:
		out.writeColored(dim, "  ("+cleanLine(b.Name)+": "+cleanLine(rowtext.OneLine(b.Text))+")\n")
	case session.BlockJSON:
	default:
		writeIndented(out, b.Text)
	}
}

// writeIndented writes a text with indented lines.
func writeIndented(out *colorWriter, text string) {
	for line := range strings.Lines(text) {
		out.writeColored("", "  "+cleanLine(strings.TrimRight(line, "\r\n"))+"\n")
	}
}
