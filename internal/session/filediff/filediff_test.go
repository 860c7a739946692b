package filediff

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
)

func TestDiffTexts(t *testing.T) {
	t.Parallel()
	got := DiffTexts([]TextEdit{{OldText: "a\nb", NewText: "a\nc"}, {OldString: "", NewString: "new"}})
	want := []Line{
		{Sign: Gap, Text: "edit 1 of 2"}, {Sign: ' ', Text: "a"}, {Sign: '-', Text: "b"}, {Sign: '+', Text: "c"},
		{Sign: Gap, Text: "edit 2 of 2"}, {Sign: '+', Text: "new"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := DiffTexts([]TextEdit{{OldText: strings.Repeat("x", maxComparedBytes), NewText: "y"}}); got != nil {
		t.Errorf("%d lines of an edit too large to compare", len(got))
	}
}

// A file is new unless a call before its first edit names it, with or without lines.
func TestJoinFiles_new(t *testing.T) {
	t.Parallel()
	names := []string{`C:\a.go`, "a:b.md", "read.go:10-20", "whole.go", "late.go", "read.go", "whole.go", "late.go", `C:\a.go`}
	tools := []string{"write", "write", "read", "read", "write", "write", "write", "read", "write"}
	var entries []session.Entry
	var calls []Call
	bodies := make([]session.Body, len(names))
	for i, name := range names {
		e := session.Entry{ID: strconv.Itoa(i), Kind: session.KindAssistant, Details: &session.Details{Calls: []session.ToolCall{{ID: "c", Name: tools[i], Arg: name, Outcome: &session.Outcome{}}}}}
		if i > 0 {
			e.Parent, e.Flags = strconv.Itoa(i-1), session.FlagHasParent
		}
		args, err := json.Marshal(CallArgs{Path: name, Content: "x"})
		if err != nil {
			t.Fatal(err)
		}
		bodies[i].Blocks = []session.Block{{Kind: session.BlockToolCall, ID: "c", Args: args}}
		entries, calls = append(entries, e), append(calls, Call{At: session.Pos(i), Result: session.Pos(i)})
	}
	tree := session.BuildTree(session.Header{}, entries, nil)
	body := func(p session.Pos) *session.Body { return &bodies[p] }
	check := func(calls []Call, want string) {
		t.Helper()
		got := ""
		var edits Edits
		edits.Read(tree, calls, body)
		for _, f := range JoinFiles(tree, calls, &edits) {
			got += f.Path + " " + strconv.FormatBool(f.New) + ", "
		}
		if got != want {
			t.Errorf("\n got %s\nwant %s", got, want)
		}
	}
	check(calls, `C:\a.go true, a:b.md true, late.go true, read.go false, whole.go false, `)
	check(calls[8:], `C:\a.go false, `)
}

// The text of edits above the limit is not held, and it is counted how many these are.
func TestEdits_limit(t *testing.T) {
	t.Parallel()
	var entries []session.Entry
	var calls []Call
	bodies := make([]session.Body, 3)
	for i := range bodies {
		entries = append(entries, session.Entry{ID: strconv.Itoa(i), Kind: session.KindAssistant, Details: &session.Details{Calls: []session.ToolCall{{ID: "c", Name: "write", Arg: "x", Outcome: &session.Outcome{}}}}})
		bodies[i].Blocks = []session.Block{{Kind: session.BlockToolCall, ID: "c", Args: json.RawMessage(`{"path":"x.go","content":"0123456789"}`)}}
		calls = append(calls, Call{At: session.Pos(i), Result: session.Pos(i)})
	}
	tree := session.BuildTree(session.Header{}, entries, nil)
	edits := Edits{Limit: 25}
	for i := range calls {
		edits.Read(tree, calls[i:i+1], func(p session.Pos) *session.Body { return &bodies[p] })
	}
	if edits.Left != 1 || edits.Size() != 20 {
		t.Errorf("%d edits are left out, %d bytes are held", edits.Left, edits.Size())
	}
	for i, unknown := range []bool{false, false, true} {
		if file, e, ok := edits.Find(&calls[i]); !ok || file != "x.go" || e.IsUnknown() != unknown {
			t.Errorf("edit %d: %v, %s, %+v", i, ok, file, e)
		}
	}
}
