package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/store"
	"sessiontree/internal/slowtest"
)

// TestLinearProject_IsAFreshLoad runs several agents with linear transcripts in one
// directory: they write, start sub-agents, which write before their calls are recorded,
// and rewind. Each followed session must always equal one opened now.
func TestLinearProject_IsAFreshLoad(t *testing.T) {
	t.Parallel()
	slowtest.SkipIfShort(t)
	rapid.Check(t, func(r *rapid.T) {
		root, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			r.Fatal(err)
		}
		p := &linearProject{t: t, r: r, dir: filepath.Join(root, "home-dev-my-shop"), state: filepath.Join(root, "state"), clock: time.Now().Add(-24 * time.Hour)}
		p.begin()
		r.Repeat(map[string]func(*rapid.T){
			"session begins": func(r *rapid.T) {
				if len(p.sessions) < 3 {
					p.begin()
				}
			},
			"message":  func(r *rapid.T) { p.append(p.session(r), p.recordedLines("user", p.words(r))) },
			"subagent": func(r *rapid.T) { p.spawn(r) },
			"subagent goes on": func(r *rapid.T) {
				if len(p.agents) > 0 {
					p.append(rapid.SampledFrom(p.agents).Draw(r, "agent"), p.recordedLines("assistant", "done"))
				}
			},
			"turn ends": func(r *rapid.T) {
				s := p.session(r)
				p.append(s, s.pending...)
				s.pending = nil
			},
			"rewind": func(r *rapid.T) {
				s := p.session(r)
				s.lines = s.lines[:rapid.IntRange(1, len(s.lines)).Draw(r, "to")]
				if len(s.lines) > 1 && strings.Contains(s.lines[0], "metadata") {
					s.lines = s.lines[1:]
				}
				p.write(s)
			},
			"": func(r *rapid.T) { p.check(r) },
		})
	})
}

// linearProject is a directory of sessions. Its clock gives the times of lines and
// files.
type linearProject struct {
	t          *testing.T
	r          *rapid.T
	dir, state string
	clock      time.Time
	n          int
	sessions   []*linearFile
	agents     []*linearFile
}

// linearFile is one file with the lines that its agent has not saved yet.
type linearFile struct {
	path           string
	lines, pending []string
	s              *store.Session
}

func (p *linearProject) now() string {
	p.clock = p.clock.Add(time.Duration(rapid.SampledFrom([]int{1, 3, 60, 4000}).Draw(p.r, "seconds")) * time.Second)
	return p.clock.UTC().Format("2006-01-02T15:04:05.000Z")
}

func (p *linearProject) recordedLines(role, text string) string {
	p.n++
	return fmt.Sprintf(`{"timestamp":%q,"id":"m%d","role":%q,"blocks":[{"type":"text","content":%q}]}`+"\n", p.now(), p.n, role, text)
}

func (p *linearProject) words(r *rapid.T) string {
	return rapid.SampledFrom([]string{"Look for leaks in the cart", "Read the history of the shop", "short"}).Draw(r, "words")
}

func (p *linearProject) session(r *rapid.T) *linearFile {
	return rapid.SampledFrom(p.sessions).Draw(r, "session")
}

func (p *linearProject) library() *store.Library {
	return libraryWith(p.t, store.Config{Roots: []string{p.dir}, StateDir: p.state, Unsynced: true, OnChange: ignoreChange})
}

func (p *linearProject) begin() {
	p.n++
	f := &linearFile{path: filepath.Join(p.dir, fmt.Sprintf("0aa11111-1111-4111-8111-%012d.jsonl", p.n))}
	f.lines = []string{fmt.Sprintf(`{"type":"metadata","workdir":"/home/dev/my-shop","createdAt":%q}`+"\n", p.now()), p.recordedLines("user", "hello")}
	p.write(f)
	f.s = openSession(p.t, p.library(), f.path)
	p.sessions = append(p.sessions, f)
}

// spawn starts a sub-agent. Its file is created empty; its call is saved at the end of
// the session's turn.
func (p *linearProject) spawn(r *rapid.T) {
	s, words := p.session(r), p.words(r)
	p.n++
	s.pending = append(s.pending, fmt.Sprintf(`{"timestamp":%q,"id":"c%d","role":"assistant","blocks":[{"type":"tool","id":"t","name":"Agent","parameters":%q,"stage":"end"}]}`+"\n",
		p.now(), p.n, fmt.Sprintf(`{"description":"d%d","prompt":%q}`, p.n, words)))
	f := &linearFile{path: filepath.Join(p.dir, fmt.Sprintf("subagent-0bb22222-2222-4222-8222-%012d.jsonl", 1000-p.n))}
	p.write(f)
	p.check(r)
	p.agents = append(p.agents, f)
	p.append(f, p.recordedLines("user", words))
}

func (p *linearProject) append(f *linearFile, lines ...string) {
	f.lines = append(f.lines, lines...)
	add(p.t, f.path, lines...)
	p.stamp(f)
}

func (p *linearProject) write(f *linearFile) {
	write(p.t, f.path, f.lines...)
	p.stamp(f)
}

func (p *linearProject) stamp(f *linearFile) {
	if err := os.Chtimes(f.path, p.clock, p.clock); err != nil {
		p.t.Fatal(err)
	}
}

// check refreshes all sessions as the watcher does after any change in the directory.
func (p *linearProject) check(r *rapid.T) {
	for _, f := range p.sessions {
		if _, err := f.s.Refresh(ctx); err != nil {
			r.Fatal(err)
		}
	}
	f := p.session(r)
	fresh := openSession(p.t, p.library(), f.path)
	got, want := sorted(shape(f.s))+drawn(f.s)+cwdOf(f.s), sorted(shape(fresh))+drawn(fresh)+cwdOf(fresh)
	if got != want {
		r.Fatalf("%s: the followed session shows\n%s\none opened now\n%s", filepath.Base(f.path), got, want)
	}
}

// drawn returns the entries of a session in the order of display.
func drawn(s *store.Session) (text string) {
	s.ReadTree(func(tree *session.Tree, _ store.Revision) {
		o := outline.Build(tree, outline.View{Leaf: tree.Leaf(), Entry: session.NoPos})
		for _, row := range o.Rows.All() {
			text += fmt.Sprint(tree.At(row.Pos).ID, " ", row.Lane, " ", row.Kind, "\n")
		}
	})
	return text
}
