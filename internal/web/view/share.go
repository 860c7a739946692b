package view

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/web/components"
)

// The parts of a session that can be shared, as forms name them.
const (
	ShareBelow = "below" // an entry and what is below it
	SharePath  = "path"  // the same with the path to it
	ShareAll   = "all"
)

// What of a part's entries can be left out, as forms name it.
const (
	HoldOutput, HoldThinking, HoldBranches, HoldImages = "output", "thinking", "branches", "images"
)

// KeepDays are the choices of how long a link works, the first is the usual one;
// 0 is for ever.
var KeepDays = []int{7, 1, 30, 0}

// ShareAsk is what a form asks to share.
type ShareAsk struct {
	Entry, Leaf    string // ids; Leaf is where the viewed path ends
	Scope          string
	Keep           int // days
	Hold, Redact   map[string]bool
	Name, Note, By string
	Live, Names    bool // Names shows the session's name and its project
}

// SharePart is a part that can be shared.
type SharePart struct {
	Scope   string
	Entries int
}

// Sharing is what is known of the part that a dialog is about.
type Sharing struct {
	Parts   []SharePart
	Kept    []session.Pos // its entries
	Whole   []session.Pos // with all branches
	Found   export.Findings
	Refused string // why nothing can be shared, "" when it can
	Where   string // where links open, "" everywhere
	Now     time.Time
}

// Share is the dialog that makes a link.
func (b *Builder) Share(c Change, a ShareAsk, s Sharing) components.ShareModel {
	m := components.ShareModel{
		Page: c.Page, Back: c.back(a.Entry), Post: c.post("shares"), Alert: c.Alert, Title: "Share this session",
		Name: a.Name, Note: a.Note, By: a.By, Live: a.Live, Names: a.Names, Where: s.Where,
		Hidden: []components.Pair{{Name: "entry", Value: a.Entry}, {Name: "leaf", Value: a.Leaf}, {Name: "of", Value: a.Scope}, {Name: "chosen", Value: "1"}},
	}
	if p := c.Tree.Find(a.Entry); p != session.NoPos {
		m.Title = "Share from “" + c.masked(p, 40) + "”"
	}
	m.Page.Title, m.Page.Live = m.Title+", "+sessionName(c.Tree), ""
	for _, p := range s.Parts {
		m.Parts = append(m.Parts, components.ShareChoice{Value: p.Scope, Text: partWords[p.Scope], Count: plural(p.Entries, "entry", "entries"), On: p.Scope == a.Scope})
	}
	if m.Reason = s.Refused; m.Reason != "" {
		return m
	}
	m.Keeps = b.keeps(a.Keep, s.Now)
	m.Holds = b.holds(c.Tree, a, s)
	m.Secrets = b.shareSecrets(c, a, s)
	return m
}

var partWords = map[string]string{
	ShareBelow: "From this entry on",
	SharePath:  "From this entry on, with the path to it",
	ShareAll:   "The whole session",
}

// keeps are the choices of how long a link works, the shortest first.
func (b *Builder) keeps(chosen int, now time.Time) (all []components.ShareChoice) {
	for _, days := range []int{1, 7, 30, 0} {
		k := components.ShareChoice{Value: strconv.Itoa(days), Text: plural(days, "day", "days"), On: days == chosen}
		if days == 0 {
			k.Text = "Never"
			k.Say = b.until(time.Time{}, now)
		} else {
			k.Say = b.until(now.AddDate(0, 0, days), now)
		}
		all = append(all, k)
	}
	return all
}

// until says how long a link can be opened.
func (b *Builder) until(end, now time.Time) string {
	if end.IsZero() {
		return "Anyone with the link can read it until you revoke it."
	}
	return "Anyone with the link can read it until " + b.day(end, now) + "."
}

// day is a date as people say it: "27 Nov", in another year "27 Nov 2027".
func (b *Builder) day(t, now time.Time) string {
	t, now = t.In(b.zone), now.In(b.zone)
	if t.Year() == now.Year() {
		return t.Format("2 Jan")
	}
	return t.Format("2 Jan 2006")
}

