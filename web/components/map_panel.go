package components

import "github.com/a-h/templ"

// mapLabelAttrs returns the attributes of a text in the panel. Branches have a link of their
// own, so that theirs is for the pointer only. Merged branches are on the page.
func mapLabelAttrs(l MapPanelLabel) templ.Attributes {
	attrs := templ.Attributes{}
	if l.Class != "merged" {
		attrs["data-view"] = true
	}
	if l.Class == "branch" || l.Class == "agent" {
		attrs["tabindex"], attrs["aria-hidden"] = "-1", "true"
	}
	return attrs
}
