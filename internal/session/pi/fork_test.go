package pi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// forkOf returns the new file of the path to leaf.
func (f *file) forkOf(t testing.TB, leaf session.Pos) (session.NewFile, *file, error) {
	t.Helper()
	tree := f.tree(t)
	made, err := f.format.Write.Fork(tree, leaf, "/home/tester/from.jsonl", f.source(tree), f.mint())
	out := &file{format: f.format}
	for _, l := range made.Lines {
		text := l.Text
		if text == nil {
			if text, err = f.source(tree)(l.Pos); err != nil {
				t.Fatal(err)
			}
		}
		if bytes.ContainsAny(text, "\n\r") || !json.Valid(text) {
			t.Errorf("not one line of JSON: %q", text)
		}
		out.text = append(append(out.text, text...), '\n')
	}
	return made, out, err
}

func TestForkLines(t *testing.T) {
	text := `{"type":"session","version":3,"id":"s","timestamp":"2025-03-01T10:00:00.000Z","cwd":"/p"}
{"type":"message","id":"u1","parentId":"gone","timestamp":"2025-03-01T10:00:01.000Z","message":{"role":"user","content":"first"}}
{"type":"label","id":"l1","parentId":"u1","timestamp":"2025-03-01T10:00:02.000Z","targetId":"u1","label":"start"}
{"type":"label","id":"l2","parentId":"l1","timestamp":"2025-03-01T10:00:03.000Z","targetId":"l1","label":"of a label"}
{ "type":"message","id":"a1", "parentId" : "l2" ,"timestamp":"2025-03-01T10:00:04.000Z","message":{"role":"assistant","content":"one"} }
{"type":"label","id":"l3","parentId":"a1","timestamp":"2025-03-01T10:00:05.000Z","targetId":"k1","label":"below"}
{"type":"compaction","id":"k1","parentId":"l3","timestamp":"2025-03-01T10:00:06.000Z","summary":"s","firstKeptEntryId":"l2","tokensBefore":9}
{"type":"message","parentId":"k1","timestamp":"bad","message":{"role":"user","content":"no id"}}
`
	f := &file{format: &Format, text: []byte(text)}
	tree := f.tree(t)
	made, out, err := f.forkOf(t, tree.Leaf())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"session","version":3,"id":"01964f3a-2b1c-7d4e-8f00-000000000001","timestamp":"2025-03-02T07:20:00.000Z","cwd":"/p","parentSession":"/home/tester/from.jsonl"}
{"type":"message","id":"u1","parentId":null,"timestamp":"2025-03-01T10:00:01.000Z","message":{"role":"user","content":"first"}}
{ "type":"message","id":"a1", "parentId" : "u1" ,"timestamp":"2025-03-01T10:00:04.000Z","message":{"role":"assistant","content":"one"} }
{"type":"compaction","id":"k1","parentId":"a1","timestamp":"2025-03-01T10:00:06.000Z","summary":"s","firstKeptEntryId":"a1","tokensBefore":9}
{"type":"message","parentId":"k1","timestamp":"bad","message":{"role":"user","content":"no id"},"id":"a0000002"}
{"type":"label","id":"a0000003","parentId":"a0000002","timestamp":"2025-03-01T10:00:02.000Z","targetId":"u1","label":"start"}
{"type":"label","id":"a0000004","parentId":"a0000003","timestamp":"2025-03-01T10:00:05.000Z","targetId":"k1","label":"below"}
`
	if diff := cmp.Diff(want, string(out.text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if made.Name != "2025-03-02T07-20-00-000Z_01964f3a-2b1c-7d4e-8f00-000000000001.jsonl" || made.ID != "01964f3a-2b1c-7d4e-8f00-000000000001" {
		t.Errorf("%s, %s", made.Name, made.ID)
	}
}

// TestForkReadsLittle checks that unchanged lines are not read.
func TestForkReadsLittle(t *testing.T) {
	f := &file{format: &Format, text: []byte(sample)}
	tree := f.tree(t)
	made, err := Format.Write.Fork(tree, tree.Leaf(), "/x", func(session.Pos) ([]byte, error) { return nil, os.ErrInvalid }, f.mint())
	if err != nil || len(made.Lines) != 6 {
		t.Errorf("%d lines, %v", len(made.Lines), err)
	}
}

func TestForkRefuses(t *testing.T) {
	f := &file{format: &Format, text: []byte(sample)}
	tree := f.tree(t)
	for name, try := range map[string]func() error{
		"no answer":  func() error { _, _, err := f.forkOf(t, tree.FindID("u1")); return err },
		"before all": func() error { _, _, err := f.forkOf(t, session.NoPos); return err },
	} {
		if err := try(); !errors.Is(err, session.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestForkHeader(t *testing.T) {
	long := strings.Repeat("/directory", 50)
	for _, c := range []struct {
		name, header, from string
		format             *session.Format
		want               string // keys of the header; "slot" for a title slot before it
	}{
		{"pi", `{"type":"session","version":3,"id":"s","cwd":"/p","title":"T"}`, "/a", &Format, "cwd parentSession"},
		{"long origin", `{"type":"session","version":3,"id":"s","cwd":"/p"}`, long, &Format, "cwd"},
		{"long directory", `{"type":"session","version":3,"id":"s","cwd":"` + long + `"}`, "/a", &Format, "cwd parentSession"},
		{"omp 5", `{"type":"session","version":3,"id":"V1StGXR8_Z5jdHi6B-myT","cwd":"/p","title":"T"}`, "/a", &OMP, "cwd parentSession title"},
		{"omp 18", `{"type":"session","version":3,"id":"01964f3a-2b1c-7d4e-8f00-0123456789ab","cwd":"/p","title":"T"}`, "/a", &OMP, "slot cwd parentSession title"},
		{"omp 18, long title", `{"type":"session","version":3,"id":"01964f3a-2b1c-7d4e-8f00-0123456789ab","cwd":"/p","title":"` + strings.Repeat(`😀\"`, 200) + `"}`, "/a", &OMP, "slot cwd parentSession"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := c.header + sample[strings.Index(sample, "\n"):]
			f := &file{format: c.format, text: []byte(text)}
			tree := f.tree(t)
			made, err := f.format.Write.Fork(tree, tree.Leaf(), c.from, f.source(tree), f.mint())
			if err != nil {
				t.Fatal(err)
			}
			got, header := "", made.Lines[0].Text
			if bytes.HasPrefix(header, []byte(`{"type":"title"`)) {
				if len(header)+1 != slotLen {
					t.Errorf("a slot of %d bytes", len(header)+1)
				}
				got, header = "slot ", made.Lines[1].Text
			}
			if v := jsonl.ObjectFields(value(header)).Get("version"); string(v.Raw) != "3" {
				t.Errorf("version %s, which is not what pi writes", v.Raw)
			}
			keys := strings.Join(jsonl.ObjectFields(value(header)).Keys(), " ")
			got += strings.TrimPrefix(keys, "type version id timestamp ")
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			_, out, err := f.forkOf(t, tree.Leaf())
			if err != nil {
				t.Fatal(err)
			}
			if !c.format.Sniff(out.text) {
				t.Error("the new file is of another format")
			}
			after := out.tree(t).Header()
			if before := tree.Header(); !strings.HasPrefix(before.Name, after.Name) || (after.Name == "") != (before.Name == "") || after.Rules != before.Rules {
				t.Errorf("%+v became %+v", before, after)
			}
		})
	}
}

// TestForkVectors compares forks with those that pi 0.58.3 made of the same paths. They differ
// where pi's are broken: an entry whose parent was a label becomes a child of the entry before, and
// the unknown parent of an orphan is removed.
func TestForkVectors(t *testing.T) {
	recorded(t, func(t *testing.T, f *file, want changes) {
		tree := f.tree(t)
		places := map[string]string{} // our ids by pi's ids
		for p := range session.Pos(tree.Len()) {
			places[fmt.Sprintf("#%d", p)] = tree.At(p).ID
		}
		for _, want := range want.Branched {
			id := want.Leaf
			if made, ok := places[id]; ok {
				id = made
			}
			leaf := tree.FindID(id)
			if want.Error != "" {
				if leaf != session.NoPos {
					t.Errorf("pi refused %s: %s", want.Leaf, want.Error)
				}
				continue
			}
			_, out, err := f.forkOf(t, leaf)
			if !want.Written {
				if !errors.Is(err, session.ErrInvalid) {
					t.Errorf("%s: %v, pi had not written it", want.Leaf, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", want.Leaf, err)
				continue
			}
			checkFork(t, tree, leaf, out.tree(t), want)
		}
	})
}

func checkFork(t *testing.T, source *session.Tree, leaf session.Pos, fork *session.Tree, want branched) {
	t.Helper()
	if fork.Len() != len(want.Entries) {
		t.Fatalf("%s: %d entries, want %d", want.Leaf, fork.Len(), len(want.Entries))
	}
	ids := map[string]string{}
	for i, w := range want.Entries {
		e := fork.At(session.Pos(i))
		ids[w.ID] = e.ID
		if strings.HasPrefix(w.ID, "#") != (source.FindID(e.ID) == session.NoPos) || !strings.HasPrefix(w.ID, "#") && w.ID != e.ID {
			t.Errorf("%s: entry %d is %s, want %s", want.Leaf, i, e.ID, w.ID)
		}
		if fork.Parent(session.Pos(i)) != session.Pos(i-1) {
			t.Errorf("%s: %s hangs on %s", want.Leaf, e.ID, e.Parent)
		}
		if w.Type == "label" && (e.Target() != ids[w.TargetID] || e.Preview != w.Label) {
			t.Errorf("%s: label %q of %s, want %q of %s", want.Leaf, e.Preview, e.Target(), w.Label, w.TargetID)
		}
	}
	if got := fork.At(fork.Leaf()).ID; got != ids[want.LeafIDAfter] {
		t.Errorf("%s: leaf %s, want %s", want.Leaf, got, want.LeafIDAfter)
	}
	labels := map[string]string{}
	for _, l := range fork.Labels() {
		labels[fork.At(l.Target).ID] = l.Text
	}
	wanted := map[string]string{}
	for id, text := range want.LabelsAfter {
		wanted[ids[id]] = text
	}
	if diff := cmp.Diff(wanted, labels); diff != "" {
		t.Errorf("%s: labels (-want +got):\n%s", want.Leaf, diff)
	}
	// The context must be as large as in the source.
	if want, got := len(source.Context(leaf).Items), len(fork.Context(fork.Leaf()).Items); want != got {
		t.Errorf("context of %d messages, want %d", got, want)
	}
}
