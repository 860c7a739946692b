package follow

import (
	"fmt"
	"os"
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

// While nobody follows the list, only sessions that grow while they are shown wait: new,
// rewritten and removed files do not.
func TestFollowList(t *testing.T) {
	p := newProjectUnstarted(t)
	p.create("one")
	p.open("one")
	n := 1
	grow := func() { n++; p.add("one", fmt.Sprintf("e%d", n), "more") }
	check := func(what string, unseen bool, change func(), path string) {
		t.Helper()
		change()
		p.RefreshPath(path)
		if due := map[bool]int{true: len(p.unseenDue), false: len(p.catalogDue)}; due[unseen] != 1 || due[!unseen] != 0 {
			t.Errorf("%s: updates due at once: %d, later: %d", what, due[false], due[true])
		}
		for _, c := range []chan struct{}{p.unseenDue, p.catalogDue} {
			select {
			case <-c:
			default:
			}
		}
	}
	check("grown", true, grow, p.path("one"))
	check("unchanged", true, func() {}, p.path("one"))
	check("new", false, func() { p.create("two") }, p.path("two"))

	stop := p.FollowList()
	<-p.catalogDue // what was not urgent before is so now
	check("grown, followed", false, grow, p.path("one"))
	stop()
	stop()
	check("grown, not followed any more", true, grow, p.path("one"))

	check("rewritten", false, func() {
		if err := os.Truncate(p.path("one"), 0); err != nil {
			t.Fatal(err)
		}
	}, p.path("one"))
}
