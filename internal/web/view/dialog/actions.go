package dialog

import (
	"cmp"
	"net/url"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// EntryActions lists the actions for an entry.
func (c ChangeView) EntryActions(entry string) components.ActionsModel {
	p := c.Tree.FindID(entry)
	m := components.ActionsModel{Page: c.Page, Back: c.backLink(entry), Quote: c.entryQuote(p)}
	m.Page.Title, m.Page.Live = "Entry, "+view.SessionName(c.Tree), ""
	add := func(text, icon, action string, a session.Ability, keys ...string) {
		m.Items = append(m.Items, components.ActionModel{
			Text: text, Icon: icon, Action: action, Reason: a.Reason, Keys: keys,
			Href: c.actionHref(action) + "?entry=" + url.QueryEscape(entry),
		})
	}
	label := "Label"
	if _, has := c.Tree.Label(p); has {
		label = "Change the label"
	}
	add(label, "flag", "label", c.Can.Label, "Shift", "L")
	add("Branch here", "fork", "branch", c.Can.Branch, "B")
	add("Branch to new file", "file-plus", "fork", c.Can.Fork)
	add("Copy to the end of the current branch", "copy", "cherry-pick", c.Can.Copy)
	if !isOnLeafPath(c.Tree, p) {
		add("Add this branch’s messages to the current one", "sum", "merge", c.Can.Copy)
	}
	if p != c.Tree.Leaf() && len(c.Tree.Children(p)) == 0 {
		add("Make this branch current", "leaf", "switch", c.Can.Branch)
	}
	m.Items = append(m.Items,
		components.ActionModel{Text: "Export", Icon: "export", Action: "export", Href: c.actionHref("export") + "?entry=" + url.QueryEscape(entry)},
		components.ActionModel{Text: "Share from here", Icon: "share", Action: "shares", Href: c.actionHref("shares") + "?entry=" + url.QueryEscape(entry)},
		components.ActionModel{Text: "Copy link", Icon: "link", Copy: c.backLink(entry).Href},
		components.ActionModel{Text: "Raw line", Icon: "code", Href: c.sessionHref() + "/entries/" + url.PathEscape(entry) + "?raw=1"})
	if c.HasRequest {
		m.Items = append(m.Items, components.ActionModel{Text: "Raw request", Icon: "code", Href: c.sessionHref() + "/entries/" + url.PathEscape(entry) + "?raw=request"})
	}
	groupUnavailable(m.Items)
	return m
}

// groupUnavailable moves the actions that are not available to the end, those of one reason together.
// Only the first of them shows it.
func groupUnavailable(items []components.ActionModel) {
	first := map[string]int{"": -1} // index of the first action by reason; available ones come first
	for i := range items {
		a := &items[i]
		if _, known := first[a.Reason]; !known {
			first[a.Reason] = i
		} else {
			a.HidesReason = a.Reason != ""
		}
	}
	slices.SortStableFunc(items, func(a, b components.ActionModel) int { return cmp.Compare(first[a.Reason], first[b.Reason]) })
}

// isOnLeafPath reports whether p is on the path to the leaf.
func isOnLeafPath(t *session.Tree, p session.Pos) bool {
	for at := t.Leaf(); at != session.NoPos; at = t.Parent(at) {
		if at == p {
			return true
		}
	}
	return false
}
