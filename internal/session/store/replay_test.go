package store_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"sessiontree/internal/sampletest"
	"sessiontree/internal/session"
	"sessiontree/internal/session/sessiontest"
	"sessiontree/internal/session/store"
	"sessiontree/internal/slowtest"
)

// recording is the files of a project, and the order in which their lines were written.
type recording struct {
	lines []recordedLine
	side  map[string]string // files that are not transcripts, by name
}

type recordedLine struct {
	file    string // name in the project
	text    string // with its newline
	time    string // as recorded, or of the line before it in its file
	rewrite bool   // text replaces the file
}

// readRecording reads a project directory. Lines are ordered by their times.
func readRecording(t testing.TB, dir string) *recording {
	r := &recording{side: map[string]string{}}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		if filepath.Ext(path) == ".jsonl" {
			r.lines = append(r.lines, linesOf(name, string(text))...)
		} else {
			r.side[name] = string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(r.lines, func(a, b recordedLine) int { return cmp.Compare(a.time, b.time) })
	return r
}

// linesOf splits a file into lines. Lines before the first time get that time.
func linesOf(name, text string) (lines []recordedLine) {
	last := ""
	for line := range strings.Lines(text) {
		var l struct{ Timestamp string }
		_ = json.Unmarshal([]byte(line), &l) // a bad line has no time
		if l.Timestamp != "" && last == "" {
			for i := range lines {
				lines[i].time = l.Timestamp
			}
		}
		last = cmp.Or(l.Timestamp, last)
		lines = append(lines, recordedLine{file: name, text: line, time: last})
	}
	return lines
}

// interleaved returns the recording with its files written in another order. The order
// within each file stays.
func (r *recording) interleaved(rng *rand.Rand) *recording {
	left := map[string][]recordedLine{}
	var files []string
	for _, l := range r.lines {
		if left[l.file] == nil {
			files = append(files, l.file)
		}
		left[l.file] = append(left[l.file], l)
	}
	out := &recording{side: r.side}
	for len(files) > 0 {
		i := rng.IntN(len(files))
		for n := 1 + rng.IntN(8); n > 0 && len(left[files[i]]) > 0; n-- { // an agent writes a few lines at a time
			out.lines, left[files[i]] = append(out.lines, left[files[i]][0]), left[files[i]][1:]
		}
		if len(left[files[i]]) == 0 {
			files = slices.Delete(files, i, i+1)
		}
	}
	return out
}

// sideOf returns the side files that are written with the first line of a transcript:
// those of its name, and for a session's all that belong to no agent.
func (r *recording) sideOf(file string) (names []string) {
	base := strings.TrimSuffix(file, ".jsonl")
	for name := range r.side {
		ofAgent := strings.HasPrefix(filepath.Base(name), "agent-")
		if strings.HasPrefix(name, base+".") || !ofAgent && strings.HasPrefix(name, base+"/") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// replay writes a recording while sessions are open.
type replay struct {
	t     testing.TB
	dir   string
	state string
	lib   *store.Library
	open  map[string]*store.Session
	met   map[string]bool
}

func newReplay(t testing.TB) *replay {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &replay{t: t, dir: dir, state: t.TempDir(), open: map[string]*store.Session{}, met: map[string]bool{}}
	p.lib = p.library(ignoreChange)
	return p
}

// library returns a library of the directory. It keeps retracted lines only if it
// notifies.
func (p *replay) library(changed func(*store.Session, store.Change)) *store.Library {
	return libraryWith(p.t, store.Config{Roots: []string{p.dir}, StateDir: p.state, Unsynced: true, OnChange: changed})
}

// write appends a line as its agent does, and refreshes the open sessions. Each session
// is opened when its file has a line.
func (p *replay) write(r *recording, l recordedLine) {
	path := filepath.Join(p.dir, l.file)
	if !p.met[l.file] {
		p.met[l.file] = true
		p.create(path, "")
		for _, name := range r.sideOf(l.file) {
			p.create(filepath.Join(p.dir, name), r.side[name])
		}
	}
	if l.rewrite {
		write(p.t, path, l.text)
	} else {
		add(p.t, path, l.text)
	}
	p.changed(path)
	if p.open[l.file] == nil && !agentFileName.MatchString(l.file) {
		if s, err := p.lib.Open(ctx, path); err == nil {
			p.open[l.file] = s
		}
	}
}

// agentFileName matches the files that are opened with a session.
var agentFileName = regexp.MustCompile(`(^|/)(agent|subagent)-|/subagents/|_.*/[^_]`)

// create creates a file and its ancestor directories, each of which is a change.
func (p *replay) create(path, text string) {
	var made []string
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil {
			break
		}
		made = append(made, dir)
	}
	write(p.t, path, text)
	for _, dir := range made {
		p.changed(dir)
	}
	p.changed(path)
}

func (p *replay) changed(path string) {
	for _, s := range p.lib.SessionsWithFile(path) {
		if _, err := s.RefreshPath(ctx, path); err != nil {
			p.t.Fatal(err)
		}
	}
}

// compare compares every open session with one opened now.
func (p *replay) compare(after string) {
	p.t.Helper()
	for name, live := range p.open {
		cold, err := p.library(nil).Open(ctx, filepath.Join(p.dir, name))
		if (err == nil) != (live.FileError() == nil) {
			p.t.Fatalf("%s after %s: opened now %v, the followed session %v", name, after, err, live.FileError())
		}
		if err != nil {
			continue // it has no session at the moment
		}
		if diff := diffLines(described(cold), described(live)); diff != "" {
			p.t.Fatalf("%s after %s (-cold +live):\n%s", name, after, diff)
		}
	}
}

// diffLines returns how two texts differ, "" if they are equal.
func diffLines(was, is string) string {
	if was == is { // go-cmp is slow
		return ""
	}
	return gocmp.Diff(strings.Split(was, "\n"), strings.Split(is, "\n"))
}

func described(s *store.Session) (text string) {
	s.ReadTree(func(t *session.Tree, _ store.Revision) { text = sessiontest.Describe(t) })
	return text
}

// samples returns projects whose files grow line by line.
func samples(t *testing.T) map[string]*recording {
	all := map[string]*recording{}
	for _, dir := range projects(t) {
		if r := readRecording(t, dir); len(r.lines) > 0 && len(r.lines) < 1000 {
			all[filepath.Base(dir)] = r
		}
	}
	return all
}

// A session followed line by line equals one opened now, in the recorded order of its
// files and in others.
func TestClaude_LiveIsCold(t *testing.T) {
	t.Parallel()
	slowtest.SkipIfShort(t)
	orders, every := 2, 7*sampletest.Step()
	if os.Getenv("PROJECTS") != "" {
		orders, every = 20, 1
	}
	for name, recorded := range samples(t) {
		t.Run(name, func(t *testing.T) {
			for i := range 1 + orders {
				r := recorded
				if i > 0 {
					r = recorded.interleaved(rand.New(rand.NewPCG(uint64(i), 0)))
				}
				p := newReplay(t)
				for k, l := range r.lines {
					p.write(r, l)
					if (k+i)%every == 0 || k+1 == len(r.lines) {
						p.compare(fmt.Sprintf("order %d, line %d of %s: %.200s", i, k, l.file, l.text))
					}
				}
			}
		})
	}
}
