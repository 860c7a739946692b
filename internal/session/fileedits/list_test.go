package fileedits

import (
	"fmt"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/branchlist"
)

func TestList(t *testing.T) {
	t.Parallel()
	var entries []session.Entry
	add := func(id, parent string, e session.Entry) {
		e.ID, e.Parent = id, parent
		if parent != "" {
			e.Flags |= session.FlagHasParent
		}
		e.Time = int64(len(entries))
		entries = append(entries, e)
	}
	answer := func(id, parent, tool, arg string) {
		add(id, parent, session.Entry{Kind: session.KindAssistant, Details: &session.Details{Calls: []session.ToolCall{{ID: "c" + id, Name: tool, Arg: arg}}}})
	}
	result := func(id, parent, call string, flags session.Flags, added int32) {
		add(id, parent, session.Entry{Kind: session.KindToolResult, Flags: flags, Details: &session.Details{Call: call, Added: added}})
	}
	add("u1", "", session.Entry{Kind: session.KindUser})
	answer("a1", "u1", "read", "x.go:1-20")
	result("r1", "a1", "ca1", 0, 0)
	add("left", "r1", session.Entry{Kind: session.KindUser})
	answer("b1", "left", "edit", "/w/x.go")
	result("b2", "b1", "cb1", 0, 2)
	add("u2", "r1", session.Entry{Kind: session.KindUser})
	answer("a2", "u2", "edit", "~/y.go")
	result("r2", "a2", "ca2", session.FlagError, 0)
	answer("a3", "r2", "edit", "~/y.go")
	result("r3", "a3", "ca3", 0, 3)
	answer("a4", "r3", "bash", "sed -i x.go")
	result("r4", "a4", "ca4", 0, 0)
	answer("a5", "r4", "patch", `{"input":"x"}`)
	result("r5", "a5", "ca5", 0, 0)
	answer("open", "r5", "edit", "never.go")
	tree := session.BuildTree(session.Header{Cwd: "/w"}, entries, nil)
	_, branchOf := branchlist.AssignEntries(tree, nil)
	var got strings.Builder
	for _, f := range List(tree, "/home/me", branchOf) {
		fmt.Fprintf(&got, "%s %v", f.Path, f.Changes())
		for _, u := range f.Uses {
			fmt.Fprintf(&got, " [%d: %d edits, %d failed, %d reads, +%d]", u.Branch, len(u.Edits), len(u.Failed), u.Reads, u.Added)
		}
		got.WriteByte('\n')
	}
	want := "/w/x.go true [0: 0 edits, 0 failed, 1 reads, +0] [1: 1 edits, 0 failed, 0 reads, +2]\n/home/me/y.go true [0: 1 edits, 1 failed, 0 reads, +3]\n"
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}
