package query_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"sessiontree/internal/session/query"
)

// now is a Tuesday in a zone that is not UTC.
var now = time.Date(2026, 11, 24, 15, 30, 0, 0, time.FixedZone("here", 3600))

func parse(t testing.TB, text string) *query.Query {
	t.Helper()
	q, err := query.Parse(text, now)
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return q
}

func TestParse_Tokens(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, tokens string }{
		{"", ""},
		{"  two\twords ", "[two] [words]"},
		{`"a phrase" next`, "[a phrase] [next]"},
		{`"never ends`, "[never ends]"},
		{`"with \" and \\ in it"`, `[with " and \ in it]`},
		{`tool:bash label:"to do" http://x/y`, "tool[bash] label[to do] [http://x/y]"},
		{`re:a.*b re:"x y"`, "re[a.*b] re[x y]"},
		{"note:this is:failed", "[note:this] is[failed]"},
	} {
		var tokens []string
		for _, token := range parse(t, c.text).Tokens {
			tokens = append(tokens, token.Key+"["+token.Value+"]")
		}
		if got := strings.Join(tokens, " "); got != c.tokens {
			t.Errorf("Parse(%q) = %s, want %s", c.text, got, c.tokens)
		}
	}
}

// A quoted value is read as it was.
func TestQuote(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		value := rapid.OneOf(rapid.StringMatching(`[a"\\ ]+`), rapid.StringN(1, 8, -1)).Draw(rt, "value")
		q, err := query.Parse("tool:"+query.Quote(value)+" is:failed", now)
		if err != nil || len(q.Tokens) != 2 || q.Tokens[0].Value != value || !q.Failed {
			rt.Fatalf("%q is read as %+v, %v", value, q, err)
		}
	})
}

func TestParse_Errors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, reason string
		start, end   int
	}{
		{"word role:", "has no value", 5, 10},
		{"role:nobody", "not a role", 0, 11},
		{"is:fine", "not a state: use failed", 0, 7},
		{"after:soon", "not a date", 0, 10},
		{"x re:a( y", "the ( is never closed", 2, 7},
		{"re:" + strings.Repeat("x", 2000), "too long", 0, 2003},
		{strings.Repeat("w ", 70), "at most 64", 128, 129},
	} {
		_, err := query.Parse(c.text, now)
		var e *query.Error
		if !errors.As(err, &e) {
			t.Errorf("Parse(%.40q) = %v, want an Error", c.text, err)
		} else if !strings.Contains(e.Reason, c.reason) || e.Token.Start != c.start || e.Token.End != c.end {
			t.Errorf("Parse(%.40q): %q from %d to %d, want %q from %d to %d", c.text, e.Reason, e.Token.Start, e.Token.End, c.reason, c.start, c.end)
		}
	}
}

