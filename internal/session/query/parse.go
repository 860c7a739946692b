package query

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"sessiontree/internal/session/search"
)

// maxTerms is the maximum number of terms of a query.
const maxTerms = 64

// maxPatternLen is the maximum length of a regular expression, in bytes.
const maxPatternLen = 1000

// Parse parses the text of a query: words, "phrases", re:PATTERN and key:value filters.
// A word with another key, such as an address, is a word. Dates are in the zone of now.
// The error is an *Error.
func Parse(text string, now time.Time) (*Query, error) {
	q := &Query{Tokens: scanTokens(text)}
	for _, t := range q.Tokens {
		if err := q.addToken(t, now); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// keys are the keys of filters and of patterns.
var keys = []string{"agent", "project", "role", "tool", "label", "is", "after", "before", "re"}

// scanTokens splits text at white space outside of quotes. A quotation that does not end
// reaches to the end of the text.
func scanTokens(text string) []Token {
	var tokens []Token
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if unicode.IsSpace(r) {
			i += size
			continue
		}
		t := Token{Start: i}
		if key, _, ok := strings.Cut(text[i:], ":"); ok && slices.Contains(keys, key) {
			t.Key = key
			i += len(key) + 1
		}
		t.Value, i = scanValue(text, i)
		t.End = i
		tokens = append(tokens, t)
	}
	return tokens
}

// scanValue returns the value that starts at i, and its end. Within quotes, a backslash
// escapes a quote or a backslash.
func scanValue(text string, i int) (value string, end int) {
	if i >= len(text) || text[i] != '"' {
		end := i + strings.IndexFunc(text[i:]+" ", unicode.IsSpace)
		return text[i:end], end
	}
	var b strings.Builder
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' && i+1 < len(text) && (text[i+1] == '"' || text[i+1] == '\\') {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String(), min(i+1, len(text))
}

var quoter = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// Quote returns a value in quotes, as Parse reads it.
func Quote(value string) string { return `"` + quoter.Replace(value) + `"` }

// addToken adds the term or the filter of a token.
func (q *Query) addToken(t Token, now time.Time) error {
	if t.Key != "" && t.Value == "" {
		return &Error{Token: t, Reason: "has no value"}
	}
	switch t.Key {
	case "", "re":
		return q.addTerm(t)
	case "agent":
		q.Agents = append(q.Agents, foldName(t.Value))
	case "project":
		q.Projects = append(q.Projects, strings.TrimRight(search.FoldCase(t.Value), "/"))
	case "tool":
		q.Tools = append(q.Tools, search.FoldCase(t.Value))
	case "label":
		q.Labels = append(q.Labels, search.FoldCase(t.Value))
	case "role":
		return q.addRole(t)
	case "is":
		return q.addState(t)
	case "after", "before":
		return q.addDate(t, now)
	}
	return nil
}

func (q *Query) addRole(t Token) error {
	name := search.FoldCase(t.Value)
	roles, ok := roleAliases[name]
	if !ok && slices.Contains(Roles(), Role(name)) {
		roles, ok = []Role{Role(name)}, true
	}
	if !ok {
		return &Error{Token: t, Reason: "not a role: use " + joinRoles()}
	}
	q.Roles = append(q.Roles, roles...)
	return nil
}

func joinRoles() string {
	var names []string
	for _, r := range Roles() {
		names = append(names, string(r))
	}
	return strings.Join(names, ", ")
}

func (q *Query) addState(t Token) error {
	state := search.FoldCase(t.Value)
	kind := slices.Index(branchStates[:], state)
	switch {
	case kind >= 0:
		q.Branches = append(q.Branches, BranchKind(kind))
	case state == "failed":
		q.Failed = true
	case state == "live":
		q.Live = true
	case state == "starred":
		q.Starred = true
	default:
		return &Error{Token: t, Reason: "not a state: use failed, live, starred, current, abandoned or sub-agent"}
	}
	return nil
}

// addDate narrows the limits of time.
func (q *Query) addDate(t Token, now time.Time) error {
	at, ok := parseDate(t.Value, now)
	switch {
	case !ok:
		return &Error{Token: t, Reason: "not a date: use 2026-10-01, 2026-10, today, yesterday or 7d"}
	case t.Key == "after" && at.After(q.After):
		q.After = at
	case t.Key == "before" && (q.Before.IsZero() || at.Before(q.Before)):
		q.Before = at
	}
	return nil
}

// parseDate returns the first moment of a day, month, year or minute, or of the day that
// was some days or weeks ago ("7d", "2w").
func parseDate(value string, now time.Time) (time.Time, bool) {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	switch search.FoldCase(value) {
	case "today":
		return today, true
	case "yesterday":
		return today.AddDate(0, 0, -1), true
	}
	for _, layout := range []string{"2006-01-02", "2006-01", "2006", "2006-01-02T15:04", time.RFC3339} {
		if at, err := time.ParseInLocation(layout, value, now.Location()); err == nil {
			return at, true
		}
	}
	for unit, days := range map[string]int{"d": 1, "w": 7} {
		if count, ok := strings.CutSuffix(value, unit); ok {
			if n, err := strconv.ParseUint(count, 10, 12); err == nil {
				return today.AddDate(0, 0, -days*int(n)), true
			}
		}
	}
	return time.Time{}, false
}

// addTerm adds a word, a phrase or a regular expression.
func (q *Query) addTerm(t Token) error {
	if len(q.Terms) == maxTerms {
		return &Error{Token: t, Reason: "a query has at most " + strconv.Itoa(maxTerms) + " words"}
	}
	if t.Key == "" {
		if words := strings.Fields(search.FoldCase(t.Value)); len(words) > 0 {
			q.Terms = append(q.Terms, newTerm(words))
		}
		return nil
	}
	if len(t.Value) > maxPatternLen {
		return &Error{Token: t, Reason: "the pattern is too long"}
	}
	re, err := regexp.Compile(t.Value)
	if err != nil {
		reason, at := explainPatternError(t.Value, err)
		return &Error{Token: t, Reason: reason, Offset: at}
	}
	q.Terms = append(q.Terms, Term{re: re})
	return nil
}
