//go:build unix

package edit_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"sessiontree/internal/session"
	"sessiontree/internal/session/edit"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/hook"
	"sessiontree/internal/session/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// talk is a session of two branches with the leaf a3.
const talk = `{"type":"session","version":3,"id":"0b0e7f6a-0000-4000-8000-000000000001","timestamp":"2025-03-01T10:00:00.000Z","cwd":"/proj"}
{"type":"model_change","id":"m1","parentId":null,"timestamp":"2025-03-01T10:00:01.000Z","provider":"prov","modelId":"m-1"}
{"type":"message","id":"u1","parentId":"m1","timestamp":"2025-03-01T10:00:02.000Z","message":{"role":"user","content":"first question"}}
{"type":"message","id":"a1","parentId":"u1","timestamp":"2025-03-01T10:00:03.000Z","message":{"role":"assistant","content":[{"type":"text","text":"first answer"}],"stopReason":"stop"}}
{"type":"message","id":"u2","parentId":"a1","timestamp":"2025-03-01T10:00:04.000Z","message":{"role":"user","content":"left\n  behind "}}
{"type":"message","id":"a2","parentId":"u2","timestamp":"2025-03-01T10:00:05.000Z","message":{"role":"assistant","content":[{"type":"text","text":"left answer"}],"stopReason":"stop"}}
{"type":"message","id":"u3","parentId":"a1","timestamp":"2025-03-01T10:00:06.000Z","message":{"role":"user","content":[{"type":"text","text":"second "},{"type":"text","text":"question"}]}}
{"type":"message","id":"t3","parentId":"u3","timestamp":"2025-03-01T10:00:07.000Z","message":{"role":"assistant","content":[{"type":"thinking","thinking":"let me see"},{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.go"}},{"type":"toolCall","id":"c2","name":"write","arguments":{"path":"b.go", "content":"x"}}],"stopReason":"toolUse"}}
{"type":"message","id":"r3","parentId":"t3","timestamp":"2025-03-01T10:00:08.000Z","message":{"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"package a"}],"isError":false}}
{"type":"message","id":"r4","parentId":"r3","timestamp":"2025-03-01T10:00:09.000Z","message":{"role":"toolResult","toolCallId":"c2","toolName":"write","content":[{"type":"text","text":"ok"}],"isError":false}}
{"type":"message","id":"b3","parentId":"r4","timestamp":"2025-03-01T10:00:10.000Z","message":{"role":"bashExecution","command":"go test","output":"FAIL","exitCode":1}}
{"type":"custom_message","id":"n3","parentId":"b3","timestamp":"2025-03-01T10:00:11.000Z","customType":"note","content":"typed by a tool","display":true}
{"type":"message","id":"a3","parentId":"n3","timestamp":"2025-03-01T10:00:12.000Z","message":{"role":"assistant","content":[{"type":"text","text":"third answer"}],"stopReason":"stop"}}
`

// desk is a session to change, with hooks.
type desk struct {
	*testing.T
	session *store.Session
	hooks   *hook.Runner
	before  string // the file at the last check
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "sessions", "a.jsonl")
	for _, sub := range []string{"sessions", "hooks"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(path, []byte(talk), 0o600); err != nil {
		t.Fatal(err)
	}
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{filepath.Dir(path)}, StateDir: filepath.Join(dir, "state")})
	if err != nil {
		t.Fatal(err)
	}
	s, err := lib.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return &desk{t, s, &hook.Runner{Dir: filepath.Join(dir, "hooks")}, talk}
}

// listen installs a shell script as a hook. FILE is the session in it, and LOG the file
// that logged reads.
func (d *desk) listen(event, script string) string {
	d.Helper()
	path := filepath.Join(d.hooks.Dir, event)
	text := "#!/bin/sh\nFILE='" + d.session.Path() + "'\nLOG='" + d.log() + "'\n" + script + "\n"
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		d.Fatal(err)
	}
	return path
}

func (d *desk) log() string { return filepath.Join(d.hooks.Dir, "log") }

func (d *desk) logged() string {
	text, err := os.ReadFile(d.log())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		d.Fatal(err)
	}
	return string(text)
}

