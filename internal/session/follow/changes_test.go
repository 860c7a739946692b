package follow

import (
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// Changes made before all directories were watched appear in the list and on open pages.
func TestRescan(t *testing.T) {
	p := newProject(t)
	p.create("one")
	sess := p.open("one")
	revision := func() (now store.Revision) {
		sess.ReadTree(func(_ *session.Tree, rev store.Revision) { now = rev })
		return now
	}
	before := revision()

	p.add("one", "e2", "said before anybody watched")
	p.create("two")
	p.Rescan(t.Context())

	if revision() == before {
		t.Error("the open session is as it was")
	}
	entries := map[string]int{}
	for _, s := range p.catalog.Sessions() {
		entries[s.ID] = s.Entries
	}
	if entries["one"] != 2 || entries["two"] != 1 {
		t.Errorf("entries by session: %v, want 2 and 1", entries)
	}
}
