package view

import (
	"strings"

	"sessiontree/internal/session"
)

// bookkeepingText words entries that record settings and state.
func bookkeepingText(t *session.Tree, e *session.Entry) string {
	name := oneLine(e.Name)
	switch e.Kind {
	case session.KindModel:
		return "model " + name
	case session.KindThinking:
		return "thinking " + orWord(name, "off")
	case session.KindLabel:
		if e.Preview == "" {
			return "label cleared on " + targetText(t, e.Target)
		}
		return "label “" + oneLine(e.Preview) + "” on " + targetText(t, e.Target)
	case session.KindName:
		return "[name: " + orWord(name, "cleared") + "]"
	case session.KindContextEdit:
		if e.Name == "omit" {
			return "left out of the context: " + targetText(t, e.Target)
		}
		return "replaced in the context: " + targetText(t, e.Target)
	case session.KindArchive:
		if e.Has(session.FlagOn) {
			return "hidden: " + targetText(t, e.Target)
		}
		return "shown again: " + targetText(t, e.Target)
	case session.KindReset:
		return "Context starts anew"
	case session.KindUsage:
		return "[" + colon("usage", name) + "]"
	case session.KindCustom:
		return "[" + colon("custom", name) + "]"
	case session.KindEvent:
		return "[" + colon(strings.ReplaceAll(oneLine(e.Role), "_", " "), name) + "]"
	}
	return "[" + orWord(oneLine(e.Role), "no type") + "]"
}

// targetText names the entry that another one is about.
func targetText(t *session.Tree, id string) string {
	p := t.Find(id)
	if p == session.NoPos {
		return oneLine(cutRunes(id, 40)) + ", which is not in the file"
	}
	e := t.At(p)
	if e.Preview != "" {
		return "“" + oneLine(cutRunes(e.Preview, 40)) + "”"
	}
	return oneLine(e.Role) + " " + oneLine(cutRunes(id, 40))
}
