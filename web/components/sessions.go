package components

import (
	"fmt"
	"hash/fnv"
	"net/url"
	"strconv"
)

// hiddenFilterFields returns the filters that the search form has to preserve.
func (m SessionsModel) hiddenFilterFields() []Pair {
	var out []Pair
	for _, chips := range [][]Chip{m.Chips, m.Sorts} {
		for _, c := range chips {
			if c.On {
				out = append(out, queryPairs(c.Href)...)
			}
		}
	}
	seen := map[string]bool{"q": true}
	kept := out[:0]
	for _, p := range out {
		if !seen[p.Name] {
			seen[p.Name] = true
			kept = append(kept, p)
		}
	}
	return kept
}

// queryPairs returns the parameters of a link.
func queryPairs(href string) []Pair {
	u, err := url.Parse(href)
	if err != nil {
		return nil
	}
	var out []Pair
	for _, name := range []string{"format", "live", "branches", "labeled", "sort"} {
		if v := u.Query().Get(name); v != "" {
			out = append(out, Pair{Name: name, Value: v})
		}
	}
	return out
}

// selectedChip returns the choice that is on, or the first.
func selectedChip(chips []Chip) Chip {
	for _, c := range chips {
		if c.On {
			return c
		}
	}
	return chips[0]
}

func dotRadius(live bool) string {
	if live {
		return "2.75"
	}
	return "2"
}

// noted returns the number of notes and the damage.
func (r SessionRow) noted() string {
	text := Pluralize(r.Notes, "note", "notes")
	if r.Damage != "" {
		text += ". " + r.Damage
	}
	return text
}

// branchesText returns the number of branches and sub-agents.
func (r SessionRow) branchesText() string {
	text := Pluralize(r.Forks, "branch", "branches")
	if r.Agents > 0 {
		text += ", " + Pluralize(r.Agents, "sub-agent", "sub-agents")
	}
	return text
}

// contentHash returns a hash by which the browser detects changed rows.
func (r SessionRow) contentHash() string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%#v", r)
	return strconv.FormatUint(h.Sum64(), 36)
}
