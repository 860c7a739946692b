package pi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
)

// file is a session file in memory that changes append to.
type file struct {
	format *session.Format
	text   []byte
	minted int
}

func (f *file) tree(t testing.TB) *session.Tree {
	t.Helper()
	d := decode(t, f.format, f.text)
	if !d.ok {
		t.Fatalf("no session: %.200s", f.text)
	}
	return session.BuildTree(d.header, d.entries, nil)
}

func (f *file) source(tree *session.Tree) session.LineReader {
	return func(p session.Pos) ([]byte, error) {
		at := tree.At(p).Span
		return bytes.Clone(f.text[at.Off : at.Off+int64(at.Len)]), nil
	}
}

const now = 1740900000000 // 2025-03-02T07:20:00.000Z

func (f *file) mint() session.IDSource {
	return session.IDSource{
		Now:       now,
		EntryID:   func() string { f.minted++; return fmt.Sprintf("%08x", 0xa0000000+f.minted) },
		SessionID: func() string { f.minted++; return fmt.Sprintf("01964f3a-2b1c-7d4e-8f00-%012x", f.minted) },
	}
}

// apply appends the lines of a change and returns them.
func (f *file) apply(t testing.TB, c session.Change) ([]session.Line, error) {
	t.Helper()
	tree := f.tree(t)
	lines, err := f.format.Write.EncodeChange(tree, c, f.source(tree), f.mint())
	if err != nil && lines != nil {
		t.Errorf("%+v: lines beside the error %v", c, err)
	}
	for _, l := range lines {
		if bytes.ContainsAny(l.Text, "\n\r") || !json.Valid(l.Text) {
			t.Errorf("%+v: not one line of JSON: %q", c, l.Text)
		}
		f.text = append(append(f.text, l.Text...), '\n')
	}
	return lines, err
}

func join(lines []session.Line) string {
	var out strings.Builder
	for _, l := range lines {
		out.Write(l.Text)
		out.WriteByte('\n')
	}
	return out.String()
}

// sample has two branches; the second continues from the first answer.
const sample = `{"type":"session","version":3,"id":"s","timestamp":"2025-03-01T10:00:00.000Z","cwd":"/p"}
{"type":"message","id":"u1","parentId":null,"timestamp":"2025-03-01T10:00:01.000Z","message":{"role":"user","content":"first"}}
{"type":"message","id":"a1","parentId":"u1","timestamp":"2025-03-01T10:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"one"}],"stopReason":"stop"}}
{"type":"message","id":"u2","parentId":"a1","timestamp":"2025-03-01T10:00:03.000Z","message":{"role":"user","content":"left"}}
{"type":"message","id":"a2","parentId":"u2","timestamp":"2025-03-01T10:00:04.000Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.go"}},{"type":"toolCall","id":"c2","name":"edit","arguments":{"path":"b.go"}}],"stopReason":"toolUse"}}
{"type":"message","id":"r1","parentId":"a2","timestamp":"2025-03-01T10:00:05.000Z","message":{"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"ok"}]}}
{ "id" : "r2" , "type":"message","parentId":"r1","timestamp":"2025-03-01T10:00:06.000Z","message":{"role":"toolResult","toolCallId":"c2","toolName":"edit","content":[]}}
{"type":"message","id":"u3","parentId":"a1","timestamp":"2025-03-01T10:00:07.000Z","message":{"role":"user","content":"right"}}
{"type":"custom_message","id":"m1","parentId":"u3","timestamp":"2025-03-01T10:00:08.000Z","customType":"note","content":"n","display":true}
{"type":"message","id":"a3","parentId":"m1","timestamp":"2025-03-01T10:00:09.000Z","message":{"role":"assistant","content":[{"type":"text","text":"two"}],"stopReason":"stop"}}
`

