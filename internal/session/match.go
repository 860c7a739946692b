package session

import "strings"

// query is the words of a search, case folded.
type query []string

func parseQuery(s string) query { return strings.Fields(fold(s)) }

// fold lowers as ECMAScript does, where one capital becomes two letters.
func fold(s string) string { return strings.ToLower(strings.ReplaceAll(s, "İ", "i̇")) }

// Match reports whether every word of query occurs in the searchable text of p
// (label, role, text), case folded, by pi's rules.
func (t *Tree) Match(p Pos, query string) bool { return t.matches(p, parseQuery(query)) }

func (t *Tree) matches(p Pos, q query) bool {
	if len(q) == 0 {
		return true
	}
	text := fold(t.searchText(p))
	for _, word := range q {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// searchText joins what a search looks at.
func (t *Tree) searchText(p Pos) string {
	e := &t.entries[p]
	text := e.kindWords()
	if l, ok := t.Label(p); ok {
		text = l.Text + " " + text
	}
	return text
}

func (e *Entry) kindWords() string {
	switch e.Kind {
	case KindCompaction:
		return "compaction"
	case KindBranchSummary:
		return "branch summary " + e.Preview
	case KindCustomMessage:
		return e.Name + " " + e.Preview
	case KindModel:
		return "model " + e.Name
	case KindThinking:
		return "thinking " + e.Name
	case KindCustom:
		return "custom " + e.Name
	case KindLabel:
		return "label " + e.Preview
	case KindName:
		return "title " + e.Name
	case KindContextEdit:
		return "context edit " + e.Name + " " + e.Target
	case KindUnknown, KindUsage, KindReset, KindArchive, KindEvent:
		return e.Role + " " + e.Name
	}
	return e.Role + " " + e.Preview
}

// matcher decides which entries match a view's query.
func (t *Tree) matcher(v View) func(Pos) bool {
	q := parseQuery(v.Query)
	switch {
	case len(q) == 0:
		return nil
	case v.Hits != nil:
		return v.Hits
	}
	return func(p Pos) bool { return t.matches(p, q) }
}
