package dialog

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// The parts of a session that can be shared, as named in forms.
const (
	ShareBelow = "below" // an entry and its descendants
	SharePath  = "path"  // the same with the path to it
	ShareAll   = "all"
)

// The kinds of content that can be omitted, as named in forms.
const (
	IncludeOutput, IncludeThinking, IncludeBranches, IncludeImages = "output", "thinking", "branches", "images"
)

// ExpiryDayChoices lists how many days a link may work, the default first; 0 = no limit.
var ExpiryDayChoices = []int{7, 1, 30, 0}

// ShareForm is the form of a share.
type ShareForm struct {
	Entry, Leaf          string // ids; Leaf is where the viewed path ends
	Scope                string
	ExpiryDays           int // days
	Include, Redact      map[string]bool
	Name, Note, SharedBy string
	Live, ShowNames      bool // ShowNames shows the session's name and its project
}

// SharePart is a part that can be shared.
type SharePart struct {
	Scope   string
	Entries int
}

// SharePreview describes the selected part for the dialog.
type SharePreview struct {
	Parts        []SharePart
	Positions    []session.Pos // entries of the part
	WithBranches []session.Pos // the same with all branches
	Findings     export.Findings
	Refused      string // why nothing can be shared, or ""
	Part         export.Part
	LocalOnly    bool // the link opens on this computer only
	Now          time.Time
}

// ShareDialog returns the dialog that creates a share.
func (c ChangeView) ShareDialog(a ShareForm, s SharePreview) components.ShareModel {
	m := components.ShareModel{
		Page: c.Page, Back: c.backLink(a.Entry), Post: c.actionHref("shares"), Alert: c.Alert, Title: "Share this session",
		Name: a.Name, Note: a.Note, SharedBy: a.SharedBy, Live: a.Live, ShowNames: a.ShowNames,
		Hidden: []components.Pair{{Name: "entry", Value: a.Entry}, {Name: "leaf", Value: a.Leaf}, {Name: "of", Value: a.Scope}, {Name: "chosen", Value: "1"}},
	}
	if p := c.Tree.FindID(a.Entry); p != session.NoPos {
		m.Title = "Share from “" + c.redactedPhrase(p, 40) + "”"
	}
	m.Page.Title, m.Page.Live = m.Title+", "+view.SessionName(c.Tree), ""
	for _, p := range s.Parts {
		m.Parts = append(m.Parts, components.ShareChoice{Value: p.Scope, Text: sharePartTexts[p.Scope], Count: components.Pluralize(p.Entries, "entry", "entries"), On: p.Scope == a.Scope})
	}
	if m.Reason = s.Refused; m.Reason != "" {
		return m
	}
	if s.LocalOnly {
		m.Download = c.exportURL(s.Part, string(export.HTML), true)
	}
	m.Expiry = expiryChoices(c.Config, a.ExpiryDays, s.Now)
	m.Include = shareIncludeOptions(c.Tree, a, s)
	m.Findings = c.shareFindings(a, s)
	return m
}

var sharePartTexts = map[string]string{
	ShareBelow: "From this entry on",
	SharePath:  "From this entry on, with the path to it",
	ShareAll:   "The whole session",
}

// expiryChoices returns the choices of how long a link works, the shortest first.
func expiryChoices(cfg view.Config, chosen int, now time.Time) (all []components.ShareChoice) {
	for _, days := range []int{1, 7, 30, 0} {
		k := components.ShareChoice{Value: strconv.Itoa(days), Text: components.Pluralize(days, "day", "days"), On: days == chosen}
		if days == 0 {
			k.Text = "Never"
			k.Say = expiryText(cfg, time.Time{}, now)
		} else {
			k.Say = expiryText(cfg, now.AddDate(0, 0, days), now)
		}
		all = append(all, k)
	}
	return all
}

// expiryText returns how long a link can be opened.
func expiryText(cfg view.Config, end, now time.Time) string {
	if end.IsZero() {
		return "Anyone with the link can read it until you revoke it."
	}
	return "Anyone with the link can read it until " + cfg.FormatDay(end, now) + "."
}

