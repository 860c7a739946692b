package session

import "strings"

// Query is the words of a search, case folded.
type Query []string

// ParseQuery returns the words of a text.
func ParseQuery(s string) Query { return strings.Fields(foldLikeECMAScript(s)) }

// foldLikeECMAScript lowers case as ECMAScript does, where one capital becomes two
// letters.
func foldLikeECMAScript(s string) string { return strings.ToLower(strings.ReplaceAll(s, "İ", "i̇")) }

// MatchesQuery reports whether every word of q occurs in the searchable text of p (label,
// role, text), case folded, by pi's rules.
func (t *Tree) MatchesQuery(p Pos, q Query) bool {
	if len(q) == 0 {
		return true
	}
	l, _ := t.Label(p)
	return q.MatchesText(l.Text + " " + t.entries[p].searchText())
}

// MatchesText reports whether every word of q occurs in text.
func (q Query) MatchesText(text string) bool {
	text = foldLikeECMAScript(text)
	for _, word := range q {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// searchText returns the text of an entry that is searched together with its label.
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
