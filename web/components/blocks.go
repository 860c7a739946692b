package components

import (
	"strconv"

	"github.com/a-h/templ"
)

func moreText(left string) string {
	if left == "" {
		return "Show all"
	}
	return left
}

// moreKind says what the answer of a link stands in place of.
func moreKind(kind string) string {
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

// todoStates say in words what the box of a list's line says to the eye.
var todoStates = map[string]string{"done": "Done", "doing": "In progress", "open": "To do"}
