package outline

import (
	"fmt"
	"strings"

	"sessiontree/internal/session"
)

// Filter decides which entries get a row.
type Filter uint8

// The filters, in the order of the interface.
const (
	FilterDefault Filter = iota
	FilterNoTools
	FilterUserOnly
	FilterLabeledOnly
	FilterFailed // failed tool calls, with the prompts and the leaf
	FilterAll
)

var filterNames = [...]string{"default", "no-tools", "user-only", "labeled-only", "failed", "all"}

func (f Filter) String() string { return filterNames[f] }

// ParseFilter parses a filter's name; "" is FilterDefault.
func ParseFilter(s string) (Filter, error) {
	if s == "" {
		return FilterDefault, nil
	}
	for i, n := range filterNames {
		if n == s {
			return Filter(i), nil
		}
	}
	return 0, fmt.Errorf("%w: unknown filter %q; valid filters: %s", session.ErrInvalid, s, strings.Join(filterNames[:], ", "))
}

// Layout decides how rows are ordered and indented.
type Layout uint8

// LayoutSpine keeps the path to the leaf in lane 0 and gives other branches further
// lanes. LayoutOutline is pi's own order and indentation.
const (
	LayoutSpine Layout = iota
	LayoutOutline
)

func (l Layout) String() string {
	if l == LayoutOutline {
		return "outline"
	}
	return "spine"
}

// ParseLayout parses a layout's name; "" is LayoutSpine.
func ParseLayout(s string) (Layout, error) {
	switch s {
	case "", "spine":
		return LayoutSpine, nil
	case "outline":
		return LayoutOutline, nil
	}
	return 0, fmt.Errorf("%w: unknown layout %q; valid layouts: %s and %s", session.ErrInvalid, s, LayoutSpine, LayoutOutline)
}

// View is everything that decides which rows are visible. It is a plain value: it is
// read from a URL or the command line and is the key of a cache.
type View struct {
	Leaf   session.Pos // end of the viewed path; NoPos = before the first entry
	Entry  session.Pos // the selected entry, NoPos when none
	Filter Filter
	Layout Layout
	Query  string
	// Open holds the branches, by the id of their head, whose state differs from the
	// default. Spine: a branch is closed unless the selected entry is in it; folded
	// bookkeeping, by the id of its first line, is closed. Outline: everything is open,
	// false folds.
	Open map[string]bool
	// Root is the id of the entry that the rows start with, in lane 0 (spine). "" or an
	// unknown id: all roots.
	Root string
	// DefaultOpen opens every branch by default (spine).
	DefaultOpen bool
	// OpenAll opens every branch and every folded group, whatever Open says (spine).
	OpenAll bool
	// MatchesEntry, if set, decides which entries match Query, in place of
	// Tree.MatchesQuery.
	MatchesEntry func(session.Pos) bool
}