// TestEncode checks the lines that each change appends to sample.
func TestEncode(t *testing.T) {
	const at = `"timestamp":"2025-03-02T07:20:00.000Z"`
	summary := &session.Summary{Text: "what was tried", Read: []string{"a.go"}, Modified: []string{"b.go"}, Program: true}
	for _, c := range []struct {
		name   string
		format *session.Format
		change session.Change
		want   string
	}{
		{"label", &Format, session.Change{Op: session.OpLabel, Entry: "u1", Text: "a <b> \"c\"\n漢"},
			`{"type":"label","id":"a0000001","parentId":"a3",` + at + `,"targetId":"u1","label":"a <b> \"c\"\n漢"}` + "\n"},
		{"label cleared", &Format, session.Change{Op: session.OpLabel, Entry: "u1"},
			`{"type":"label","id":"a0000001","parentId":"a3",` + at + `,"targetId":"u1"}` + "\n"},
		{"name", &Format, session.Change{Op: session.OpName, Text: "  Tree\r\nwork\n"},
			`{"type":"session_info","id":"a0000001","parentId":"a3",` + at + `,"name":"Tree work"}` + "\n"},
		{"branch from an answer", &Format, session.Change{Op: session.OpBranch, Entry: "a1"},
			`{"type":"custom","customType":"session-explorer.branch","id":"a0000001","parentId":"a1",` + at + `}` + "\n"},
		{"branch from a prompt", &Format, session.Change{Op: session.OpBranch, Entry: "u2"},
			`{"type":"custom","customType":"session-explorer.branch","id":"a0000001","parentId":"a1",` + at + `}` + "\n"},
		{"branch before all", &Format, session.Change{Op: session.OpBranch},
			`{"type":"custom","customType":"session-explorer.branch","id":"a0000001","parentId":null,` + at + `}` + "\n"},
		{"branch with a label", &Format, session.Change{Op: session.OpBranch, Entry: "m1", Label: "here"},
			`{"type":"label","id":"a0000001","parentId":"u3",` + at + `,"targetId":"m1","label":"here"}` + "\n"},
		{"branch with both", &Format, session.Change{Op: session.OpBranch, Entry: "u1", Label: "here", Summary: summary},
			`{"type":"branch_summary","id":"a0000001","parentId":null,` + at + `,"fromId":"a3","summary":"what was tried","details":{"readFiles":["a.go"],"modifiedFiles":["b.go"]},"fromHook":true}` + "\n" +
				`{"type":"label","id":"a0000002","parentId":"a0000001",` + at + `,"targetId":"a0000001","label":"here"}` + "\n"},
		{"summary by hand", &OMP, session.Change{Op: session.OpBranch, Entry: "r2", Summary: &session.Summary{Text: "x"}},
			`{"type":"branch_summary","id":"a0000001","parentId":"r2",` + at + `,"fromId":"a3","summary":"x","details":{"readFiles":[],"modifiedFiles":[]}}` + "\n"},
		{"summary by a program", &OMP, session.Change{Op: session.OpBranch, Entry: "r2", Summary: summary},
			`{"type":"branch_summary","id":"a0000001","parentId":"r2",` + at + `,"fromId":"a3","summary":"what was tried","details":{"readFiles":["a.go"],"modifiedFiles":["b.go"]},"fromExtension":true}` + "\n"},
		{"branch to the leaf", &Format, session.Change{Op: session.OpBranch, Entry: "a3", Label: "none", Summary: summary}, ""},
		{"switch", &Format, session.Change{Op: session.OpSwitch, Entry: "r2"},
			`{"type":"custom","customType":"session-explorer.branch","id":"a0000001","parentId":"r2",` + at + `}` + "\n"},
		{"switch to a prompt", &Format, session.Change{Op: session.OpSwitch, Entry: "u2"},
			`{"type":"custom","customType":"session-explorer.branch","id":"a0000001","parentId":"u2",` + at + `}` + "\n"},
		{"switch to the leaf", &Format, session.Change{Op: session.OpSwitch, Entry: "a3"}, ""},
		{"repair", &Format, session.Change{Op: session.OpRepair, Entry: "r2"},
			`{"type":"custom","customType":"session-explorer.repair","id":"a0000001","parentId":"r2",` + at + `}` + "\n"},
		{"copy with results", &Format, session.Change{Op: session.OpCopy, CopyIDs: []string{"u2", "a2", "u2"}},
			`{"type":"custom","customType":"session-explorer.copy","data":{"from":["u2","a2","r1","r2"]},"id":"a0000001","parentId":"a3",` + at + `}` + "\n" +
				`{"type":"message","id":"a0000002","parentId":"a0000001",` + at + `,"message":{"role":"user","content":"left"}}` + "\n" +
				`{"type":"message","id":"a0000003","parentId":"a0000002",` + at + `,"message":{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.go"}},{"type":"toolCall","id":"c2","name":"edit","arguments":{"path":"b.go"}}],"stopReason":"toolUse"}}` + "\n" +
				`{"type":"message","id":"a0000004","parentId":"a0000003",` + at + `,"message":{"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"ok"}]}}` + "\n" +
				`{ "id" : "a0000005" , "type":"message","parentId":"a0000004",` + at + `,"message":{"role":"toolResult","toolCallId":"c2","toolName":"edit","content":[]}}` + "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &file{format: c.format, text: []byte(sample)}
			lines, err := f.apply(t, c.change)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, join(lines)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if tree := f.tree(t); len(lines) > 0 && tree.At(tree.Leaf()).ID != lines[len(lines)-1].ID {
				t.Errorf("the leaf is %s", tree.At(tree.Leaf()).ID)
			}
		})
	}
}

