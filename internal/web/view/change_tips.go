package view

import (
	"net/url"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// mostTips is how many tips a page lists.
const mostTips = 300

// Tips lists the ends of the branches of a session, as the tree gives them.
func (b *Builder) Tips(c Change) components.BranchesModel {
	m := components.BranchesModel{
		Page: c.Page, Back: c.back(""), Reason: c.Can.Branch.Reason,
		Pop: &components.Link{Text: "Pop to the previous prompt", Href: c.post("pop")},
	}
	m.Page.Title, m.Page.Live = "Branches, "+sessionName(c.Tree), ""
	tips := c.Tree.Tips()
	for _, t := range tips[:min(len(tips), mostTips)] {
		m.Tips = append(m.Tips, b.tip(c, t))
	}
	if more := len(tips) - mostTips; more > 0 {
		m.More = "and " + plural(more, "more branch", "more branches") + "; “explorer branches” lists them all"
	}
	return m
}

func (b *Builder) tip(c Change, t session.Tip) components.TipModel {
	id := c.Tree.At(t.Pos).ID
	m := components.TipModel{
		Text: "No prompt", End: cutRunes(entryText(c.Tree, t.Last), 160), Entries: plural(t.Entries, "entry", "entries"), Age: b.moment(t.Time),
		Href: c.base() + "?leaf=" + url.QueryEscape(id), Current: t.Current,
	}
	if t.Prompt != session.NoPos {
		m.Text = cutRunes(entryText(c.Tree, t.Prompt), 160)
	}
	if t.Current {
		m.Href = c.base()
	} else if c.Can.Branch.Can() {
		m.Switch = c.post("switch") + "?entry=" + url.QueryEscape(id)
	}
	if l, ok := c.Tree.Label(t.Last); ok {
		m.Label = l.Text
	}
	if at := said(c.Tree, t.Fork); at != session.NoPos {
		m.Fork = &components.Link{Text: "leaves at “" + inWords(c.Tree, at, 50) + "”", Href: c.back(c.Tree.At(at).ID).Href}
	}
	return m
}
