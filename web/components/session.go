package components

import (
	"net/url"
	"strconv"

	"github.com/a-h/templ"
)

// hiddenFields returns the parts of the view that the search form has to preserve.
func (v ViewState) hiddenFields() []Pair {
	var out []Pair
	for _, p := range []Pair{
		{"entry", v.Entry}, {"leaf", v.Leaf}, {"filter", v.Filter}, {"layout", v.Layout}, {"root", v.Root}, {"open", v.Open},
	} {
		if p.Value != "" {
			out = append(out, p)
		}
	}
	return out
}

// hasNoHits reports whether there is a query without matches.
func (m SessionModel) hasNoHits() bool { return m.View.Query != "" && m.Facts.Hits == 0 }

// allFilterChip returns the filter that hides nothing, or nil if it is on.
func (m SessionModel) allFilterChip() *Chip {
	for i, c := range m.Filters {
		if c.Name == "all" && !c.On {
			return &m.Filters[i]
		}
	}
	return nil
}

func entriesNoun(count string) string {
	if count == "1" {
		return "entry"
	}
	return "entries"
}

// spentText returns the cost of the path and of the session.
func spentText(s Spent) string {
	if s.Path == s.Total {
		return s.Total
	}
	return s.Path + " of " + s.Total
}

// leftShareText returns the share of a session's cost: " (17%)".
func leftShareText(s Spent) string {
	if s.LeftShare == "" {
		return ""
	}
	return " (" + s.LeftShare + ")"
}

func modelText(f Facts) string {
	if f.Thinking == "" || f.Thinking == "off" {
		return f.Model
	}
	return f.Model + ", thinking " + f.Thinking
}

func pathLabel(atLeaf bool) string {
	if atLeaf {
		return "Path to the current leaf"
	}
	return "Path of another branch"
}

// compactionAttributes returns the time of a compaction for the command palette.
func compactionAttributes(t Tick) templ.Attributes {
	if t.Class != "compaction" {
		return nil
	}
	return templ.Attributes{"data-compaction-time": t.Time.ISO}
}

// tickStartX returns the left end of a tick. Prompts have shorter ticks.
func tickStartX(class string) string {
	if class == "prompt" {
		return "10"
	}
	return "6"
}

// refetchAttributes returns when the script has to request the banners again.
func refetchAttributes(b Banner) templ.Attributes {
	if b.RefetchAfter == 0 {
		return nil
	}
	return templ.Attributes{"data-refresh-after": strconv.Itoa(b.RefetchAfter)}
}

// panelName returns the panel that takes the place of the path, "" for none.
func panelName(m SessionModel) string {
	if m.Panel == nil {
		return ""
	}
	return "branches"
}

// moreAction returns what the button at the end of the bottom bar opens.
func moreAction(hasActions bool) string {
	if hasActions {
		return "actions"
	}
	return "palette"
}

// mapHref returns the URL of the map with the viewed path.
func mapHref(m SessionModel) string {
	if m.View.AtLeaf || m.View.Leaf == "" {
		return m.View.Base + "/map"
	}
	return m.View.Base + "/map?" + url.Values{"leaf": {m.View.Leaf}}.Encode()
}

// layoutIcons are the icons of the layouts of the tree.
var layoutIcons = map[string]string{"spine": "fork", "outline": "list"}