func TestEncodeRefuses(t *testing.T) {
	noID := sample + `{"type":"message","parentId":"a3","message":{"role":"user","content":"x"}}` + "\n"
	openCall := sample + `{"type":"message","id":"a4","parentId":"a3","message":{"role":"assistant","content":[{"type":"toolCall","id":"c3","name":"ls","arguments":{}}],"stopReason":"toolUse"}}` + "\n"
	compaction := sample + `{"type":"compaction","id":"k1","parentId":"a3","summary":"s","firstKeptEntryId":"a3","tokensBefore":1}` + "\n"
	version2 := strings.Replace(sample, `"version":3`, `"version":2`, 1)
	for _, c := range []struct {
		name, text string
		format     *session.Format
		change     session.Change
		want       error
	}{
		{"label of none", sample, &Format, session.Change{Op: session.OpLabel, Entry: "x", Text: "l"}, session.ErrNotFound},
		{"branch to none", sample, &Format, session.Change{Op: session.OpBranch, Entry: "x"}, session.ErrNotFound},
		{"switch to none", sample, &Format, session.Change{Op: session.OpSwitch, Entry: "x"}, session.ErrNotFound},
		{"repair of none", sample, &Format, session.Change{Op: session.OpRepair, Entry: "x"}, session.ErrNotFound},
		{"copy of none", sample, &Format, session.Change{Op: session.OpCopy, CopyIDs: []string{"u1", "x"}}, session.ErrNotFound},
		{"copy of nothing", sample, &Format, session.Change{Op: session.OpCopy}, session.ErrInvalid},
		{"a lone result", sample, &Format, session.Change{Op: session.OpCopy, CopyIDs: []string{"r1"}}, session.ErrInvalid},
		{"a call without result", openCall, &Format, session.Change{Op: session.OpCopy, CopyIDs: []string{"a4"}}, session.ErrInvalid},
		{"copy of a compaction", compaction, &Format, session.Change{Op: session.OpCopy, CopyIDs: []string{"k1"}}, session.ErrInvalid},
		{"label before all", sample, &Format, session.Change{Op: session.OpBranch, Label: "l"}, session.ErrInvalid},
		{"a blank summary", sample, &Format, session.Change{Op: session.OpBranch, Entry: "a1", Summary: &session.Summary{Text: " \n"}}, session.ErrInvalid},
		{"title of oh-my-pi", sample, &OMP, session.Change{Op: session.OpName, Text: "n"}, session.ErrInvalid},
		{"a leaf without id", noID, &Format, session.Change{Op: session.OpLabel, Entry: "u1", Text: "l"}, session.ErrInvalid},
		{"an old version", version2, &Format, session.Change{Op: session.OpLabel, Entry: "u1", Text: "l"}, session.ErrInvalid},
		{"no operation", sample, &Format, session.Change{}, session.ErrInvalid},
	} {
		f := &file{format: c.format, text: []byte(c.text)}
		if lines, err := f.apply(t, c.change); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.name, join(lines), err, c.want)
		}
	}
}

