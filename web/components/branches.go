package components

import "github.com/a-h/templ"

// countText returns how many branches pass the filter: "2 of 63", "" if all do.
func (m BranchRowsModel) countText() string {
	if m.Total == m.Count {
		return ""
	}
	return FormatCount(m.Total) + " of " + FormatCount(m.Count)
}

func ariaSort(c BranchColumn) templ.Attributes {
	if c.Sort == "" {
		return nil
	}
	return templ.Attributes{"aria-sort": c.Sort}
}

// sortedColumn returns the column by which the list is sorted.
func sortedColumn(columns []BranchColumn) BranchColumn {
	for _, c := range columns {
		if c.Sort != "" {
			return c
		}
	}
	return BranchColumn{}
}

// branchPlace describes where a branch is in the session.
func branchPlace(r BranchRow) string {
	return "from " + formatPermille(r.From) + " to " + formatPermille(r.To)
}
