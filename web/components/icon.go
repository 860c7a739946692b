package components

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// icon is a decorative icon in the color of its text; size is "", icon-12 or icon-14, and may have
// further classes. It is drawn in place: as a mask, as icons.css has it for scripts, each icon took a
// document that the browser lays out, and together a quarter of the first paint of a session.
func icon(name, size string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		classes := templ.EscapeString(strings.TrimSpace("icon icon--" + name + " " + size))
		_, err := io.WriteString(w, `<svg class="`+classes+`" viewBox="0 0 16 16" aria-hidden="true">`+iconShapes[name]+`</svg>`)
		return err
	})
}
