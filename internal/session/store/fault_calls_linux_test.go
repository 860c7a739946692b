package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/sampletest"
	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/store"
	"sessiontree/internal/slowtest"
	"sessiontree/internal/syscallfault"
)

// operation is something that people do to a session, of which each system call fails.
type operation struct {
	files  []string // the session's lines
	before func(t testing.TB, s *store.Session)
	do     func(s *store.Session) error
	// half is what the error says where the first half of the change was made.
	half string
	// keeps reports whether bytes that were there before are there still; nil: they are
	// the first of the file.
	keeps func(path, before, now string) bool
}

func operations() map[string]operation {
	change := func(c session.Change) func(*store.Session) error {
		return func(s *store.Session) error {
			_, err := s.ApplyChange(ctx, c, store.Precondition{})
			return err
		}
	}
	fork := func(leaf string) func(*store.Session) error {
		return func(s *store.Session) error {
			_, err := s.Fork(ctx, leaf, "")
			return err
		}
	}
	return map[string]operation{
		"label":                           {files: talk(), do: change(setLabel("a0", "mark"))},
		"label with the agent's lock":     {files: ompTalk(), do: change(setLabel("a0", "mark"))},
		"label in the sidecar":            {files: old(), do: change(setLabel("L3", "mark"))},
		"second label in the sidecar":     {files: old(), before: labelled("L2", "first"), do: change(setLabel("L3", "mark"))},
		"label of Claude Code":            {files: []string{claudeTalk()}, do: change(setLabel("a02", "mark"))},
		"name":                            {files: talk(), do: change(rename("name"))},
		"name in the title slot":          {files: slotTalk("Old name"), do: change(rename("name")), keeps: keepsBehindSlot, half: "the name is unchanged"},
		"branch":                          {files: talk(), do: change(session.Change{Op: session.OpBranch, Entry: "a1", Label: "tried"})},
		"switch":                          {files: talk(), do: change(session.Change{Op: session.OpSwitch, Entry: "b1"})},
		"copy":                            {files: talk(), do: change(session.Change{Op: session.OpCopy, CopyIDs: []string{"b0", "b1"}})},
		"fork":                            {files: talk(), before: labelled("a1", "start"), do: fork("b1")},
		"fork of Claude Code":             {files: []string{claudeTalk()}, do: fork("a02")},
		"migrate":                         {files: old(), do: migrate, keeps: keepsInBackup},
		"migrate with label in a sidecar": {files: old(), before: labelled("L3", "kept"), do: migrate, keeps: keepsInBackup},
		"end a torn line":                 {files: append(talk(), `{"type":"lab`), before: longAgo, do: func(s *store.Session) error { return s.EndTornLine(ctx) }},
	}
}

func claudeTalk() string {
	return recordedLines("00000000-0000-4000-8000-000000000001", "", "u01 - hello", "a02 u01 hi", "u03 a02 more", "a04 u03 there")
}

func labelled(entry, text string) func(testing.TB, *store.Session) {
	return func(t testing.TB, s *store.Session) { apply(t, s, setLabel(entry, text)) }
}

// longAgo has the session's file be one that nobody writes to.
func longAgo(t testing.TB, s *store.Session) {
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(s.Path(), old, old); err != nil {
		t.Fatal(err)
	}
}

func migrate(s *store.Session) error {
	_, err := s.Migrate(ctx)
	return err
}

func keepsBehindSlot(_, before, now string) bool {
	return len(now) >= 256 && strings.HasPrefix(now[256:], before[256:])
}

func keepsInBackup(path, before, now string) bool {
	kept, err := os.ReadFile(path + ".bak")
	return now == before || err == nil && string(kept) == before
}

