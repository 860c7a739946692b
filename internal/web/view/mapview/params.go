// Package mapview makes the model of the map of a session.
package mapview

import (
	"fmt"
	"net/url"
	"strconv"

	"sessiontree/internal/session"
	"sessiontree/internal/session/sessionmap"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// maxZoom is the largest zoom, a power of two.
const maxZoom = 16

// Params are what a map shows besides the viewed path.
type Params struct {
	Axis   sessionmap.Axis
	Zoom   int    // 1 shows all in one screen
	Branch string // id of the first entry of the picked branch, "" for none
	Part   string // "" for the page, body, panel or branch
	Height int    // of the panel, in px
}

// ParseParams parses the parameters of a URL. Errors wrap session.ErrInvalid.
func ParseParams(q url.Values) (Params, error) {
	p := Params{Zoom: 1, Branch: q.Get("branch"), Part: q.Get("part")}
	switch q.Get("axis") {
	case "", "time":
	case "steps":
		p.Axis = sessionmap.Steps
	default:
		return p, fmt.Errorf("%w: axis is time or steps", session.ErrInvalid)
	}
	if text := q.Get("zoom"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > maxZoom || n&(n-1) != 0 {
			return p, fmt.Errorf("%w: zoom is 1, 2, 4, 8 or 16", session.ErrInvalid)
		}
		p.Zoom = n
	}
	if p.Part == "panel" {
		n, err := strconv.Atoi(q.Get("height"))
		if err != nil || n < minPanel || n > maxPanel {
			return p, fmt.Errorf("%w: height is a number from %d to %d", session.ErrInvalid, minPanel, maxPanel)
		}
		p.Height = n
	}
	return p, nil
}

// href returns the URL of a map.
func (p Params) href(s view.Scene) string {
	q := url.Values{}
	if p.Axis == sessionmap.Steps {
		q.Set("axis", "steps")
	}
	if p.Zoom > 1 {
		q.Set("zoom", strconv.Itoa(p.Zoom))
	}
	if p.Branch != "" {
		q.Set("branch", p.Branch)
	}
	if !s.AtLeaf() && s.View.Leaf != session.NoPos {
		q.Set("leaf", s.Tree.At(s.View.Leaf).ID)
	}
	if len(q) == 0 {
		return s.Base() + "/map"
	}
	return s.Base() + "/map?" + q.Encode()
}

// withZoom returns the URL with another zoom, "" if there is none.
func (p Params) withZoom(s view.Scene, zoom int) string {
	if zoom < 1 || zoom > maxZoom {
		return ""
	}
	p.Zoom = zoom
	return p.href(s)
}

// axes returns the links to the map with each axis.
func (p Params) axes(s view.Scene) (chips []components.Chip) {
	for axis, text := range []string{"Time", "Steps"} {
		to := p
		to.Axis = sessionmap.Axis(axis)
		chips = append(chips, components.Chip{Text: text, Count: -1, On: to.Axis == p.Axis, Href: to.href(s)})
	}
	return chips
}