// holds counts what the part holds.
func (b *Builder) holds(t *session.Tree, a ShareAsk, s Sharing) []components.ShareHold {
	all := contents(t, s.Kept, a.Hold)
	branches := components.ShareHold{Name: HoldBranches, Text: branchWords[a.Scope], Count: plural(branchesIn(t, s.Whole), "branch", "branches"), On: a.Hold[HoldBranches]}
	return slices.Insert(all, len(all)-1, branches)
}

var branchWords = map[string]string{
	ShareBelow: "Other branches below this point", SharePath: "Other branches below this point", ShareAll: "Other branches",
}

// branchesIn counts the branches that end in a part, beside the one that is viewed.
// The positions are sorted.
func branchesIn(t *session.Tree, all []session.Pos) int {
	n := 0
	for _, tip := range t.Tips() {
		if _, in := slices.BinarySearch(all, tip.Pos); in {
			n++
		}
	}
	return max(n-1, 0)
}

// shareSecrets lists what was found, and what of it is replaced.
func (b *Builder) shareSecrets(c Change, a ShareAsk, s Sharing) components.ShareSecrets {
	m := components.ShareSecrets{More: moreFound(s.Found)}
	m.Found, m.Classes = foundIn(c, s.Found.Found, a.Redact)
	m.Title = foundWords(s.Found.Found)
	return m
}

// foundWords counts findings by what they are: "2 possible secrets and 1 personal
// detail". It returns "" when there are none.
func foundWords(found []export.Found) string {
	secrets := 0
	for _, f := range found {
		if f.Class == "keys" {
			secrets++
		}
	}
	var words []string
	if secrets > 0 {
		words = append(words, plural(secrets, "possible secret", "possible secrets"))
	}
	if n := len(found) - secrets; n > 0 {
		words = append(words, plural(n, "personal detail", "personal details"))
	}
	return strings.Join(words, " and ")
}

// ShareTitle is what a part is called: as the session if names are shown, else by the first prompt,
// whose text the tree has no more than the beginning of: half a key is not known as
// one.
func ShareTitle(t *session.Tree, kept []session.Pos, names bool) (name string, prompt session.Pos) {
	if name := t.Header().Name; name != "" && names {
		return name, session.NoPos
	}
	for _, p := range kept {
		if int(p) >= t.Len() { // the file was rewritten since
			break
		}
		if e := t.At(p); e.Kind == session.KindUser && e.Preview != "" && !e.Has(session.FlagSecondary) {
			return "", p
		}
	}
	return "", session.NoPos
}

// CutTitle is a text as a title.
func CutTitle(text string) string { return cutRunes(oneLine(text), titleRunes) }

// titleRunes is how long the title of a page is that nobody chose.
const titleRunes = 80

// Shared is the dialog that shows a link, once.
type Shared struct {
	Entry   string
	Title   string
	Link    string
	Expires time.Time
	Live    bool
	Local   bool // opens on this computer only
	Code    *components.CodeModel
	Values  int // that were replaced
	Now     time.Time
}

// Shared shows a link that was just made.
func (b *Builder) Shared(c Change, s Shared) components.SharedModel {
	m := components.SharedModel{
		Page: c.Page, Back: c.back(s.Entry), Title: "“" + cutRunes(oneLine(s.Title), 60) + "” is shared", Link: s.Link,
		Until: b.until(s.Expires, s.Now), Code: s.Code, Local: s.Local,
	}
	m.Page.Title, m.Page.Live = m.Title, ""
	m.Say = append(m.Say, "The link is shown only now: the explorer keeps no copy of it. You can end it at any time under Shares.")
	if s.Values > 0 {
		m.Say = append(m.Say, plural(s.Values, "value was", "values were")+" replaced.")
	}
	if s.Live {
		m.Say = append(m.Say, "It follows the branch: what comes later is added.")
	}
	return m
}