// added returns the lines appended since the last check, each as "type id-of-parent
// what". Earlier bytes must be unchanged.
func (d *desk) added() []string {
	d.Helper()
	text, err := os.ReadFile(d.session.Path())
	if err != nil {
		d.Fatal(err)
	}
	fresh, ok := strings.CutPrefix(string(text), d.before)
	if !ok {
		d.Fatalf("earlier bytes changed: %s", text)
	}
	d.before = string(text)
	var lines []string
	for line := range strings.Lines(fresh) {
		lines = append(lines, brief(d.T, line))
	}
	return lines
}

func brief(t *testing.T, line string) string {
	t.Helper()
	var e struct {
		Type, CustomType, Summary, Label, Name, TargetID string
		ParentID                                         *string
		FromHook                                         bool
		Message                                          struct{ Role string }
	}
	if err := json.Unmarshal([]byte(line), &e); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	words := []string{e.Type, "<root"}
	if e.ParentID != nil {
		words[1] = "<" + *e.ParentID
	}
	for _, w := range []string{e.CustomType, e.Message.Role, e.Summary, e.TargetID, e.Label, e.Name} {
		if w != "" {
			words = append(words, w)
		}
	}
	if e.FromHook {
		words = append(words, "fromHook")
	}
	return strings.Join(words, " ")
}

func (d *desk) wantAdded(want ...string) {
	d.Helper()
	if diff := cmp.Diff(want, d.added()); diff != "" {
		d.Errorf("appended (-want +got):\n%s", diff)
	}
}

func (d *desk) leaf() (id string) {
	d.session.ReadTree(func(t *session.Tree, _ store.Revision) { id = t.At(t.Leaf()).ID })
	return id
}

func TestPreview(t *testing.T) {
	for _, c := range []struct {
		entry, newLeaf, prefill string
		kinds                   []string
		request                 edit.Request
	}{
		{entry: "a1", newLeaf: "a1", kinds: []string{"custom <a1 session-explorer.branch"}},
		{entry: "u2", newLeaf: "a1", prefill: "left\n  behind ", kinds: []string{"custom <a1 session-explorer.branch"}},
		{entry: "u3", newLeaf: "a1", prefill: "second question", kinds: []string{"label <a1 u3 again"}, request: edit.Request{Label: "again"}},
		{entry: "n3", newLeaf: "b3", prefill: "typed by a tool", kinds: []string{"branch_summary <b3 it failed"}, request: edit.Request{Summary: edit.SummaryByUser, Text: "it failed"}},
		{entry: "", newLeaf: "-", kinds: []string{"branch_summary <root (the summary, once it is written)"}, request: edit.Request{Summary: edit.SummaryByProgram}},
		{entry: "a3", newLeaf: "a3"},
	} {
		t.Run(c.entry, func(t *testing.T) {
			d := newDesk(t)
			c.request.Entry = c.entry
			p, err := edit.PreviewBranch(t.Context(), d.session, c.request)
			if err != nil {
				t.Fatal(err)
			}
			var kinds []string
			for _, l := range p.Append {
				kinds = append(kinds, brief(t, string(l.Text)))
			}
			if got := []string{text(p.NewLeaf), text(p.Prefill), text(p.OldLeaf)}; !cmp.Equal(got, []string{c.newLeaf, orDash(c.prefill), "a3"}) {
				t.Errorf("new leaf, prefill, old leaf: %q", got)
			}
			if diff := cmp.Diff(c.kinds, kinds); diff != "" || p.IsNoop != (c.kinds == nil) || p.RefusedReason != "" {
				t.Errorf("noop %v, refused %q, lines (-want +got):\n%s", p.IsNoop, p.RefusedReason, diff)
			}
			if p.Resume != "cd /proj && pi --session 0b0e7f6a-0000-4000-8000-000000000001" {
				t.Errorf("resume: %q", p.Resume)
			}
			d.wantAdded()
		})
	}
}

