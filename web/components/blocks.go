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

// fetchedPart says what the answer of a link stands in place of.
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

// imageSize keeps the place of an image whose size is known.
func imageSize(b BlockModel) templ.OrderedAttributes {
	if b.W <= 0 || b.H <= 0 {
		return nil
	}
	return templ.OrderedAttributes{{Key: "width", Value: strconv.Itoa(b.W)}, {Key: "height", Value: strconv.Itoa(b.H)}}
}

// imageLink is where an image is had in large. One that stands in the page itself has
// no other address: a browser opens no data in a tab.
func imageLink(b BlockModel) templ.OrderedAttributes {
	if strings.HasPrefix(b.Src, "data:") {
		return templ.OrderedAttributes{{Key: "href", Value: "#"}}
	}
	return templ.OrderedAttributes{{Key: "href", Value: b.Src}, {Key: "target", Value: "_blank"}, {Key: "rel", Value: "noopener"}}
}

// todoStates say in words what the box of a list's line says to the eye.
var todoStates = map[string]string{"done": "Done", "doing": "In progress", "open": "To do"}
