package components

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

func showMoreText(left string) string {
	if left == "" {
		return "Show all"
	}
	return left
}

// fetchedPart returns the part of an entry that a link to more content fetches.
func fetchedPart(kind string) string {
	if kind == "rest" {
		return "rest"
	}
	return "block"
}

func imageAlt(b BlockModel) string {
	switch {
	case b.Alt != "":
		return b.Alt
	case b.Name != "":
		return b.Name
	}
	return "Image"
}

// imageSize returns the attributes that reserve the space of an image.
func imageSize(b BlockModel) templ.OrderedAttributes {
	if b.W <= 0 || b.H <= 0 {
		return nil
	}
	return templ.OrderedAttributes{{Key: "width", Value: strconv.Itoa(b.W)}, {Key: "height", Value: strconv.Itoa(b.H)}}
}

// imageLink returns the attributes of the link to the full-size image. Browsers do not open
// data: URLs in a tab, so the link of such an image has no target.
func imageLink(b BlockModel) templ.OrderedAttributes {
	if strings.HasPrefix(b.Src, "data:") {
		return templ.OrderedAttributes{{Key: "href", Value: "#"}}
	}
	return templ.OrderedAttributes{{Key: "href", Value: b.Src}, {Key: "target", Value: "_blank"}, {Key: "rel", Value: "noopener"}}
}

// todoStates are the accessible names of the boxes in a todo list.
var todoStates = map[string]string{"done": "Done", "doing": "In progress", "open": "To do", "dropped": "Dropped"}

// shownPages is the number of pages of a search that are shown at first.
const shownPages = 6

func blockClass(b BlockModel) string {
	return appendIf("block block--"+b.Kind, b.Cut, "is-cut")
}

func toolClass(t ToolModel) string {
	return appendIf(appendIf("tool", t.Err, "tool--error"), t.Running, "is-running")
}

func diffLineClass(l DiffLine) string {
	if l.Class == "" {
		return ""
	}
	return "diff-" + l.Class
}
