package pi

import (
	"fmt"
	"strings"
	"unicode"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

var lineBreaks = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

func (w *changeEncoder) encodeName(name string) error {
	if err := w.setParent(w.tree.Leaf()); err != nil {
		return err
	}
	if w.titleInHeader {
		return w.encodeTitle(cleanTitle(name))
	}
	name = strings.TrimFunc(lineBreaks.Replace(name), jsonl.IsSpace)
	w.writeEntry("session_info", keyValue{"name", quoteJSON(name)})
	return nil
}

// encodeTitle writes an entry about the title change and then the slot that holds the title. If the
// process crashes in between, the old title stays, as it does when the agent renames.
func (w *changeEncoder) encodeTitle(title string) error {
	if !w.tree.Header().HasTitleSlot {
		return fmt.Errorf("%w: %s", session.ErrInvalid, noTitleSlot)
	}
	payload := []keyValue{{"title", quoteJSON(title)}, {"source", quoteJSON("user")}}
	if was, _ := w.tree.RecordedNameAndLabels(); was != "" {
		payload = append(payload, keyValue{"previousTitle", quoteJSON(was)})
	}
	w.writeEntry("title_change", payload...)
	source := "user"
	if title == "" { // lets the agent generate a title again
		source = ""
	}
	w.lines = append(w.lines, session.Line{Text: titleSlot(title, source, w.now), ReplacesSlot: true})
	return nil
}

// cleanTitle returns a title in oh-my-pi's form: on one line, with single spaces.
func cleanTitle(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	for strings.Contains(s, "  ") {
		s = strings.ReplaceAll(s, "  ", " ")
	}
	return strings.TrimFunc(s, jsonl.IsSpace)
}
