package store_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

func TestSearch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	long := strings.Repeat("nothing here ", 400)
	write(t, path, header,
		user("u1", "", "Hello World"),
		user("u2", "u1", long+"Deep in the Text\ttab \"quoted\" C:\\path a/b"),
		message("t1", "u2", "toolResult", long+"tool OUTPUT \x1b[31mred\x1b[0m"),
		user("u3", "t1", "Grüße ÉCOLE 日本語 🙂"),
		strings.ReplaceAll(user("u4", "u3", "escaped grüße"), "ü", `\u00fc`),
		label("l1", "u4", "u1", "Bookmark"),
		`{"type":"message","id":"a1","parentId":"l1","timestamp":"2026-01-02T03:04:06.000Z","message":{"role":"assistant","content":[{"type":"thinking","thinking":"pondering"},{"type":"toolCall","id":"c1","name":"edit","arguments":{"path":"x.go","edits":[{"old\u0041":"before"},{"n":4711}]}}],"stopReason":"toolUse"}}`+"\n",
	)
	s := open(t, path)
	for query, want := range map[string]string{
		"":                 "",
		"  \t\n":           "",
		"hello":            "u1",
		"HELLO world":      "u1",
		"world bookmark":   "u1",
		"bookmark":         "u1 l1",
		"deep text":        "u2",
		`"quoted"`:         "u2",
		`c:\path`:          "u2",
		"a/b tab":          "u2",
		"output":           "t1",
		"red":              "t1",
		"toolresult":       "t1",
		"école":            "u3",
		"ÉCOLE grüsse":     "",
		"GRÜSSE":           "",
		"GRÜßE":            "u3 u4",
		"escaped grüße":    "u4",
		"日本":               "u3",
		"🙂":                "u3",
		"ponder edit":      "a1",
		"before 4711 x.go": "a1",
		"hello absent":     "",
		"user":             "u1 u2 u3 u4",
	} {
		hits, err := s.Search(ctx, query)
		if err != nil {
			t.Fatalf("Search(%q): %v", query, err)
		}
		if got := idsAt(s, hits); got != want {
			t.Errorf("Search(%q) = %q, want %q", query, got, want)
		}
	}
	if _, err := s.Search(ctx, strings.Repeat("a ", 65)); !errors.Is(err, session.ErrInvalid) {
		t.Errorf("Search for 65 words = %v", err)
	}
	cancelled, cancel := contextCancelled()
	defer cancel()
	if _, err := s.Search(cancelled, "hello"); !errors.Is(err, cancelled.Err()) {
		t.Errorf("cancelled Search = %v", err)
	}
}

func idsAt(s *store.Session, ps []session.Pos) string {
	var out []string
	s.ReadTree(func(tree *session.Tree, _ store.Revision) {
		for _, p := range ps {
			out = append(out, tree.At(p).ID)
		}
	})
	return strings.Join(out, " ")
}

func TestSearch_AfterARewriteIsStale(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	write(t, path, header, user("u1", "", strings.Repeat("x", 300)+"needle"))
	s := open(t, path)
	write(t, path, header, user("v1", "", strings.Repeat("x", 300)+"needle"))
	if _, err := s.Search(ctx, "needle"); !errors.Is(err, session.ErrStale) {
		t.Fatalf("Search = %v, want ErrStale", err)
	}
	if hits, err := s.Search(ctx, "needle"); err != nil || idsAt(s, hits) != "v1" {
		t.Errorf("Search = %q, %v", idsAt(s, hits), err)
	}
}

// TestSearch_FindsWhateverIsWritten searches for words of texts in every JSON encoding.
// The result must equal that of decoding every body.
func TestSearch_FindsWhateverIsWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	text := rapid.StringOfN(rapid.SampledFrom([]rune("abkiKI \"\\/\n\té\u00c9ßüÜ日İ\u212a\u017f<&🙂0.")), 0, 30, -1)
	rapid.Check(t, func(r *rapid.T) {
		texts := rapid.SliceOfN(text, 1, 8).Draw(r, "texts")
		lines := []string{header}
		for i, text := range texts {
			line := user(fmt.Sprintf("e%d", i), "", strings.Repeat("-", 250)+" "+text)
			if rapid.Bool().Draw(r, "escape") {
				line = escapeAll(line)
			}
			lines = append(lines, line)
		}
		write(t, path, lines...)
		s := open(t, path)
		from := []rune(rapid.SampledFrom(texts).Draw(r, "from"))
		start := rapid.IntRange(0, len(from)).Draw(r, "start")
		query := string(from[start:rapid.IntRange(start, len(from)).Draw(r, "end")])
		if rapid.Bool().Draw(r, "upper") {
			query = strings.ToUpper(query)
		}
		got, err := s.Search(ctx, query)
		if err != nil {
			r.Fatal(err)
		}
		if want := searchAll(r, s, query); !slices.Equal(got, want) {
			r.Fatalf("Search(%q) = %v, want %v", query, got, want)
		}
	})
}

// escapeAll escapes every non-ASCII letter, and slashes.
func escapeAll(line string) string {
	var b strings.Builder
	for _, r := range line {
		switch {
		case r == '/':
			b.WriteString(`\/`)
		case r < 0x80:
			b.WriteRune(r)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04X`, hi, lo)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// searchAll decodes every body.
func searchAll(r *rapid.T, s *store.Session, query string) (found []session.Pos) {
	words := strings.Fields(foldSimply(query))
	for p := range session.Pos(len(strings.Fields(ids(s)))) {
		body, err := s.ReadBody(ctx, p)
		if err != nil {
			r.Fatal(err)
		}
		text := foldSimply(body.Blocks[0].Text)
		if len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) && !strings.Contains("user", w) }) {
			found = append(found, p)
		}
	}
	return found
}

func foldSimply(s string) string {
	return strings.Map(func(r rune) rune {
		if r == 'İ' || r == '\u212a' {
			return r
		}
		return []rune(strings.ToLower(string(r)))[0]
	}, s)
}