func text(s *string) string {
	if s == nil {
		return "-"
	}
	return *s
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func TestPreviewFromAnotherLeaf(t *testing.T) {
	d := newDesk(t)
	p, err := edit.PreviewBranch(t.Context(), d.session, edit.Request{Entry: "u3", Precondition: store.Precondition{Leaf: "a2", HasLeaf: true}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"u2", "a2"}; !cmp.Equal(want, p.Abandoned) || text(p.Ancestor) != "a1" || text(p.OldLeaf) != "a2" {
		t.Errorf("abandoned %q above %s, from %s", p.Abandoned, text(p.Ancestor), text(p.OldLeaf))
	}
}

func TestUnknownEntry(t *testing.T) {
	d := newDesk(t)
	_, preview := edit.PreviewBranch(t.Context(), d.session, edit.Request{Entry: "zz"})
	_, branch := edit.Branch(t.Context(), d.session, d.hooks, edit.Request{Entry: "zz"})
	_, fork := edit.Fork(t.Context(), d.session, d.hooks, "zz", "")
	_, merge := edit.Merge(t.Context(), d.session, "zz", store.Precondition{})
	_, tip := edit.SwitchBranch(t.Context(), d.session, d.hooks, "zz", store.Precondition{})
	_, label := edit.Label(t.Context(), d.session, d.hooks, "zz", "x", store.Precondition{})
	for i, err := range []error{preview, branch, fork, merge, tip, label} {
		if !errors.Is(err, session.ErrNotFound) {
			t.Errorf("%d: got %v", i, err)
		}
	}
	d.wantAdded()
}

// A preview also shows a move that is not possible now, and runs no hook.
func TestPreviewRefused(t *testing.T) {
	d := newDesk(t)
	if err := os.Chmod(d.session.Path(), 0o400); err != nil {
		t.Fatal(err)
	}
	p, err := edit.PreviewBranch(t.Context(), d.session, edit.Request{Entry: "a1"})
	if err != nil || p.RefusedReason == "" || len(p.Append) != 1 || len(p.Abandoned) != 7 {
		t.Errorf("got %+v, %v", p, err)
	}
	d.listen("session_before_tree", `echo asked >>"$LOG"`)
	if _, err := edit.Branch(t.Context(), d.session, d.hooks, edit.Request{Entry: "a1"}); !errors.Is(err, session.ErrReadOnly) || d.logged() != "" {
		t.Errorf("got %v, log %q", err, d.logged())
	}
}

// Hooks run before anything is written, and are notified afterwards.
func TestBranchOrderOfEvents(t *testing.T) {
	d := newDesk(t)
	d.listen("session_before_tree", `cat >"$LOG.before"; echo "before $(wc -l <"$FILE")" >>"$LOG"`)
	d.listen("session_tree", `cat >"$LOG.after"; echo "after $(wc -l <"$FILE")" >>"$LOG"`)
	d.hooks.Summarizer = []string{d.listen("sum", `cat >"$LOG.sum"; echo "summary $(wc -l <"$FILE")" >>"$LOG"; echo it failed`)}
	b, err := edit.Branch(t.Context(), d.session, d.hooks, edit.Request{Entry: "u3", Summary: edit.SummaryByProgram, Instructions: "be brief", Label: "back"})
	if err != nil || len(b.Warnings) > 0 {
		t.Fatal(err, b.Warnings)
	}
	if want := "before 13\nsummary 13\nafter 15\n"; d.logged() != want {
		t.Errorf("events: %q", d.logged())
	}
	got := d.added()
	if len(got) != 2 || !strings.HasPrefix(got[0], "branch_summary <a1 The user explored another branch") || !strings.Contains(got[0], "it failed") ||
		got[1] != "label <"+b.Lines[0].ID+" "+b.Lines[0].ID+" back" {
		t.Errorf("appended: %q", got)
	}
	var after struct {
		NewLeafID, OldLeafID string
		SummaryEntry         struct{ ID string }
		FromExtension        bool
	}
	d.decode("after", &after)
	if after.NewLeafID != b.Lines[1].ID || after.OldLeafID != "a3" || after.SummaryEntry.ID != b.Lines[0].ID || after.FromExtension {
		t.Errorf("session_tree: %+v", after)
	}
	var before struct {
		Preparation struct {
			TargetID, OldLeafID, CommonAncestorID, CustomInstructions, Label string
			UserWantsSummary                                                 bool
			EntriesToSummarize                                               []struct{ ID string }
		}
	}
	d.decode("before", &before)
	p := before.Preparation
	if p.TargetID != "u3" || p.OldLeafID != "a3" || p.CommonAncestorID != "u3" || p.CustomInstructions != "be brief" || p.Label != "back" ||
		!p.UserWantsSummary || len(p.EntriesToSummarize) != 6 || p.EntriesToSummarize[0].ID != "t3" {
		t.Errorf("session_before_tree: %+v", p)
	}
}

func (d *desk) decode(suffix string, to any) {
	d.Helper()
	text, err := os.ReadFile(d.log() + "." + suffix)
	if err != nil {
		d.Fatal(err)
	}
	if err := json.Unmarshal(text, to); err != nil {
		d.Fatalf("%v: %s", err, text)
	}
}

func TestConversation(t *testing.T) {
	d := newDesk(t)
	d.hooks.Summarizer = []string{d.listen("sum", `cat >"$LOG"; echo done`)}
	if _, err := edit.Branch(t.Context(), d.session, d.hooks, edit.Request{Entry: "a1", Summary: edit.SummaryByProgram, Instructions: "one word", ReplaceInstructions: true}); err != nil {
		t.Fatal(err)
	}
	want := `<conversation>
[User]: second 

[User]: question

[Assistant thinking]: let me see

[Assistant tool calls]: read({"path":"a.go"}); write({"path":"b.go","content":"x"})

[User ran]: bash({"command":"go test"})

[Output]: FAIL

[note]: typed by a tool

[Assistant]: third answer

</conversation>

one word
`
	if diff := cmp.Diff(strings.ReplaceAll(want, "second \n", "second\n"), d.logged()); diff != "" {
		t.Error(diff)
	}
}

func TestHookDecides(t *testing.T) {
	d := newDesk(t)
	d.listen("session_before_tree", `echo '{"cancel":true,"reason":"not now"}'`)
	if _, err := edit.Branch(t.Context(), d.session, d.hooks, edit.Request{Entry: "a1"}); !errors.Is(err, hook.ErrCancelled) {
		t.Errorf("got %v", err)
	}
	if _, err := edit.SwitchBranch(t.Context(), d.session, d.hooks, "a2", store.Precondition{}); !errors.Is(err, hook.ErrCancelled) {
		t.Errorf("got %v", err)
	}
	d.listen("session_before_tree", `echo nonsense`)
	if _, err := edit.Branch(t.Context(), d.session, d.hooks, edit.Request{Entry: "a1"}); !errors.Is(err, hook.ErrFailed) {
		t.Errorf("got %v", err)
	}
	d.wantAdded()

	d.listen("session_before_tree", `echo '{"summary":{"summary":"mine"},"label":"theirs"}'`)
	d.hooks.Summarizer = []string{"/nonexistent"}
	b, err := edit.Branch(t.Context(), d.session, d.hooks, edit.Request{Entry: "a1", Summary: edit.SummaryByProgram, Label: "ours"})
	if err != nil {
		t.Fatal(err)
	}
	d.wantAdded("branch_summary <a1 mine fromHook", "label <"+b.Lines[0].ID+" "+b.Lines[0].ID+" theirs")
}

func TestNoSummarizer(t *testing.T) {
	d := newDesk(t)
	d.listen("session_before_tree", `echo asked >>"$LOG"`)
	if _, err := edit.Branch(t.Context(), d.session, d.hooks, edit.Request{Entry: "a1", Summary: edit.SummaryByProgram}); !errors.Is(err, hook.ErrNoSummarizer) || d.logged() != "" {
		t.Errorf("got %v, log %q", err, d.logged())
	}
	d.wantAdded()
}

func TestSummarizerFails(t *testing.T) {
	d := newDesk(t)
	d.hooks.Summarizer = []string{d.listen("sum", `echo no key >&2; exit 1`)}
	_, err := edit.Branch(t.Context(), d.session, d.hooks, edit.Request{Entry: "a1", Summary: edit.SummaryByProgram})
	if !errors.Is(err, hook.ErrFailed) || !strings.Contains(err.Error(), "no key") {
		t.Errorf("got %v", err)
	}
	d.wantAdded()
}

func TestSummaryAborted(t *testing.T) {
	d := newDesk(t)
	d.hooks.Summarizer = []string{d.listen("sum", `echo begun >&2; sleep 1000`)}
	ctx, abort := context.WithCancel(t.Context())
	_, err := edit.Branch(ctx, d.session, d.hooks, edit.Request{Entry: "a1", Summary: edit.SummaryByProgram, Progress: func(string) { abort() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	d.wantAdded()
}

// The agent continues while the summary is being written: the leaf is not taken from
// it.
func TestAgentGoesOn(t *testing.T) {
	d := newDesk(t)
	const line = `{"type":"message","id":"u4","parentId":"a3","timestamp":"2025-03-01T10:00:13.000Z","message":{"role":"user","content":"wait"}}`
	d.hooks.Summarizer = []string{d.listen("sum", `echo '`+line+`' >>"$FILE"; echo done`)}
	_, err := edit.Branch(t.Context(), d.session, d.hooks, edit.Request{Entry: "a1", Summary: edit.SummaryByProgram})
	if !errors.Is(err, session.ErrConflict) {
		t.Errorf("got %v", err)
	}
	d.wantAdded("message <a3 user")

	_, err = edit.Branch(t.Context(), d.session, d.hooks, edit.Request{Entry: "a1", Precondition: store.Precondition{Leaf: "a3", HasLeaf: true}})
	if !errors.Is(err, session.ErrConflict) || !strings.Contains(err.Error(), "u4") {
		t.Errorf("what was looked at is old: got %v", err)
	}
	d.wantAdded()
}

func TestNoop(t *testing.T) {
	d := newDesk(t)
	d.listen("session_before_tree", `echo asked >>"$LOG"`)
	b, err := edit.Branch(t.Context(), d.session, d.hooks, edit.Request{Entry: "a3", Label: "x", Summary: edit.SummaryByUser, Text: "y"})
	if err != nil || !b.IsNoop || len(b.Lines) > 0 || b.Leaf != "a3" || d.logged() != "" {
		t.Errorf("got %+v, %v", b, err)
	}
	d.wantAdded()
}

func TestLabel(t *testing.T) {
	d := newDesk(t)
	d.listen("session_label", `cat >>"$LOG"; exit 3`)
	r, err := edit.Label(t.Context(), d.session, d.hooks, "a1", "here", store.Precondition{})
	if err != nil || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "exit status 3") {
		t.Fatalf("got %+v, %v", r, err)
	}
	if _, err = edit.Label(t.Context(), d.session, d.hooks, "a1", "", store.Precondition{Label: "here", HasLabel: true}); err != nil {
		t.Fatal(err)
	}
	d.wantAdded("label <a3 a1 here", "label <"+r.Lines[0].ID+" a1")
	log := d.logged()
	if !strings.Contains(log, `"targetId":"a1","label":"here","previousLabel":""`) || !strings.Contains(log, `"targetId":"a1","label":"","previousLabel":"here"`) {
		t.Errorf("events: %s", log)
	}
}

func TestPopAndSwitch(t *testing.T) {
	d := newDesk(t)
	b, err := edit.PopToPrompt(t.Context(), d.session, d.hooks, edit.Request{})
	if err != nil || text(b.Target) != "u3" || text(b.Prefill) != "second question" {
		t.Fatalf("got %+v, %v", b, err)
	}
	d.wantAdded("custom <a1 session-explorer.branch")
	if b, err = edit.PopToPrompt(t.Context(), d.session, d.hooks, edit.Request{Entry: "a2", Summary: edit.SummaryByUser, Text: "x"}); err != nil || text(b.NewLeaf) != "a2" {
		t.Fatalf("got %+v, %v", b, err)
	}
	d.wantAdded("branch_summary <a2 x")

	d.listen("session_tree", `cat >"$LOG.after"`)
	b, err = edit.SwitchBranch(t.Context(), d.session, d.hooks, "u3", store.Precondition{})
	if err != nil || text(b.NewLeaf) != "u3" || b.Prefill != nil || d.leaf() != b.Leaf {
		t.Fatalf("got %+v, %v", b, err)
	}
	d.wantAdded("custom <u3 session-explorer.branch")
	var after struct{ NewLeafID string }
	d.decode("after", &after)
	if after.NewLeafID != b.Leaf {
		t.Errorf("session_tree: %+v", after)
	}
	if b, err = edit.SwitchBranch(t.Context(), d.session, d.hooks, b.Leaf, store.Precondition{}); err != nil || !b.IsNoop {
		t.Errorf("got %+v, %v", b, err)
	}
	d.wantAdded()
}

func TestPickAndMerge(t *testing.T) {
	d := newDesk(t)
	if _, err := edit.CherryPick(t.Context(), d.session, "a2", store.Precondition{}); err != nil {
		t.Fatal(err)
	}
	if got := d.added(); len(got) != 2 || got[0] != "custom <a3 session-explorer.copy" || !strings.HasSuffix(got[1], " assistant") {
		t.Errorf("appended %q", got)
	}
	if _, err := edit.Merge(t.Context(), d.session, "a2", store.Precondition{}); err != nil {
		t.Fatal(err)
	}
	if got := d.added(); len(got) != 3 || !strings.HasSuffix(got[1], " user") || !strings.HasSuffix(got[2], " assistant") {
		t.Errorf("appended %q", got)
	}
	if _, err := edit.Merge(t.Context(), d.session, "u3", store.Precondition{}); !errors.Is(err, session.ErrInvalid) || strings.Contains(err.Error(), "u3") {
		t.Errorf("what is on the path is not merged: got %v", err)
	}
	if _, err := edit.CherryPick(t.Context(), d.session, "a1", store.Precondition{Leaf: "a3", HasLeaf: true}); !errors.Is(err, session.ErrConflict) {
		t.Errorf("got %v", err)
	}
	d.wantAdded()
}

// A line on an abandoned branch is the leaf; RepairLeaf restores the right one.
func TestRepair(t *testing.T) {
	d := newDesk(t)
	if _, err := edit.RepairLeaf(t.Context(), d.session, store.Precondition{}); !errors.Is(err, session.ErrInvalid) {
		t.Errorf("nothing to repair: got %v", err)
	}
	f, err := os.OpenFile(d.session.Path(), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	const stale = `{"type":"custom","customType":"x","id":"x1","parentId":"a2","timestamp":"2025-03-01T10:00:13.000Z"}` + "\n"
	if _, err := f.WriteString(stale); err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	if _, err := d.session.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := edit.RepairLeaf(t.Context(), d.session, store.Precondition{}); err != nil {
		t.Fatal(err)
	}
	d.wantAdded("custom <a2 x", "custom <a3 session-explorer.repair")
	if notes := d.session.Notes(); len(notes) > 0 {
		t.Errorf("notes %+v", notes)
	}
}

func TestRename(t *testing.T) {
	d := newDesk(t)
	if _, err := edit.Rename(t.Context(), d.session, "A name"); err != nil {
		t.Fatal(err)
	}
	d.wantAdded("session_info <a3 A name")
}

func TestFork(t *testing.T) {
	d := newDesk(t)
	d.listen("session_before_branch", `cat >"$LOG.before"`)
	d.listen("session_branch", `cat >"$LOG.after"`)
	out := filepath.Join(d.TempDir(), "out.jsonl")
	f, err := edit.Fork(t.Context(), d.session, d.hooks, "a2", out)
	if err != nil || f.Path != out || len(f.Warnings) > 0 {
		t.Fatalf("got %+v, %v", f, err)
	}
	var before struct{ EntryID string }
	var after struct{ EntryID, NewSessionFile, NewSessionID string }
	d.decode("before", &before)
	d.decode("after", &after)
	if before.EntryID != "a2" || after.EntryID != "a2" || after.NewSessionFile != out || after.NewSessionID != f.ID {
		t.Errorf("events %+v, %+v", before, after)
	}

	d.listen("session_before_branch", `echo '{"cancel":true}'`)
	other := filepath.Join(d.TempDir(), "other.jsonl")
	if _, err := edit.Fork(t.Context(), d.session, d.hooks, "a2", other); !errors.Is(err, hook.ErrCancelled) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(other); err == nil {
		t.Error("a file was made though it was cancelled")
	}
	d.wantAdded()
}

func TestLive(t *testing.T) {
	d := newDesk(t)
	if got := edit.LiveWarning(d.session); !strings.HasPrefix(got, "The file grew ") {
		t.Errorf("got %q", got)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(d.session.Path(), old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := d.session.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := edit.LiveWarning(d.session); got != "" {
		t.Errorf("got %q", got)
	}
}
