package terminal

import (
	"strings"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
)

// WriteEntry writes an entry of a conversation: a heading, then its blocks.
func WriteEntry(out *ColorWriter, t *session.Tree, p session.Pos, b session.Body) {
	e := t.At(p)
	out.WriteColored(headingColor(e), CleanLine(entryHeading(t, p)))
	out.WriteColored(Dim, " "+CleanLine(e.ID))
	if e.Time != session.NoTime {
		out.WriteColored(Dim, " "+time.UnixMilli(e.Time).Format("2006-01-02 15:04:05"))
	}
	if l, ok := t.Label(p); ok {
		out.WriteColored(Yellow, " ["+CleanLine(l.Text)+"]")
	}
	out.WriteColored("", "\n")
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
		return e.Role + " (" + e.Name + ")"
	case session.KindCustomMessage:
		return "[" + e.Name + "]"
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
		return Red
	case e.Kind == session.KindUser:
		return Blue
	case e.Kind.IsBookkeeping():
		return Dim
	}
	return Bold
}

func writeBlock(out *ColorWriter, b session.Block) {
	switch b.Kind {
	case session.BlockThinking:
		for line := range strings.Lines(b.Text) {
			out.WriteColored(Dim, "  | "+CleanLine(strings.TrimRight(line, "\r\n"))+"\n")
		}
	case session.BlockToolCall:
		out.WriteColored(Cyan, "  "+CleanLine(b.Name)+" "+CleanLine(string(b.Args))+"\n")
	case session.BlockImage:
		out.WriteColored(Dim, "  (image "+CleanLine(b.Name)+")\n")
	case session.BlockFile:
		out.WriteColored(Cyan, "  "+CleanLine(b.Name)+"\n")
		out.WriteIndented(b.Text)
	case session.BlockInjected:
		out.WriteColored(Dim, "  ("+CleanLine(b.Name)+": "+CleanLine(rowtext.OneLine(b.Text))+")\n")
	case session.BlockJSON:
	default:
		out.WriteIndented(b.Text)
	}
}
