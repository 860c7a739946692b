package view

import (
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// Change is a session as the dialogs that change it see it. It is valid only
// while the tree is locked.
type Change struct {
	Page  components.Page
	Key   string
	File  string // path of the session's file
	Tree  *session.Tree
	Can   session.Capabilities
	Live  bool              // the agent may be running
	Alert *components.Alert // what came of the last try, nil on the first
	// Request: the request that the entry answers is recorded.
	Request bool
	// Mask replaces what should not be told; nil replaces nothing.
	Mask func(string) string
}

func (c Change) base() string { return sessionURL(c.Key) }

// post is the address of an action.
func (c Change) post(action string) string { return c.base() + "/" + action }

// back leads to where a dialog was opened: the session, or an entry of it.
func (c Change) back(entry string) components.Link {
	l := components.Link{Text: sessionName(c.Tree), Href: c.base()}
	if c.Tree.Find(entry) != session.NoPos {
		l.Href += "?entry=" + url.QueryEscape(entry)
	}
	return l
}

// dialog is what all dialogs of an action begin with. entry is what it is about,
// "" the session.
func (b *Builder) dialog(c Change, action, title, entry string, a session.Ability) components.Dialog {
	m := components.Dialog{
		Page: c.Page, Action: action, Title: title, Post: c.post(action), Back: c.back(entry),
		Reason: a.Reason, Aside: a.Aside && a.Can(), Alert: c.Alert, Submit: title,
		Safe: "Nothing is rewritten or deleted.",
	}
	m.Page.Title = title + ", " + sessionName(c.Tree)
	m.Page.Live = "" // a form is not changed under the reader's hands
	if m.Reason != "" && c.Tree.Header().Migrated && c.Can.Migrate.Can() {
		m.Other = &components.Link{Text: "Migrate this file", Href: c.post("migrate")}
	}
	if p := c.Tree.Find(entry); p != session.NoPos {
		m.Quote = b.quote(c.Tree, p)
		m.Hidden = append(m.Hidden, components.Pair{Name: "entry", Value: entry})
	}
	return m
}

// seenLeaf tells the server, when the form comes back, where the agent stood.
func (c Change) seenLeaf() components.Pair {
	id := noLeaf
	if l := c.Tree.Leaf(); l != session.NoPos {
		id = c.Tree.At(l).ID
	}
	return components.Pair{Name: "seen-leaf", Value: id}
}

// quote is an entry in one line.
func (b *Builder) quote(t *session.Tree, p session.Pos) *components.Quote {
	return &components.Quote{Text: cutRunes(entryText(t, p), 200), Time: b.moment(t.At(p).Time)}
}

// masked is an entry within a sentence, without what should not be told.
func (c Change) masked(p session.Pos, n int) string {
	text := entryText(c.Tree, p)
	if c.Mask != nil {
		text = c.Mask(text)
	}
	return strings.TrimRight(cutRunes(text, n), ".:")
}

// inWords is an entry within a sentence, without the stop at its end.
func inWords(t *session.Tree, p session.Pos, n int) string {
	return strings.TrimRight(cutRunes(entryText(t, p), n), ".:")
}

// said is the entry at p or, when that is a setting or a label, the one before it
// that a reader knows.
func said(t *session.Tree, p session.Pos) session.Pos {
	for p != session.NoPos && t.At(p).Kind.Bookkeeping() {
		p = t.Parent(p)
	}
	return p
}

// lines is what would be written; nil when that is not known.
func (c Change) lines(action string, lines []session.Line) *components.LinesModel {
	if len(lines) == 0 {
		return nil
	}
	m := &components.LinesModel{Preview: c.post(action) + "?part=lines", Open: len(lines) < 5}
	for _, l := range lines {
		text := cutRunes(visible(string(l.Text)), 2000)
		if l.Head {
			m.Head = text
		} else {
			m.Lines = append(m.Lines, text)
		}
	}
	m.Title = plural(len(m.Lines), "line", "lines") + " will be added to " + ShortFile(c.File)
	if m.Head != "" {
		m.Title += ", and its first line replaced"
	}
	return m
}

// Lines is the part of a dialog that shows what would be written.
func (b *Builder) Lines(c Change, action string, lines []session.Line) components.LinesModel {
	if m := c.lines(action, lines); m != nil {
		return *m
	}
	return components.LinesModel{Title: "Nothing will be added", Preview: c.post(action) + "?part=lines"}
}

// ShortFile is a file's name with its middle left out: agents name files by time
// and id.
func ShortFile(path string) string {
	const ends = 12
	name := []rune(visible(filepath.Base(path)))
	if len(name) <= 2*ends+8 {
		return string(name)
	}
	return string(name[:ends]) + "…" + string(name[len(name)-ends-6:])
}

// labelTexts lists the labels in use, the latest first, each once.
func labelTexts(t *session.Tree, but string) []string {
	const most = 12
	var out []string
	had := map[string]bool{but: true}
	labels := t.Labels()
	for i := len(labels) - 1; i >= 0 && len(out) < most; i-- {
		if text := labels[i].Text; !had[text] {
			had[text] = true
			out = append(out, text)
		}
	}
	return out
}

// canModel tells script what a session allows.
func canModel(t *session.Tree, can session.Capabilities) components.CanModel {
	return components.CanModel{
		Label: can.Label.Reason, Name: can.Name.Reason, Branch: can.Branch.Reason,
		Copy: can.Copy.Reason, Fork: can.Fork.Reason, Migrate: can.Migrate.Reason,
		Old: t.Header().Migrated,
	}
}

func version(n int) string { return "version " + strconv.Itoa(n) }
