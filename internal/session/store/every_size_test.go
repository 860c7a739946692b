package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session/store"
)

// Every size at which a file rests is reported once: immediately if it brings entries,
// else by the next refresh.
func TestRefresh_everySize(t *testing.T) {
	r := newRewindable(t)
	tail := messageLine("m7", "user", "more")
	truncate := func(n int64) func() {
		return func() {
			if err := os.Truncate(r.path, n); err != nil {
				t.Fatal(err)
			}
		}
	}
	whole := int64(len(content(t, r.path)))
	for _, step := range []struct {
		name  string
		do    func()
		first store.ChangeKind // of the first refresh; the second one reports the rest
	}{
		{"a line that is begun", func() { add(t, r.path, tail[:20]) }, store.Unchanged},
		{"more of it", func() { add(t, r.path, tail[20:60]) }, store.Unchanged},
		{"the line whole", func() { add(t, r.path, tail[60:]) }, store.Appended},
		{"a blank line", func() { add(t, r.path, "\n") }, store.Unchanged},
		{"a header again", func() { add(t, r.path, linearHeader) }, store.Unchanged},
		{"another line that is begun", func() { add(t, r.path, tail[:20]) }, store.Unchanged},
		{"which goes again", truncate(whole + int64(len(tail)+1+len(linearHeader))), store.Appended},
		{"a rewind", truncate(whole), store.Rewritten},
		{"another", func() { write(t, r.path, r.lines[:4]...) }, store.Rewritten},
		{"another within a line", truncate(int64(len(strings.Join(r.lines[:3], ""))) + 10), store.Rewritten},
		{"all of it", truncate(0), store.Removed},
		{"a line that is no session yet", func() { add(t, r.path, tail[:20]) }, store.Removed},
		{"a session again", func() { write(t, r.path, r.lines[:2]...) }, store.Rewritten},
	} {
		step.do()
		looks := []store.ChangeKind{step.first}
		if step.first == store.Unchanged {
			looks = append(looks, store.Appended)
		}
		before := revision(r.s)
		for i, want := range append(looks, store.Unchanged, store.Unchanged) {
			c, err := r.s.Refresh(ctx)
			if err != nil || c.Kind != want {
				t.Errorf("%s, look %d: %+v, %v, want kind %d", step.name, i+1, c, err, want)
			}
		}
		if now := revision(r.s); step.first != store.Removed && now == before {
			t.Errorf("%s: the revision is %v still", step.name, now)
		}
	}
}

// The sizes of a member file are reported too.
func TestRefresh_everySizeOfAMember(t *testing.T) {
	r := newRewindable(t)
	file := filepath.Join(filepath.Dir(r.path), firstAgent+".jsonl")
	write(t, file, messageLine("a1", "user", "Look for leaks"))
	r.s = r.open()
	tail := messageLine("a2", "assistant", "None")
	for _, step := range []struct {
		text  string
		looks []store.ChangeKind
	}{
		{tail[:20], []store.ChangeKind{store.Appended, store.Unchanged}}, // its note is new
		{tail[20:40], []store.ChangeKind{store.Unchanged, store.Appended, store.Unchanged}},
		{tail[40:], []store.ChangeKind{store.Appended, store.Unchanged}},
	} {
		add(t, file, step.text)
		for i, want := range step.looks {
			if c, err := r.s.Refresh(ctx); err != nil || c.Kind != want {
				t.Errorf("%q, look %d: %+v, %v, want kind %d", step.text, i+1, c, err, want)
			}
		}
	}
}

// A page that was notified of an unfinished line gets the line when it is complete.
func TestFirstEntrySince_unfinishedLine(t *testing.T) {
	pi := filepath.Join(t.TempDir(), "one.jsonl")
	write(t, pi, header, user("a", "", "hello"))
	for path, tail := range map[string]string{newRewindable(t).path: messageLine("b", "user", "more"), pi: user("b", "a", "more")} {
		s := open(t, path)
		add(t, path, tail[:20])
		refresh(t, s, store.Unchanged)
		rev := revision(s)
		add(t, path, tail[20:])
		refresh(t, s, store.Appended)
		if p, ok := s.FirstEntrySince(rev); !ok || p != pos(t, s, "b") {
			t.Errorf("%s: new from %d on, %v", filepath.Base(path), p, ok)
		}
	}
}
