package components

import "github.com/a-h/templ"

// rowAttributes returns the attributes that only some rows have.
func rowAttributes(r RowModel) templ.OrderedAttributes {
	var a templ.OrderedAttributes
	add := func(key, value string) { a = append(a, templ.KeyValue[string, any]{Key: key, Value: value}) }
	if r.Expanded >= 0 {
		add("aria-expanded", boolAttr(r.Expanded == 1))
	}
	if r.Current {
		add("aria-current", "true")
	}
	return a
}

func labelTitle(label string, at Time) string {
	if at.Text == "" {
		return label
	}
	return label + ", set " + at.Text
}

func countNoun(r RowModel) string {
	switch {
	case r.Class != "branch" && r.Count == 1:
		return "line"
	case r.Class != "branch":
		return "lines"
	case r.Count == 1:
		return "entry"
	}
	return "entries"
}

func rowLinkClass(r RowModel) string {
	return appendIf("row-link", r.Class == "branch", "row-link--fork")
}
