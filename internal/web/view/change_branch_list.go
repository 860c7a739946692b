package view

import (
	"net/url"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/web/components"
)

// maxListedTips limits the tips listed on a page.
const maxListedTips = 300

// BranchList lists the tips of a session in the order of the tree.
func (c ChangeView) BranchList() components.BranchesModel {
	m := components.BranchesModel{
		Page: c.Page, Back: c.backLink(""), Reason: c.Can.Branch.Reason,
		Pop: &components.Link{Text: "Go back one prompt", Href: c.actionHref("pop")},
	}
	m.Page.Title, m.Page.Live = "Branches, "+sessionName(c.Tree), ""
	tips := c.Tree.BranchTips()
	for _, t := range tips[:min(len(tips), maxListedTips)] {
		m.Tips = append(m.Tips, c.tipModel(t))
	}
	if more := len(tips) - maxListedTips; more > 0 {
		m.More = "and " + components.Pluralize(more, "more branch", "more branches") + "; “explorer branches” lists them all"
	}
	return m
}

func (c ChangeView) tipModel(t session.Tip) components.TipModel {
	id := c.Tree.At(t.Pos).ID
	m := components.TipModel{
		Text: branchTitle(c.Tree, t.Head), End: rowtext.Cut(entryText(c.Tree, t.Last), 160), Entries: components.Pluralize(t.Entries, "entry", "entries"), Age: c.Config.millisModel(t.Time),
		Href: c.sessionHref() + "?leaf=" + url.QueryEscape(id), Current: t.Current,
	}
	if t.Current {
		m.Href = c.sessionHref()
	} else if c.Can.Branch.IsPossible() {
		m.Switch = c.actionHref("switch") + "?entry=" + url.QueryEscape(id)
	}
	if l, ok := c.Tree.Label(t.Last); ok {
		m.Label = l.Text
	}
	if at := nearestMessage(c.Tree, t.Fork); at != session.NoPos {
		m.Fork = &components.Link{Text: "branches off after “" + entryPhrase(c.Tree, at, 50) + "”", Href: c.backLink(c.Tree.At(at).ID).Href}
	}
	return m
}
