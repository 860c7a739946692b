// Package comparison builds the model of the page that compares branches.
package comparison

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
)

// tabs lists the tabs of a comparison of two branches.
var tabs = []string{"talk", "files", "failures"}

// Params are the parameters of the page.
type Params struct {
	Entries []string // ids that name the branches; without any the leaf and the newest other branch
	Tab     string
	From    int // index of the first step
}

// ParseParams parses the parameters: a and b name two branches, with any number of them.
func ParseParams(q url.Values) (Params, error) {
	p := Params{Tab: q.Get("tab")}
	for _, id := range slices.Concat(q["a"], q["b"], q["with"]) {
		if id != "" && !slices.Contains(p.Entries, id) {
			p.Entries = append(p.Entries, id)
		}
	}
	if p.Tab == "" {
		p.Tab = tabs[0]
	}
	var err error
	if p.From, err = view.ParseCount(q, "from", 0); err != nil {
		return p, err
	}
	switch {
	case !slices.Contains(tabs, p.Tab):
		return p, fmt.Errorf("%w: no tab %q", session.ErrInvalid, p.Tab)
	case len(p.Entries) > view.MaxCompared:
		return p, fmt.Errorf("%w: at most %d branches can be compared", session.ErrInvalid, view.MaxCompared)
	}
	return p, nil
}

// href returns the address of a comparison of the branches that end at entries.
func href(base string, ids []string, tab string, from int) string {
	q := view.CompareQuery(ids)
	if tab != tabs[0] {
		q.Set("tab", tab)
	}
	if from > 0 {
		q.Set("from", strconv.Itoa(from))
	}
	return base + "/compare?" + q.Encode()
}