// TestEncodeOddIDs checks that ids which are numbers or hold half a character are written as
// recorded.
func TestEncodeOddIDs(t *testing.T) {
	f := &file{format: &Format, text: []byte(`{"type":"session","version":3,"id":"s"}
{"type":"message","id":7,"parentId":null,"message":{"role":"user","content":"x"}}
{"type":"message","id":"k\ud800","parentId":7,"message":{"role":"user","content":"x"}}
`)}
	lines, err := f.apply(t, session.Change{Op: session.OpLabel, Entry: "7", Text: "l"})
	if want := `"parentId":"k\ud800",`; err != nil || !strings.Contains(join(lines), want) || !strings.Contains(join(lines), `"targetId":7,`) {
		t.Errorf("%s, %v", join(lines), err)
	}
	if tree := f.tree(t); len(tree.Labels()) != 1 || len(tree.Roots()) != 1 {
		t.Error("the label hangs elsewhere")
	}
}

// TestFreshIDs checks that no id is issued twice.
func TestFreshIDs(t *testing.T) {
	f := &file{format: &Format, text: []byte(sample)}
	tree := f.tree(t)
	ids := []string{"u1", "new", "new", "a1", "other"}
	mint := session.IDSource{EntryID: func() string { id := ids[0]; ids = append(ids[1:], id); return id }}
	lines, err := Format.Write.EncodeChange(tree, session.Change{Op: session.OpBranch, Entry: "u1", Label: "l", Summary: &session.Summary{Text: "s"}}, f.source(tree), mint)
	if err != nil || len(lines) != 2 || lines[0].ID != "new" || lines[1].ID != "other" {
		t.Errorf("%v %v", join(lines), err)
	}
	mint.EntryID = func() string { return "u1" }
	lines, err = Format.Write.EncodeChange(tree, session.Change{Op: session.OpLabel, Entry: "u1"}, f.source(tree), mint)
	if err != nil || tree.FindID(lines[0].ID) != session.NoPos {
		t.Errorf("%v %v", join(lines), err)
	}
}

func TestCan(t *testing.T) {
	for _, c := range []struct {
		format *session.Format
		header session.Header
		want   string // for label name branch copy fork migrate: in the file (c), in the sidecar (a), not at all (-)
	}{
		{&Format, session.Header{Version: 3}, "ccccc-"},
		{&OMP, session.Header{Version: 3}, "caccc-"},
		{&OMP, session.Header{Version: 3, HasTitleSlot: true}, "ccccc-"},
		{&Format, session.Header{Version: 1, Migrated: true}, "a---cc"},
		{&OMP, session.Header{Version: 2, Migrated: true}, "a---cc"},
		{&Format, session.Header{Version: 4, IsNewerVersion: true}, "aa----"},
		{&OMP, session.Header{Version: 4, IsNewerVersion: true}, "aa----"},
	} {
		can, got := c.format.Write.Capabilities(c.header), ""
		for _, a := range []session.Ability{can.Label, can.Name, can.Branch, can.Copy, can.Fork, can.Migrate} {
			switch {
			case !a.IsPossible():
				got += "-"
			case a.InSidecar:
				got += "a"
			default:
				got += "c"
			}
		}
		if got != c.want {
			t.Errorf("%s version %d: %s, want %s", c.format.Name, c.header.Version, got, c.want)
		}
	}
}

// changes is what pi 0.58.3 wrote when a session file was changed.
type changes struct {
	Mutations     []mutation
	Rewritten     []json.RawMessage
	Branched      []branched
	BranchSummary []struct {
		OldLeaf, Target, CommonAncestorID *string
		EntryIDs                          []string
	}
}

type mutation struct {
	Step struct {
		Op, Target, At, Summary, Name string
		Label                         *string
	}
	Entry         json.RawMessage
	LeafIDAfter   string
	LabelsAfter   map[string]string
	AppendedLines int
	Error         string
}

type branched struct {
	Leaf    string
	Written bool
	Error   string
	Entries []struct {
		Type, ID        string
		ParentID        *string
		TargetID, Label string
	}
	LeafIDAfter       string
	LabelsAfter       map[string]string
	ContextCountAfter int
}

// recorded runs a test for each session file that was changed with pi.
func recorded(t *testing.T, run func(t *testing.T, f *file, want changes)) {
	files, err := filepath.Glob("../../../testdata/pi/*/changes.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no recorded changes: ", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var want changes
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			input, err := os.ReadFile(filepath.Join(filepath.Dir(path), "input.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			run(t, &file{format: &Format, text: input}, want)
		})
	}
}
