package dialog

import (
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/session/spend"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// ChangeView is a session as the dialogs that change it need it. It is valid only while the
// tree is locked.
type ChangeView struct {
	Config view.Config
	Page   components.Page
	Key    string
	File   string // path of the session's file
	Tree   *session.Tree
	Can    session.Capabilities
	Live   bool              // the agent may be running
	OnHub  bool              // labels are those of the hub
	Alert  *components.Alert // result of the last attempt, nil on the first
	// HasRequest is set if the request that led to the entry is recorded.
	HasRequest bool
	Owned      spend.Ownership // which requests belong to the session
	// Redact replaces sensitive values; nil replaces nothing.
	Redact func(string) string
}

func (c ChangeView) sessionHref() string { return view.SessionURL(c.Key) }

// actionHref returns the address of an action.
func (c ChangeView) actionHref(action string) string { return c.sessionHref() + "/" + action }

// backLink links to where a dialog was opened: the session, or an entry of it.
func (c ChangeView) backLink(entry string) components.Link {
	l := components.Link{Text: view.SessionName(c.Tree), Href: c.sessionHref()}
	if c.Tree.FindID(entry) != session.NoPos {
		l.Href += "?entry=" + url.QueryEscape(entry)
	}
	return l
}

// newDialog returns the common part of all dialogs. entry is the entry it is about, "" =
// the session.
func (c ChangeView) newDialog(action, title, entry string, a session.Ability) components.Dialog {
	m := components.Dialog{
		Page: c.Page, Action: action, Title: title, Post: c.actionHref(action), Back: c.backLink(entry),
		Reason: a.Reason, InSidecar: a.InSidecar && a.IsPossible(), OnHub: c.OnHub, Alert: c.Alert, Submit: title,
		Unchanged: "Nothing is rewritten or deleted.",
	}
	m.Page.Title = title + ", " + view.SessionName(c.Tree)
	m.Page.Live = "" // a form does not change while it is edited
	if m.Reason != "" && c.Tree.Header().Migrated && c.Can.Migrate.IsPossible() {
		m.Alternative = &components.Link{Text: "Migrate this file", Href: c.actionHref("migrate")}
	}
	if p := c.Tree.FindID(entry); p != session.NoPos {
		m.Quote = c.entryQuote(p)
		m.Hidden = append(m.Hidden, components.Pair{Name: "entry", Value: entry})
	}
	return m
}

// seenLeafField returns the hidden field with the leaf that the user saw.
func (c ChangeView) seenLeafField() components.Pair {
	id := view.BeforeFirstEntry
	if l := c.Tree.Leaf(); l != session.NoPos {
		id = c.Tree.At(l).ID
	}
	return components.Pair{Name: "seen-leaf", Value: id}
}

// entryQuote returns an entry in one line.
func (c ChangeView) entryQuote(p session.Pos) *components.Quote {
	return &components.Quote{Text: rowtext.Cut(view.EntryText(c.Tree, p), 200), Time: c.Config.MillisModel(c.Tree.At(p).Time)}
}

// redactedPhrase returns an entry for use within a sentence, redacted.
func (c ChangeView) redactedPhrase(p session.Pos, n int) string {
	text := view.EntryText(c.Tree, p)
	if c.Redact != nil {
		text = c.Redact(text)
	}
	return strings.TrimRight(rowtext.Cut(text, n), ".:")
}

// entryPhrase returns an entry for use within a sentence, without a full stop.
func entryPhrase(t *session.Tree, p session.Pos, n int) string {
	return strings.TrimRight(rowtext.Cut(view.EntryText(t, p), n), ".:")
}

// linesModel returns the lines to write, or nil if they are not known.
func (c ChangeView) linesModel(action string, lines []session.Line) *components.LinesModel {
	if len(lines) == 0 {
		return nil
	}
	m := &components.LinesModel{Preview: c.actionHref(action) + "?part=lines", Open: len(lines) < 5}
	for _, l := range lines {
		text := rowtext.Cut(view.EscapeInvisible(string(l.Text)), 2000)
		if l.ReplacesSlot {
			m.Head = text
		} else {
			m.Lines = append(m.Lines, text)
		}
	}
	m.Title = components.Pluralize(len(m.Lines), "line", "lines") + " will be added to " + ShortFileName(c.File)
	if m.Head != "" {
		m.Title += ", and its first line replaced"
	}
	return m
}

// LinePreview returns the part of a dialog that shows the lines to write.
func (c ChangeView) LinePreview(action string, lines []session.Line) components.LinesModel {
	if m := c.linesModel(action, lines); m != nil {
		return *m
	}
	return components.LinesModel{Title: "Nothing will be added", Preview: c.actionHref(action) + "?part=lines"}
}

// ShortFileName returns a file's name with its middle left out: agents name files by time
// and id.
func ShortFileName(path string) string {
	const ends = 12
	name := []rune(view.EscapeInvisible(filepath.Base(path)))
	if len(name) <= 2*ends+8 {
		return string(name)
	}
	return string(name[:ends]) + "…" + string(name[len(name)-ends-6:])
}

// recentLabels lists the distinct labels in use, the latest first.
func recentLabels(t *session.Tree, except string) []string {
	const limit = 12
	var out []string
	seen := map[string]bool{except: true}
	labels := t.Labels()
	for i := len(labels) - 1; i >= 0 && len(out) < limit; i-- {
		if text := labels[i].Text; !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}

func versionText(n int) string { return "version " + strconv.Itoa(n) }
