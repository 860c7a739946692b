package main

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/scan"
	"sessiontree/internal/testgen/random"
)

// An agent ends a project after so many steps, about 2,500 lines, and begins another:
// what is open at a time stays as large as it is.
var stepsOf = map[string]int{"pi": 950, "omp": 900, "claude": 310, "wave": 1050}

// agent writes the lines of random projects of a format, one after another.
type agent struct {
	soak   *soak
	format string
	rng    *rand.Rand
	seed   uint64
	dir    string // of the project
	next   int    // line of the project
	lines  *random.Project

	mu       sync.Mutex
	sessions []string // files of sessions that were begun, of this project
	ended    []string // the same, of the last projects that ended, oldest first
	all      []string // the same, of all projects
}

// maxEnded is how many sessions of projects that ended are still visited, for each agent.
const maxEnded = 4

// newAgent returns the n-th agent, which has ended projects and has written the first lines
// of another: from the start there is as much to visit as later.
func (s *soak) newAgent(n int) *agent {
	a := &agent{soak: s, format: random.Formats[n%len(random.Formats)], seed: s.seed + uint64(n)*1000, rng: rand.New(rand.NewPCG(s.seed, uint64(1000+n)))}
	for a.begin(); len(a.ended) < maxEnded; a.begin() {
		a.writeUntil(len(a.lines.Lines))
	}
	a.writeUntil(a.rng.IntN(len(a.lines.Lines) / 2)) // projects end one after another
	return a
}

// writeUntil writes the lines of the project before the n-th.
func (a *agent) writeUntil(n int) {
	for ; a.next < n; a.next++ {
		a.writeLine(a.lines.Lines[a.next])
	}
}

// begin begins another project.
func (a *agent) begin() {
	a.seed++
	a.lines = random.Long(a.format, a.seed, random.Length{Steps: stepsOf[a.format], Sessions: 2})
	a.dir = filepath.Join(a.soak.root, a.format+"-"+time.Now().Format("150405.000")+"-"+string(rune('a'+a.seed/1000%26)))
	a.next = 0
	a.mu.Lock()
	a.ended = append(a.ended, a.sessions...)
	a.ended = a.ended[max(0, len(a.ended)-maxEnded):]
	a.sessions = nil
	a.mu.Unlock()
}

// work writes the lines that are due, until it is stopped. Sometimes it pauses, and
// then writes all that is due at once.
func (a *agent) work(stop <-chan struct{}) {
	perLine := time.Second * time.Duration(a.soak.projects) / time.Duration(a.soak.rate)
	began, lines := time.Now(), 0
	for {
		pause := time.Duration(20+a.rng.IntN(180)) * time.Millisecond
		if a.rng.IntN(40) == 0 {
			pause = 2 * time.Second
		}
		select {
		case <-stop:
			return
		case <-time.After(pause):
		}
		for ; time.Duration(lines)*perLine < time.Since(began); lines++ {
			a.writeNext()
		}
	}
}

func (a *agent) writeNext() {
	if a.next == len(a.lines.Lines) {
		a.begin()
	}
	l := a.lines.Lines[a.next]
	a.next++
	if half := len(l.Text) / 2; a.rng.IntN(100) == 0 && !l.Rewrite && half > 0 { // a write in two parts
		first := l
		first.Text, l.Text = l.Text[:half], l.Text[half:]
		a.writeLine(first)
		a.soak.counts.torn.Add(1)
		time.Sleep(time.Duration(a.rng.IntN(300)) * time.Millisecond)
	}
	a.writeLine(l)
	a.soak.counts.lines.Add(1)
}

// writeLine writes what an agent does in one call.
func (a *agent) writeLine(l random.Line) {
	path := filepath.Join(a.dir, filepath.FromSlash(l.File))
	var err error
	switch {
	case l.Rewrite && a.rng.IntN(2) == 0:
		a.soak.counts.rewrites.Add(1)
		if err = os.WriteFile(path+".tmp", []byte(l.Text), 0o600); err == nil {
			err = os.Rename(path+".tmp", path)
		}
	case l.Rewrite:
		a.soak.counts.rewrites.Add(1)
		err = os.WriteFile(path, []byte(l.Text), 0o600)
	default:
		err = a.appendText(path, l)
	}
	if err != nil {
		a.soak.errs.add("write: %v", err)
	}
}

func (a *agent) appendText(path string, l random.Line) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if errors.Is(err, os.ErrNotExist) {
		if err := a.beginFile(path, l.File); err != nil {
			return err
		}
		f, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(l.Text)
	return errors.Join(err, f.Close())
}

// beginFile makes what has to be there before a file, and notes a session.
func (a *agent) beginFile(path, name string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	base := strings.TrimSuffix(name, ".jsonl")
	for side, text := range a.lines.SideFiles {
		if strings.HasPrefix(side, base+".") {
			if err := os.WriteFile(filepath.Join(a.dir, filepath.FromSlash(side)), []byte(text), 0o600); err != nil {
				return err
			}
		}
	}
	for _, s := range a.lines.Sessions {
		if s == name {
			a.mu.Lock()
			a.sessions, a.all = append(a.sessions, path), append(a.all, path)
			a.mu.Unlock()
		}
	}
	return nil
}

// hasSession reports whether a file holds a session at the moment. An agent may retract so much of
// one that none is left.
func hasSession(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true // the explorer may still have it
	}
	defer f.Close()
	_, err = scan.SniffFormat(format.All, f, path)
	return !errors.Is(err, session.ErrNoSession)
}

// someSession returns a session of the project that is written at the moment or, as often,
// of those that ended last.
func (a *agent) someSession(rng *rand.Rand) (path string, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	from := a.sessions
	if len(from) == 0 || rng.IntN(2) == 0 {
		from = a.ended
	}
	if len(from) == 0 {
		return "", false
	}
	return from[rng.IntN(len(from))], true
}
