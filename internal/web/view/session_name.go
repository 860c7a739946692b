package view

import (
	"path/filepath"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
)

// MaxTitleRunes limits the length of a title that nobody wrote as one.
const MaxTitleRunes = 80

// SessionName returns the name of a session, or the title from other files, the first
// prompt, or the id.
func SessionName(t *session.Tree) string {
	h := t.Header()
	if h.Name != "" {
		return OneLine(rowtext.Cut(h.Name, MaxRowRunes))
	}
	for _, l := range t.Threads().All() {
		if l.Session == h.ID && l.Title != "" && !l.Branch && !t.At(l.Entries[0]).HasFlag(session.FlagAgent) {
			return OneLine(rowtext.Cut(l.Title, MaxTitleRunes))
		}
	}
	for p := range session.Pos(t.Len()) {
		if e := t.At(p); e.Kind == session.KindUser && e.Preview != "" {
			return OneLine(rowtext.Cut(e.Preview, MaxTitleRunes))
		}
	}
	return OneLine(h.ID)
}

// FileTitle returns the title of a session of which only the file is known.
func FileTitle(path string) string {
	return OneLine(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
}
