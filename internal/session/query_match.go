package session

import "strings"

// query is the words of a search, case folded.
type query []string

func parseQuery(s string) query { return strings.Fields(foldLikeECMAScript(s)) }

// foldLikeECMAScript lowers case as ECMAScript does, where one capital becomes two
// letters.
func foldLikeECMAScript(s string) string { return strings.ToLower(strings.ReplaceAll(s, "İ", "i̇")) }

// MatchesQuery reports whether every word of query occurs in the searchable text of p
// (label, role, text), case folded, by pi's rules.
func (t *Tree) MatchesQuery(p Pos, query string) bool { return t.matchesWords(p, parseQuery(query)) }

func (t *Tree) matchesWords(p Pos, q query) bool {
	return len(q) == 0 || q.matchesText(t.labelText(p)+" "+t.entries[p].searchText())
}

func (q query) matchesText(text string) bool {
	text = foldLikeECMAScript(text)
	for _, word := range q {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

func (t *Tree) labelText(p Pos) string {
	l, _ := t.Label(p)
	return l.Text
}

// searchText returns the text that a search looks at besides the label.
func (e *Entry) searchText() string {
	switch e.Kind {
	case KindCompaction:
		return "compaction"
	case KindBranchSummary:
		return "branch summary " + e.Preview
	case KindCustomMessage:
		return e.CustomType() + " " + e.Preview
	case KindModel:
		return "model " + e.ModelID()
	case KindThinking:
		return "thinking " + e.ThinkingLevel()
	case KindCustom:
		return "custom " + e.CustomType()
	case KindLabel:
		return "label " + e.Preview
	case KindName:
		return "title " + e.SessionName()
	case KindContextEdit:
		return "context edit " + e.Name + " " + e.Target()
	case KindUnknown, KindUsage, KindReset, KindArchive, KindEvent:
		return e.Role + " " + e.Name
	}
	return e.Role + " " + e.Preview
}

// entryMatcher returns a function that reports which entries match a view's query. The
// outline layout matches as pi 0.58.3 does, which searches only the label of types for
// which it has no words.
func (t *Tree) entryMatcher(v View) func(Pos) bool {
	q := parseQuery(v.Query)
	switch {
	case len(q) == 0:
		return nil
	case v.MatchesEntry != nil:
		return v.MatchesEntry
	case v.Layout == LayoutSpine:
		return func(p Pos) bool { return t.matchesWords(p, q) }
	}
	return func(p Pos) bool {
		if e := t.At(p); e.Kind.IsUnworded() || e.Kind == KindName {
			return q.matchesText(t.labelText(p))
		}
		return t.matchesWords(p, q)
	}
}
