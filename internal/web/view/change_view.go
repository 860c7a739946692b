package view

import (
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// ChangeView is a session as the dialogs that change it see it. It is valid only
// while the tree is locked.
type ChangeView struct {
	Page  components.Page
	Key   string
	File  string // path of the session's file
	Tree  *session.Tree
	Can   session.Capabilities
	Live  bool              // the agent may be running
	Alert *components.Alert // what came of the last try, nil on the first
	// HasRequest: the request that the entry answers is recorded.
	HasRequest bool
	// Redact replaces what should not be told; nil replaces nothing.
	Redact func(string) string
}

func (c ChangeView) sessionHref() string { return sessionURL(c.Key) }

// actionHref is the address of an action.
func (c ChangeView) actionHref(action string) string { return c.sessionHref() + "/" + action }

// backLink leads to where a dialog was opened: the session, or an entry of it.
func (c ChangeView) backLink(entry string) components.Link {
	l := components.Link{Text: sessionName(c.Tree), Href: c.sessionHref()}
	if c.Tree.FindID(entry) != session.NoPos {
		l.Href += "?entry=" + url.QueryEscape(entry)
	}
	return l
}

// newDialog is what all dialogs of an action begin with. entry is what it is about,
// "" the session.
func (b *Builder) newDialog(c ChangeView, action, title, entry string, a session.Ability) components.Dialog {
	m := components.Dialog{
		Page: c.Page, Action: action, Title: title, Post: c.actionHref(action), Back: c.backLink(entry),
		Reason: a.Reason, InSidecar: a.InSidecar && a.IsPossible(), Alert: c.Alert, Submit: title,
		Unchanged: "Nothing is rewritten or deleted.",
	}
	m.Page.Title = title + ", " + sessionName(c.Tree)
	m.Page.Live = "" // a form is not changed under the reader's hands
	if m.Reason != "" && c.Tree.Header().Migrated && c.Can.Migrate.IsPossible() {
		m.Alternative = &components.Link{Text: "Migrate this file", Href: c.actionHref("migrate")}
	}
	if p := c.Tree.FindID(entry); p != session.NoPos {
		m.Quote = b.entryQuote(c.Tree, p)
		m.Hidden = append(m.Hidden, components.Pair{Name: "entry", Value: entry})
	}
	return m
}

// seenLeafField tells the server, when the form comes back, where the agent stood.
func (c ChangeView) seenLeafField() components.Pair {
	id := beforeFirstEntry
	if l := c.Tree.Leaf(); l != session.NoPos {
		id = c.Tree.At(l).ID
	}
	return components.Pair{Name: "seen-leaf", Value: id}
}

// entryQuote is an entry in one line.
func (b *Builder) entryQuote(t *session.Tree, p session.Pos) *components.Quote {
	return &components.Quote{Text: cutRunes(entryText(t, p), 200), Time: b.millisModel(t.At(p).Time)}
}

// redactedPhrase is an entry within a sentence, without what should not be told.
func (c ChangeView) redactedPhrase(p session.Pos, n int) string {
	text := entryText(c.Tree, p)
	if c.Redact != nil {
		text = c.Redact(text)
	}
	return strings.TrimRight(cutRunes(text, n), ".:")
}

// entryPhrase is an entry within a sentence, without the stop at its end.
func entryPhrase(t *session.Tree, p session.Pos, n int) string {
	return strings.TrimRight(cutRunes(entryText(t, p), n), ".:")
}

// nearestMessage is the entry at p or, when that is a setting or a label, the one before it
// that a reader knows.
func nearestMessage(t *session.Tree, p session.Pos) session.Pos {
	for p != session.NoPos && t.At(p).Kind.IsBookkeeping() {
		p = t.Parent(p)
	}
	return p
}

// linesModel is what would be written; nil when that is not known.
func (c ChangeView) linesModel(action string, lines []session.Line) *components.LinesModel {
	if len(lines) == 0 {
		return nil
	}
	m := &components.LinesModel{Preview: c.actionHref(action) + "?part=lines", Open: len(lines) < 5}
	for _, l := range lines {
		text := cutRunes(escapeInvisible(string(l.Text)), 2000)
		if l.ReplacesSlot {
			m.Head = text
		} else {
			m.Lines = append(m.Lines, text)
		}
	}
	m.Title = pluralize(len(m.Lines), "line", "lines") + " will be added to " + ShortFileName(c.File)
	if m.Head != "" {
		m.Title += ", and its first line replaced"
	}
	return m
}

// LinePreview is the part of a dialog that shows what would be written.
func (b *Builder) LinePreview(c ChangeView, action string, lines []session.Line) components.LinesModel {
	if m := c.linesModel(action, lines); m != nil {
		return *m
	}
	return components.LinesModel{Title: "Nothing will be added", Preview: c.actionHref(action) + "?part=lines"}
}

// ShortFileName is a file's name with its middle left out: agents name files by time
// and id.
func ShortFileName(path string) string {
	const ends = 12
	name := []rune(escapeInvisible(filepath.Base(path)))
	if len(name) <= 2*ends+8 {
		return string(name)
	}
	return string(name[:ends]) + "…" + string(name[len(name)-ends-6:])
}

// recentLabels lists the labels in use, the latest first, each once.
func recentLabels(t *session.Tree, but string) []string {
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
func canModel(t *session.Tree, can session.Capabilities) components.CapabilitiesModel {
	return components.CapabilitiesModel{
		Label: can.Label.Reason, Name: can.Name.Reason, Branch: can.Branch.Reason,
		Copy: can.Copy.Reason, Fork: can.Fork.Reason, Migrate: can.Migrate.Reason,
		OldVersion: t.Header().Migrated,
	}
}

func versionText(n int) string { return "version " + strconv.Itoa(n) }
