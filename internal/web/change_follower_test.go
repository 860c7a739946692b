package web

import (
	"testing"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

func TestRestDuration(t *testing.T) {
	for took, want := range map[time.Duration]time.Duration{
		0:                     minLibraryInterval,
		30 * time.Millisecond: 120 * time.Millisecond,
		5 * time.Second:       maxLibraryInterval, // many changes at once
	} {
		if got := restDuration(took); got != want {
			t.Errorf("rest after %v = %v, want %v", took, got, want)
		}
	}
}

// Changes made before all directories were watched appear in the list and on open pages.
func TestRescan(t *testing.T) {
	own := newSite(t)
	tr := newTranscript("one")
	tr.chain(4)
	path := own.write("one.jsonl", tr)
	own.open(path)
	sess, _ := own.library.FindOpen(path)
	revision := func() (now store.Revision) {
		sess.ReadTree(func(_ *session.Tree, rev store.Revision) { now = rev })
		return now
	}
	before := revision()

	tr.user("said before anybody watched")
	own.append(path, tr)
	later := newTranscript("two")
	later.chain(2)
	own.write("two.jsonl", later)
	own.Rescan(t.Context())

	if revision() == before {
		t.Error("the open session is as it was")
	}
	entries := map[string]int{}
	for _, s := range own.catalog.Sessions() {
		entries[s.ID] = s.Entries
	}
	if entries["one"] != 5 || entries["two"] != 2 {
		t.Errorf("entries by session: %v, want 5 and 2", entries)
	}
}
