package components

import (
	"fmt"
	"hash/fnv"
	"strconv"
)

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

// chipsOfGroup returns the chips of the menu "More", or the others.
func chipsOfGroup(chips []Chip, more bool) (some []Chip) {
	for _, c := range chips {
		if (c.Group == "more") == more {
			some = append(some, c)
		}
	}
	return some
}

// splitChips returns the chips outside of the menu "More", by group.
func splitChips(chips []Chip) (groups [][]Chip) {
	for _, c := range chipsOfGroup(chips, false) {
		if n := len(groups); n > 0 && groups[n-1][0].Group == c.Group {
			groups[n-1] = append(groups[n-1], c)
		} else {
			groups = append(groups, []Chip{c})
		}
	}
	return groups
}

// moreText returns the text of the menu of further filters: the one that is on.
func moreText(chips []Chip) string {
	for _, c := range chips {
		if c.On {
			return c.Text
		}
	}
	return "More"
}

func flagValue(on bool) string {
	if on {
		return "1"
	}
	return "0"
}

// by returns how sessions are grouped, as in the URL.
func (m SessionsModel) by() string {
	if m.ByDate {
		return "date"
	}
	return "project"
}
