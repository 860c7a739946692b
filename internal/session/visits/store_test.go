package visits

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sessiontree/internal/session/safefile"
)

var ctx = context.Background()

func TestState_IsUnread(t *testing.T) {
	seen := &Seen{Messages: 4, Newest: 100}
	for _, c := range []struct {
		state State
		now   Seen
		want  bool
	}{
		{State{}, Seen{9, 900}, false},
		{State{Seen: seen}, *seen, false},
		{State{Seen: seen}, Seen{5, 100}, true},
		{State{Seen: seen}, Seen{3, 90}, false}, // the agent removed a message
		{State{Seen: seen}, Seen{3, 120}, true}, // and added another one
		{State{Unread: true}, Seen{}, true},
		{State{Seen: seen, Unread: true}, *seen, true},
	} {
		if got := c.state.IsUnread(c.now); got != c.want {
			t.Errorf("%+v at %+v: %v", c.state, c.now, got)
		}
	}
}

// Several stores of one directory, one in memory, and one that is opened at the end have
// the same states, whatever is written in between.
func TestStore(t *testing.T) {
	root := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		dir, err := os.MkdirTemp(root, "state")
		if err != nil {
			r.Fatal(err)
		}
		stores := []*Store{New(dir), New(dir)}
		memory := New("")
		for range rapid.IntRange(1, 30).Draw(r, "steps") {
			s := rapid.SampledFrom(stores).Draw(r, "store")
			k := Key{"pi", fmt.Sprint("s", rapid.IntRange(0, 3).Draw(r, "session"))}
			if rapid.IntRange(0, 5).Draw(r, "crash") == 0 {
				spoil(r, filepath.Join(dir, fileName))
			}
			change := drawChange(r, k)
			if err := errors.Join(change(s), change(memory)); err != nil {
				r.Fatal(err)
			}
			for i, s := range append(stores, New(dir)) {
				if diff := cmp.Diff(memory.Snapshot(), s.Snapshot()); diff != "" {
					r.Fatalf("store %d (-memory +file):\n%s", i, diff)
				}
			}
		}
	})
}

// drawChange returns a change of a session's state.
func drawChange(r *rapid.T, k Key) func(*Store) error {
	on, n := rapid.Bool().Draw(r, "on"), rapid.IntRange(0, 5).Draw(r, "messages")
	switch rapid.IntRange(0, 2).Draw(r, "change") {
	case 0:
		return func(s *Store) error { return s.SetStar(ctx, k, on) }
	case 1:
		return func(s *Store) error { return s.MarkUnread(ctx, k) }
	}
	return func(s *Store) error {
		_, err := s.MarkRead(ctx, k, Seen{n, int64(n)})
		return err
	}
}

// spoil appends what a crash or another program may leave.
func spoil(r *rapid.T, path string) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(rapid.SampledFrom([]string{"not a record\n", "{}\n", `{"format":"pi","session":"s1","st`}).Draw(r, "garbage"))
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		r.Fatal(err)
	}
}

// A file of outdated lines is rewritten, and no concurrent change is lost.
func TestStore_compacts(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, fileName)
	line := `{"format":"pi","session":"s0","seen":{"messages":1,"newest":2}}` + "\n"
	if err := os.WriteFile(path, []byte(strings.Repeat(line, minCompactSize/len(line)+2)), 0o600); err != nil {
		t.Fatal(err)
	}
	var g sync.WaitGroup
	for n := range 20 {
		g.Go(func() {
			if err := New(dir).SetStar(ctx, Key{"pi", fmt.Sprint("s", n)}, true); err != nil {
				t.Error(err)
			}
		})
	}
	g.Wait()
	states := New(dir).Snapshot()
	for n := range 20 {
		if !states[Key{"pi", fmt.Sprint("s", n)}].Starred {
			t.Errorf("the star of s%d is lost", n)
		}
	}
	if s := states[Key{"pi", "s0"}]; s.Seen == nil || s.Seen.Messages != 1 {
		t.Errorf("s0 is %+v", s)
	}
	if info, err := os.Stat(path); err != nil || info.Size() > minCompactSize/10 || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestStore_errors(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, fileName), 0o700); err != nil {
		t.Fatal(err)
	}
	s := New(dir)
	if err := s.SetStar(ctx, Key{"pi", "s"}, true); err == nil || !strings.Contains(err.Error(), "the state of the session") {
		t.Errorf("a directory in its place: %v", err)
	}
	if len(s.Snapshot()) != 0 {
		t.Errorf("%v", s.Snapshot())
	}
	file := New(filepath.Join(t.TempDir(), "new", "state"))
	if changed, err := file.MarkRead(ctx, Key{"pi", "s"}, Seen{1, 1}); err != nil || !changed {
		t.Fatalf("%v, %v", changed, err)
	}
	if changed, err := file.MarkRead(ctx, Key{"pi", "s"}, Seen{1, 1}); err != nil || changed {
		t.Errorf("the same visit was written again: %v, %v", changed, err)
	}
	f, _, err := file.openLocked(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := file.SetStar(ended, Key{"pi", "s"}, true); err == nil || errors.Is(err, safefile.ErrUnconfirmed) {
		t.Errorf("while another process holds the lock: %v", err)
	}
}
