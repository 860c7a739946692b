package contextpanel

import (
	"fmt"
	"net/url"

	"sessiontree/internal/session"
	"sessiontree/internal/session/modelcontext"
	"sessiontree/internal/web/view"
)

// Params are the parameters in URLs of a context, besides those of the view.
type Params struct {
	Show string // name of the part that is listed, "new", "" = everything
	All  bool   // no messages in the middle are omitted
}

// onlyNew lists the messages that the previous request did not have.
const onlyNew = "new"

// ParseParams parses the parameters of a URL. Errors wrap session.ErrInvalid.
func ParseParams(q url.Values) (Params, error) {
	p := Params{Show: q.Get("show"), All: q.Get("rows") == "all"}
	if p.Show == "" || p.Show == onlyNew {
		return p, nil
	}
	for part := range modelcontext.PartCount {
		if part.Name() == p.Show {
			return p, nil
		}
	}
	return p, fmt.Errorf("%w: a context has no part %q", session.ErrInvalid, p.Show)
}

// href returns the URL of the context of an answer with these parameters. entry is "" for the
// last answer on the path.
func (p Params) href(s view.Scene, entry string) string {
	q := s.Params.WithEntry(entry, s.Params.Leaf).Values()
	if p.Show != "" {
		q.Set("show", p.Show)
	}
	if p.All {
		q.Set("rows", "all")
	}
	base := s.Base() + "/context"
	if len(q) == 0 {
		return base
	}
	return base + "?" + q.Encode()
}