// Whichever system call of a change fails, and however: the session is as it was or has
// the whole change, the error says which, and what was not done can be done again.
func TestFault_everyCall(t *testing.T) {
	t.Parallel()
	slowtest.SkipIfShort(t)
	calls := syscallfault.Run(t)
	if calls == nil {
		return
	}
	attempts := 0
	for name, op := range operations() {
		t.Run(name, func(t *testing.T) {
			f := newFaulty(t, op)
			for _, fault := range syscallfault.Faults {
				n := 0
				for f.fails(calls, n, fault) {
					n += sampletest.Step()
					attempts++
				}
				if n == 0 && !fault.Short {
					t.Errorf("no call failed with %s", fault)
				}
			}
		})
	}
	t.Logf("%d attempts, in each of which one system call failed; lost = 0 unless reported above", attempts)
}

// faulty is an operation whose calls fail, and what it does when none does.
type faulty struct {
	operation
	t           *testing.T
	state, done string // what the files say before and after
}

func newFaulty(t *testing.T, op operation) *faulty {
	f := &faulty{operation: op, t: t}
	s, path := f.open()
	f.state = f.read(path)
	if err := op.do(s); err != nil {
		t.Fatal(err)
	}
	if f.done = f.read(path); f.done == f.state {
		t.Fatal("the operation does nothing")
	}
	return f
}

func (f *faulty) open() (*store.Session, string) {
	lib, s, path := changed(f.t, f.files...)
	lib.NoHolders()
	if f.before != nil {
		f.before(f.t, s)
	}
	return s, path
}

// fails does the operation with its n-th call failing. It reports whether there are so
// many calls.
func (f *faulty) fails(calls *syscallfault.Calls, n int, fault syscallfault.Fault) bool {
	s, path := f.open()
	before, descriptors := content(f.t, path), openDescriptors(f.t)
	var err error
	hit := calls.Fail(n, fault, func() { err = f.do(s) })
	if hit == "" {
		return false
	}
	bad := func(format string, args ...any) {
		f.t.Helper()
		f.t.Errorf("%s in call %d, %s: "+format+" (error: %v)", append(append([]any{fault, n, hit}, args...), err)...)
	}
	now := f.read(path)
	if text := content(f.t, path); f.keeps == nil && !strings.HasPrefix(text, before) || f.keeps != nil && !f.keeps(path, before, text) {
		bad("bytes are lost: %s", text)
	}
	switch done := now == f.done; {
	case !done && f.half != "" && err != nil && strings.Contains(err.Error(), f.half):
		if err := f.do(s); err != nil || nameOf(s) != "name" {
			bad("tried again, the name is %q, %v", nameOf(s), err)
		}
		return true
	case !done && now != f.state:
		bad("the files say\n%s\nneither\n%s\nnor\n%s", now, f.state, f.done)
	case done != saysWritten(err):
		bad("done is %t, which the error does not say", done)
	case err != nil && !strings.Contains(err.Error(), filepath.Dir(filepath.Dir(path))) && !errors.As(err, new(*store.Refusal)):
		bad("the error names no file")
	}
	if left := openDescriptors(f.t); left != descriptors {
		bad("%d descriptors stay open", left-descriptors)
	}
	f.again(s, path, now == f.done, bad)
	return true
}

// again does what was not done, and else something else.
func (f *faulty) again(s *store.Session, path string, done bool, bad func(string, ...any)) {
	do := f.do
	if done {
		do = func(s *store.Session) error {
			_, _ = s.Refresh(ctx)
			first, _, _ := strings.Cut(ids(s), " ")
			_, err := s.ApplyChange(ctx, setLabel(first, "later"), store.Precondition{})
			return err
		}
	}
	longAgo(f.t, s)
	if err := do(s); err != nil {
		bad("tried again: %v", err)
	}
	if now := f.read(path); !done && now != f.done {
		bad("tried again, the files say\n%s\nnot\n%s", now, f.done)
	}
}

// saysWritten reports whether an edit's error, or that there is none, says that it was
// made.
func saysWritten(err error) bool {
	var refusal *store.Refusal
	return err == nil || errors.Is(err, safefile.ErrUnconfirmed) || errors.As(err, &refusal) && refusal.Written
}

func openDescriptors(t testing.TB) int {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}
