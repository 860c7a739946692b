package view

import (
	"net/url"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// Actions lists what can be done with an entry.
func (b *Builder) Actions(c Change, entry string) components.ActionsModel {
	p := c.Tree.Find(entry)
	m := components.ActionsModel{Page: c.Page, Back: c.back(entry), Quote: b.quote(c.Tree, p)}
	m.Page.Title, m.Page.Live = "Entry, "+sessionName(c.Tree), ""
	add := func(text, icon, action string, a session.Ability, keys ...string) {
		m.Items = append(m.Items, components.ActionModel{
			Text: text, Icon: icon, Action: action, Reason: a.Reason, Keys: keys,
			Href: c.post(action) + "?entry=" + url.QueryEscape(entry),
		})
	}
	label := "Label"
	if _, has := c.Tree.Label(p); has {
		label = "Change the label"
	}
	add(label, "flag", "label", c.Can.Label, "Shift", "L")
	add("Branch here", "fork", "branch", c.Can.Branch, "B")
	add("Branch to new file", "file-plus", "fork", c.Can.Fork)
	add("Copy onto the leaf", "copy", "cherry-pick", c.Can.Copy)
	if !onLeafPath(c.Tree, p) {
		add("Merge this branch’s messages onto the leaf", "sum", "merge", c.Can.Copy)
	}
	if p != c.Tree.Leaf() && len(c.Tree.Children(p)) == 0 {
		add("Make this branch current", "leaf", "switch", c.Can.Branch)
	}
	m.Items = append(m.Items,
		components.ActionModel{Text: "Export", Icon: "export", Action: "export", Href: c.post("export") + "?entry=" + url.QueryEscape(entry)},
		components.ActionModel{Text: "Share from here", Icon: "share", Action: "shares", Href: c.post("shares") + "?entry=" + url.QueryEscape(entry)},
		components.ActionModel{Text: "Copy link", Icon: "link", Copy: c.back(entry).Href},
		components.ActionModel{Text: "Recorded line", Icon: "code", Href: c.base() + "/entries/" + url.PathEscape(entry) + "?raw=1"})
	if c.Request {
		m.Items = append(m.Items, components.ActionModel{Text: "Recorded request", Icon: "code", Href: c.base() + "/entries/" + url.PathEscape(entry) + "?raw=request"})
	}
	return m
}

// onLeafPath reports whether p is on the path to the leaf.
func onLeafPath(t *session.Tree, p session.Pos) bool {
	for at := t.Leaf(); at != session.NoPos; at = t.Parent(at) {
		if at == p {
			return true
		}
	}
	return false
}