func TestParse_PatternErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, reason string
		offset          int
	}{
		{`fs\.watch(File`, "the ( is never closed", 9},
		{`(a)(b[(]\(`, "the ( is never closed", 3},
		{`(a))b`, "the ) has no (", 3},
		{`a[b`, "the [ is never closed", 1},
		{`+a`, "nothing to repeat", 0},
		{`ab\`, `nothing after the last \`, 2},
		{`a\8b`, `invalid escape sequence: \8`, 1},
	} {
		_, err := query.Parse("re:"+c.pattern, now)
		var e *query.Error
		if !errors.As(err, &e) || e.Reason != c.reason || e.Offset != c.offset {
			t.Errorf("%s: %+v, want %q at %d", c.pattern, err, c.reason, c.offset)
		}
	}
}

func TestQuery_HasTime(t *testing.T) {
	t.Parallel()
	at := func(s string) time.Time {
		v, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, c := range []struct {
		text, at string
		want     bool
	}{
		{"word", "2020-01-01T00:00:00Z", true},
		{"after:2026-10-01", "2026-09-30T23:00:00Z", true}, // midnight in the zone
		{"after:2026-10-01", "2026-09-30T22:59:59Z", false},
		{"before:2026-10", "2026-09-30T22:59:59Z", true},
		{"before:2026-10", "2026-09-30T23:00:00Z", false},
		{"after:2026 before:2026-02", "2026-01-31T22:59:00Z", true},
		{"after:today", "2026-11-23T23:00:00Z", true},
		{"after:yesterday before:today", "2026-11-23T22:59:00Z", true},
		{"after:7d", "2026-11-16T23:00:00Z", true},
		{"after:1w", "2026-11-16T22:00:00Z", false},
		{"after:2026-01-01 after:2026-02-01", "2026-01-15T00:00:00Z", false},
	} {
		if got := parse(t, c.text).HasTime(at(c.at)); got != c.want {
			t.Errorf("%q includes %s: %t, want %t", c.text, c.at, got, c.want)
		}
	}
	if parse(t, "after:2026").HasTime(time.Time{}) {
		t.Error("an entry without a time is after a date")
	}
}

func TestQuery_Filters(t *testing.T) {
	t.Parallel()
	q := parse(t, "tool:Bash tool:edit role:user agent:oh-my-pi agent:\"Some Agent\" project:Shop label:TODO is:failed is:live is:starred is:abandoned is:sub-agent")
	for what, ok := range map[string]bool{
		"tool bash":          q.HasTool("bash") && q.HasTool("Edit") && !q.HasTool("read"),
		"role of a prompt":   q.HasRole(query.RolePrompt) && !q.HasRole(query.RoleAnswer),
		"agent":              q.HasAgent("x", "Oh-My-Pi") && q.HasAgent("some-agent", "") && !q.HasAgent("y", "My Pi"),
		"project by name":    q.HasProject("/home/me/shop") && q.HasProject(`C:\src\Shop`) && !q.HasProject("/home/me/shop/x"),
		"part of a label":    q.HasLabel("a todo") && !q.HasLabel("done"),
		"states":             q.Failed && q.Live && q.Starred,
		"branches":           q.HasBranch(query.Abandoned) && q.HasBranch(query.SubAgent) && !q.HasBranch(query.OnPath),
		"every branch":       parse(t, "word").HasBranch(query.OnPath) && parse(t, "is:current").HasBranch(query.OnPath),
		"a path of projects": parse(t, "project:/home/me").HasProject("/home/me/shop") && !parse(t, "project:/home/me").HasProject("/home/mean"),
	} {
		if !ok {
			t.Errorf("%s is wrong", what)
		}
	}
}

func TestTerm_Matches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query, text string
		want        bool
		found       string
	}{
		{"watcher", "File WATCHER here", true, "WATCHER"},
		{"watcher", "watch er", false, ""},
		{`"file watcher"`, "a File\n\t watcher", true, "File\n\t watcher"},
		{`"file watcher"`, "file of a watcher", false, ""},
		{"STRASSE", "Straße", false, ""},
		{"ÜBER", "über", true, "über"},
		{"σ", "ΣΑΣ", true, "Σ"},
		{"a.b", "axb", false, ""},
		{"re:a.b", "axb", true, "axb"},
		{"re:(?i)error|fail", "It FAILED", true, "FAIL"},
		{"re:x*", "none", true, ""},
	} {
		term := &parse(t, c.query).Terms[0]
		if got := term.Matches(c.text); got != c.want {
			t.Errorf("%s matches %q: %t, want %t", c.query, c.text, got, c.want)
		}
		found := ""
		if places := term.FindAll(c.text, 1); len(places) > 0 {
			found = c.text[places[0][0]:places[0][1]]
		}
		if found != c.found {
			t.Errorf("%s finds %q in %q, want %q", c.query, found, c.text, c.found)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"a b", `"`, "re:[", `label:"x`, "after:2026 \xff", "is:"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := query.Parse(text, now)
		if err != nil {
			return
		}
		end := 0
		for _, token := range q.Tokens {
			if token.Start < end || token.End <= token.Start || token.End > len(text) {
				t.Fatalf("tokens of %q: %+v", text, q.Tokens)
			}
			end = token.End
		}
	})
}
