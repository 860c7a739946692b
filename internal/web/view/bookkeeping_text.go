package view

import (
	"cmp"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
)

// bookkeepingText returns the row text of entries that record settings and state.
func bookkeepingText(t *session.Tree, e *session.Entry) string {
	name := OneLine(e.Name)
	switch e.Kind {
	case session.KindModel:
		return "model " + name
	case session.KindThinking:
		return "thinking " + cmp.Or(name, "off")
	case session.KindLabel:
		if e.Preview == "" {
			return "label cleared on " + targetEntryText(t, e.Target())
		}
		return "label “" + OneLine(e.Preview) + "” on " + targetEntryText(t, e.Target())
	case session.KindName:
		return "[name: " + cmp.Or(name, "cleared") + "]"
	case session.KindContextEdit:
		if e.Name == "omit" {
			return "left out of the context: " + targetEntryText(t, e.Target())
		}
		return "replaced in the context: " + targetEntryText(t, e.Target())
	case session.KindArchive:
		if e.HasFlag(session.FlagOn) {
			return "hidden: " + targetEntryText(t, e.Target())
		}
		return "shown again: " + targetEntryText(t, e.Target())
	case session.KindReset:
		return "Context starts over"
	case session.KindUsage:
		return "[" + JoinColon("usage", name) + "]"
	case session.KindCustom:
		return "[" + JoinColon("custom", name) + "]"
	case session.KindEvent:
		return "[" + JoinColon(strings.ReplaceAll(OneLine(e.Role), "_", " "), name) + "]"
	}
	return "[" + cmp.Or(OneLine(e.Role), "no type") + "]"
}

// targetEntryText returns a short text for the target of an entry.
func targetEntryText(t *session.Tree, id string) string {
	p := t.FindID(id)
	if p == session.NoPos {
		return OneLine(rowtext.Cut(id, 40)) + ", which is not in the file"
	}
	e := t.At(p)
	if e.Preview != "" {
		return "“" + OneLine(rowtext.Cut(e.Preview, 40)) + "”"
	}
	return OneLine(e.Role) + " " + OneLine(rowtext.Cut(id, 40))
}