// shareIncludeOptions returns the kinds of content in the part, with counts.
func shareIncludeOptions(t *session.Tree, a ShareForm, s SharePreview) []components.IncludeOption {
	all := includeOptions(t, s.Positions, a.Include)
	branches := components.IncludeOption{Name: IncludeBranches, Text: branchOptionTexts[a.Scope], Count: components.Pluralize(countOtherBranches(t, s.WithBranches), "branch", "branches"), On: a.Include[IncludeBranches]}
	return slices.Insert(all, len(all)-1, branches)
}

var branchOptionTexts = map[string]string{
	ShareBelow: "Other branches below this point", SharePath: "Other branches below this point", ShareAll: "Other branches",
}

// countOtherBranches counts the branches that end in a part, besides the viewed one. The
// positions are sorted.
func countOtherBranches(t *session.Tree, all []session.Pos) int {
	n := 0
	for _, tip := range t.BranchTips() {
		if _, in := slices.BinarySearch(all, tip.Pos); in {
			n++
		}
	}
	return max(n-1, 0)
}

// shareFindings returns the findings and which of them are redacted.
func (c ChangeView) shareFindings(a ShareForm, s SharePreview) components.ShareFindings {
	m := components.ShareFindings{More: findingsNote(s.Findings)}
	m.Found, m.Classes = findingModels(c, s.Findings.Items, a.Redact)
	m.Title = findingsTitle(s.Findings.Items)
	return m
}

// findingsTitle counts findings by class: "2 possible secrets and 1 personal detail". It
// returns "" if there are none.
func findingsTitle(found []export.Finding) string {
	secrets := 0
	for _, f := range found {
		if f.Class == "keys" {
			secrets++
		}
	}
	var words []string
	if secrets > 0 {
		words = append(words, components.Pluralize(secrets, "possible secret", "possible secrets"))
	}
	if n := len(found) - secrets; n > 0 {
		words = append(words, components.Pluralize(n, "personal detail", "personal details"))
	}
	return strings.Join(words, " and ")
}

// ShareTitle returns the source of a share's default title: the session's name if names are
// shown, otherwise the position of the first prompt. The caller reads the prompt's text,
// because the tree holds only its beginning, where a truncated secret would not be
// recognized.
func ShareTitle(t *session.Tree, positions []session.Pos, names bool) (name string, prompt session.Pos) {
	if name := t.Header().Name; name != "" && names {
		return name, session.NoPos
	}
	for _, p := range positions {
		if int(p) >= t.Len() { // the file was rewritten meanwhile
			break
		}
		if e := t.At(p); e.Kind == session.KindUser && e.Preview != "" && !e.HasFlag(session.FlagSecondary) {
			return "", p
		}
	}
	return "", session.NoPos
}

// CutTitle returns text on one line, truncated to the length of a title.
func CutTitle(text string) string { return rowtext.Cut(view.OneLine(text), view.MaxTitleRunes) }

// CreatedShare is a share that was just created. Its link is shown only once.
type CreatedShare struct {
	Entry    string
	Title    string
	Link     string
	Expires  time.Time
	Live     bool
	Local    bool // opens on this computer only
	QRCode   *components.QRCodeModel
	Redacted int // number of redacted values
	Now      time.Time
}

// CreatedShareModel returns the dialog that shows the link.
func (c ChangeView) CreatedShareModel(s CreatedShare) components.CreatedShareModel {
	m := components.CreatedShareModel{
		Page: c.Page, Back: c.backLink(s.Entry), Title: "“" + rowtext.Cut(view.OneLine(s.Title), 60) + "” is shared", Link: s.Link,
		Until: expiryText(c.Config, s.Expires, s.Now), QRCode: s.QRCode, Local: s.Local,
	}
	m.Page.Title, m.Page.Live = m.Title, ""
	m.Say = append(m.Say, "Copy the link now. It won't be shown again. You can end it at any time under Shares.")
	if s.Redacted > 0 {
		m.Say = append(m.Say, components.Pluralize(s.Redacted, "value was", "values were")+" replaced.")
	}
	if s.Live {
		m.Say = append(m.Say, "It follows the branch: new entries are added.")
	}
	return m
}
