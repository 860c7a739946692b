package searchall

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/store"
	"sessiontree/internal/slowtest"
)

var ctx = context.Background()

// newSearcher returns a searcher of the sessions below dir.
func newSearcher(t testing.TB, dir string) *Searcher {
	t.Helper()
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	c := catalog.New(catalog.Config{Library: lib})
	if err := c.Fill(ctx); err != nil {
		t.Fatal(err)
	}
	titles := map[string]string{}
	for _, f := range format.All {
		titles[f.Name] = f.Title
	}
	return &Searcher{Library: lib, Catalog: c, TitleOfFormat: func(name string) string { return titles[name] }}
}

func parse(t testing.TB, text string) *query.Query {
	t.Helper()
	q, err := query.Parse(text, time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// runSearch returns the results of a query.
func runSearch(t testing.TB, s *Searcher, text string) (results []*Result) {
	t.Helper()
	err := s.Search(ctx, parse(t, text), func(e Event) error {
		if e.Result != nil {
			results = append(results, e.Result)
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return results
}

// describe returns one line per hit: session, branch, role, entry and snippet with marks.
func describe(results []*Result) (lines []string) {
	kinds := map[query.BranchKind]string{query.OnPath: "path", query.Abandoned: "abandoned", query.SubAgent: "agent"}
	for _, r := range results {
		for _, h := range r.Hits {
			b := r.Branches[h.Branch]
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %s %s: %s", r.Session.ID, kinds[b.Kind]+strings.TrimRight(" "+b.Title, " "), h.Role, h.Entry, withMarks(h.Snippet, h.Marks))))
		}
	}
	return lines
}

// withMarks returns a snippet with its marks in brackets.
func withMarks(snippet string, marks [][2]int) string {
	text := []rune(snippet)
	for _, m := range slices.Backward(marks) {
		text = slices.Insert(slices.Insert(text, m[1], ']'), m[0], '[')
	}
	return string(text)
}

func write(t testing.TB, path string, lines ...string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// entry returns a line of a pi session.
func entry(id, parent string, minute int, message string) string {
	up := "null"
	if parent != "" {
		up = `"` + parent + `"`
	}
	return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":"2026-11-20T10:%02d:00.000Z","message":%s}`, id, up, minute, message)
}

func header(id string) string {
	return fmt.Sprintf(`{"type":"session","version":3,"id":%q,"timestamp":"2026-11-20T10:00:00.000Z","cwd":"/src/shop"}`, id)
}

// branchedSession is a session with an abandoned branch, a failed call and a label.
func branchedSession() []string {
	return []string{
		header("s1"),
		entry("u1", "", 1, `{"role":"user","content":"Add a file\n  watcher, please"}`),
		entry("a1", "u1", 2, `{"role":"assistant","model":"m","content":[{"type":"thinking","thinking":"the watcher is easy"},{"type":"text","text":"Use fs.watch()"},{"type":"toolCall","id":"c1","name":"bash","arguments":{"command":"npm test","watcher":1}}]}`),
		entry("r1", "a1", 3, `{"role":"toolResult","toolCallId":"c1","toolName":"bash","isError":true,"content":[{"type":"text","text":"ENOSPC: too many file watchers"}]}`),
		entry("u2", "u1", 4, `{"role":"user","content":"Use a \u0046ile WATCHER from npm, path a/b"}`),
		entry("a2", "u2", 5, `{"role":"assistant","model":"m","content":[{"type":"text","text":"Über den Wächter: chokidar"}]}`),
		`{"type":"label","id":"l1","parentId":"a2","timestamp":"2026-11-20T10:06:00.000Z","targetId":"a2","label":"good watcher"}`,
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "s1.jsonl"), branchedSession()...)
	write(t, filepath.Join(dir, "s0.jsonl"), header("s0"), entry("x1", "", 0, `{"role":"user","content":"nothing to see"}`))
	s := newSearcher(t, dir)
	for text, want := range map[string][]string{
		`watcher`: {
			"s1 path prompt u1: Add a file [watcher], please",
			"s1 path prompt u2: Use a File [WATCHER] from npm, path a/b",
			"s1 path label a2: good [watcher]",
			"s1 abandoned Use fs.watch() thinking a1: the [watcher] is easy",
			"s1 abandoned Use fs.watch() output r1: ENOSPC: too many file [watcher]s",
		},
		`"file watcher"`: {
			"s1 path prompt u1: Add a [file watcher], please",
			"s1 path prompt u2: Use a [File WATCHER] from npm, path a/b",
			"s1 abandoned Use fs.watch() output r1: ENOSPC: too many [file watcher]s",
		},
		`watcher role:thinking`:       {"s1 abandoned Use fs.watch() thinking a1: the [watcher] is easy"},
		`watcher is:failed tool:bash`: {"s1 abandoned Use fs.watch() output r1: ENOSPC: too many file [watcher]s"},
		`is:failed`:                   {"s1 abandoned Use fs.watch() output r1: ENOSPC: too many file watchers"},
		`tool:bash role:input`:        {"s1 abandoned Use fs.watch() input a1: bash npm test 1"},
		`re:fs\.watch\(\)`:            {"s1 abandoned Use fs.watch() answer a1: Use [fs.watch()]"},
		`WÄCHTER`:                     {"s1 path answer a2: Über den [Wächter]: chokidar"},
		`a/b`:                         {"s1 path prompt u2: Use a File WATCHER from npm, path [a/b]"},
		`label:good`:                  {"s1 path label a2: good watcher"},
		`watcher project:other`:       nil,
		`watcher agent:claude`:        nil,
		`watcher after:2026-11-21`:    nil,
		`command`:                     nil, // a key
		`toolCall`:                    nil,
		`is:abandoned npm`:            {"s1 abandoned Use fs.watch() input a1: bash [npm] test 1"},
		`too many file ENOSPC`:        {"s1 abandoned Use fs.watch() output r1: [ENOSPC]: [too] [many] [file] watchers"},
	} {
		if diff := cmp.Diff(want, describe(runSearch(t, s, text))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// A fork records the entries again: they are hits of one session only.
func TestSearch_Copies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	lines := branchedSession()
	write(t, filepath.Join(dir, "s1.jsonl"), lines...)
	fork := append([]string{strings.Replace(header("s2"), `"cwd"`, `"parentSession":"s1.jsonl","cwd"`, 1)}, lines[1:4]...)
	write(t, filepath.Join(dir, "s2.jsonl"), append(fork, entry("u9", "r1", 30, `{"role":"user","content":"one more watcher"}`))...)
	results := runSearch(t, newSearcher(t, dir), "watcher")
	hits, copies := map[string]int{}, 0
	for _, r := range results {
		copies += len(r.Copies)
		for _, c := range r.Copies {
			if c.Key != results[0].Session.Key {
				t.Errorf("a copy of %s is said to be in %s, want %s", c.Entry, c.Key, results[0].Session.Key)
			}
		}
		for _, h := range r.Hits {
			hits[h.Entry]++
		}
	}
	if want := map[string]int{"u1": 1, "a1": 1, "r1": 1, "u2": 1, "a2": 1, "u9": 1}; !cmp.Equal(hits, want) || copies != 3 {
		t.Errorf("hits %v and %d copies, want %v and 3", hits, copies, want)
	}
}

// A search finds what a decoder of every entry finds, in sessions of every format.
func TestSearch_IsNaiveSearch(t *testing.T) {
	slowtest.SkipIfShortOutsideCI(t)
	t.Parallel()
	s := newSearcher(t, filepath.Join("..", "..", "..", "testdata"))
	queries := []string{"the", "test", "read file", `"the file"`, "re:[A-Z]{3}", "is:failed", "tool:bash", "role:prompt the", "is:abandoned", "é", "agent:claude the", `agent:"Claude Code" is:failed`, "label:a", "before:2026-01-01 the", "zzz"}
	for _, text := range queries {
		want := searchNaively(t, s, parse(t, strings.Replace(text, `"Claude Code"`, "claude", 1)))
		if diff := cmp.Diff(want, foundEntries(t, s, text)); diff != "" {
			t.Errorf("%s (-naive +got):\n%s", text, diff)
		}
		t.Logf("%s: %d", text, len(want))
	}
}

// searchNaively decodes every entry of every session.
func searchNaively(t *testing.T, s *Searcher, q *query.Query) map[string]bool {
	found, listed := map[string]bool{}, map[string]bool{}
	for _, sum := range s.Catalog.Sessions() {
		listed[sum.Path] = true
	}
	for _, sum := range s.Catalog.Sessions() {
		sess, err := s.Library.Open(ctx, sum.Path)
		if err != nil || !q.HasAgent(sum.Format, "") || !q.HasProject(sum.Cwd) {
			continue
		}
		m := &matcher{q: q}
		var ps []session.Pos
		sess.ReadTree(func(tree *session.Tree, _ store.Revision) {
			branches := newBranchFinder(tree)
			for p := range session.Pos(tree.Len()) {
				file := sess.Files()[tree.At(p).Span.File] // one tree can have the files of several listed sessions
				if (file == sum.Path || !listed[file]) && m.passesFilters(tree, p, branches) {
					ps = append(ps, p)
				}
			}
			m.addEntries(tree, ps, branches)
		})
		for i, p := range ps {
			body, err := sess.ReadBody(ctx, p)
			if err != nil && !errors.Is(err, session.ErrInvalid) {
				body = session.Body{}
			}
			if f, ok := m.bestField(listFields(&m.entries[i].entry, m.entries[i].label, &body)); ok {
				found[m.entries[i].entry.ID+" "+string(f.role)] = true
			}
		}
	}
	return found
}

// A search ends when its context or its receiver does.
func TestSearch_Ends(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i := range 50 {
		id := fmt.Sprintf("s%d", i)
		write(t, filepath.Join(dir, id+".jsonl"), header(id), entry("u"+id, "", 1, `{"role":"user","content":"word"}`))
	}
	s, stopped := newSearcher(t, dir), errors.New("stopped")
	if err := s.Search(ctx, parse(t, "word"), func(Event) error { return stopped }); !errors.Is(err, stopped) {
		t.Errorf("the search ended with %v", err)
	}
	canceled, cancel := context.WithCancel(ctx)
	err := s.Search(canceled, parse(t, "word"), func(Event) error {
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the canceled search ended with %v", err)
	}
}

// An open session that is rewritten during a search is searched again or left out, and no
// hit is of another entry.
func TestSearch_RewrittenMeanwhile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "s.jsonl")
	long := []string{header("s")}
	for i := range 300 {
		long = append(long, entry(fmt.Sprintf("u%d", i), "", i%60, fmt.Sprintf(`{"role":"user","content":"word u%d"}`, i)))
	}
	write(t, path, long...)
	s := newSearcher(t, dir)
	sess, err := s.Library.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			write(t, path, slices.Concat(long[:1], long[1+i%200:][:1+i%100])...)
			_, _ = sess.Refresh(ctx)
		}
	}()
	for range 100 {
		for _, r := range runSearch(t, s, "word") {
			for _, h := range r.Hits {
				if h.Snippet != "word "+h.Entry {
					t.Errorf("the hit %s has the snippet %q", h.Entry, h.Snippet)
				}
			}
		}
	}
	close(stop)
	<-stopped
}
