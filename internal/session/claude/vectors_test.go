package claude

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/dag"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/slowtest"
)

// vector is a project and its expected threads.
type vector struct {
	Name    string
	Entries []json.RawMessage
	Expect  struct {
		Roots  []string
		Lines  map[string]vectorLine
		Folded []string
		Rungs  [][2]string
	}
}

type vectorLine struct {
	Parent, Attachment *string
	Branch             bool
	UUIDs              []string
}

// vectors reads all projects of testdata.
func vectors(t testing.TB) (all []vector) {
	files, err := filepath.Glob("../../../testdata/claude/vectors/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no vectors", err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			var v vector
			if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
				t.Fatal(name, err)
			}
			all = append(all, v)
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// read scans and decodes lines as one file.
func read(t testing.TB, lines []json.RawMessage) (entries []*session.Entry) {
	f := newTestFile()
	for i, line := range lines {
		if _, err := scanLine(line, ""); err != nil {
			continue // the store notes a bad line
		}
		e := f.decode(string(line), i+1)
		entries = append(entries, &e)
	}
	return entries
}

func TestVectors(t *testing.T) {
	t.Parallel()
	n := 0
	for _, v := range vectors(t) {
		n++
		t.Run(v.Name, func(t *testing.T) {
			given := read(t, v.Entries)
			unit := session.FileGroup{Names: []string{"s.jsonl"}, Extra: &agentLinks{}}
			w := threadGroup(unit, given)
			a := w
			if diff := cmp.Diff(v.Expect.Lines, trackLines(a), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(sorted(v.Expect.Folded), foldedIDs(a), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("folded (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(rungsWanted(v.Expect.Rungs), rungs(w), cmpopts.EquateEmpty()); diff != "" && v.Expect.Rungs != nil {
				t.Errorf("rungs (-want +got):\n%s", diff)
			}
			checkTree(t, arrangeGroup(unit, given))
		})
	}
	if n < 490 { // vectors of real projects are only available to the conformance tests
		t.Errorf("%d vectors", n)
	}
}

// threadGroup returns the threads before they get positions.
func threadGroup(unit session.FileGroup, given []*session.Entry) *dag.Threads {
	u := newFileGroup(unit, given)
	return dag.NewThreads(dag.NewGraph(u.graphNodes()))
}

func trackLines(a *dag.Threads) map[string]vectorLine {
	out := map[string]vectorLine{}
	for _, l := range a.List {
		g := vectorLine{Branch: l.Branch}
		if l.Parent != "" {
			g.Parent = &l.Parent
		}
		if l.At != dag.NoNode {
			g.Attachment = &a.Graph.Nodes[l.At].ID
		}
		for _, p := range l.Nodes {
			g.UUIDs = append(g.UUIDs, a.Graph.Nodes[p].ID)
		}
		out[l.Name] = g
	}
	return out
}

func sorted(ids []string) []string {
	slices.Sort(ids)
	return ids
}

func foldedIDs(a *dag.Threads) (ids []string) {
	for i, r := range a.FoldedBy {
		if r != 0 {
			ids = append(ids, a.Graph.Nodes[i].ID)
		}
	}
	return sorted(ids)
}

func rungsWanted(pairs [][2]string) (all []string) {
	for _, r := range pairs {
		all = append(all, r[0]+" "+r[1])
	}
	return sorted(all)
}

// rungs returns the decisions in the notation of the vectors: 1A if all children are structural, 1B
// if one other child remains, 1S if some were removed before another rung.
func rungs(w *dag.Threads) (all []string) {
	for at, d := range w.Decided {
		id := " " + w.Graph.Nodes[at].ID
		if d.AfterStructural {
			all = append(all, "1S"+id)
		}
		name := strconv.Itoa(int(d.Rung))
		if name == "1" {
			name = "1" + "AB"[d.ChildrenToDecide:d.ChildrenToDecide+1]
		}
		all = append(all, name+id)
	}
	return sorted(all)
}

// checkTree checks what holds for every tree: each entry appears once, none is its own ancestor,
// and every recorded uuid is present.
func checkTree(t testing.TB, a session.Arrangement) {
	state := make([]byte, len(a.Parent)) // 1 on the way up, 2 known to reach a root
	for i := range a.Parent {
		at := session.Pos(i)
		for at != session.NoPos && state[at] == 0 {
			state[at] = 1
			at = a.Parent[at]
		}
		if at != session.NoPos && state[at] == 1 {
			t.Fatalf("%s stands below itself", a.Entries[at].ID)
		}
		for at = session.Pos(i); at != session.NoPos && state[at] == 1; at = a.Parent[at] {
			state[at] = 2
		}
	}
	ids := map[string]bool{}
	for _, e := range a.Entries {
		if ids[e.ID] {
			t.Fatalf("%s stands twice", e.ID)
		}
		ids[e.ID] = true
	}
}

// TestVectors_LineByLine checks that extending line by line gives the same tree as reading all
// lines at once.
func TestVectors_LineByLine(t *testing.T) {
	t.Parallel()
	slowtest.SkipIfShort(t)
	lines, quick := 0, 0
	for _, v := range vectors(t) {
		given := read(t, v.Entries)
		lines += len(given)
		quick += compareExtended(t, v.Name, session.FileGroup{Names: []string{"s.jsonl"}, Extra: &agentLinks{}}, given)
	}
	t.Logf("%d of %d lines were taken in without arranging all again", quick, lines)
	if quick*3 < lines {
		t.Errorf("only %d of %d lines were taken in without arranging all again", quick, lines)
	}
}

// compareExtended compares a tree that is extended line by line with one that is built from all
// lines.
func compareExtended(t fataler, name string, unit session.FileGroup, given []*session.Entry) (quick int) {
	anew := 0
	arrange := func(g []*session.Entry) session.Arrangement {
		anew++
		return arrangeGroup(unit, g)
	}
	tree := session.BuildArranged(session.Header{}, nil, nil, arrange)
	quick = len(given) + 1 - anew
	for i := range given {
		anew = 0
		tree.AppendEntries(session.Header{}, []session.Entry{*given[i]}, nil)
		quick -= anew
		if every := 1 + len(given)/8; i%every != 0 && i+1 < len(given) {
			continue // comparing takes most of the time
		}
		var all []session.Entry
		for _, e := range given[:i+1] {
			all = append(all, *e)
		}
		want := session.BuildArranged(session.Header{}, [][]session.Entry{all}, nil, arrange)
		if diff := cmp.Diff(treeState(want), treeState(tree)); diff != "" {
			t.Fatalf("%s after line %d (-at once +line by line):\n%s", name, i+1, diff)
		}
	}
	return quick
}

type fataler interface{ Fatalf(string, ...any) }

// treeState returns the tree's observable state.
func treeState(t *session.Tree) map[string]any {
	out := map[string]any{"": outline.Dump(t), "leaf": t.Leaf(), "roots": t.Roots()}
	for p := range session.Pos(t.Len()) {
		e := t.At(p)
		out[e.ID] = []any{t.Parent(p), e.Flags, e.Status(), slices.Clone(t.Children(p)), t.Threads().StartingAt(p) != nil}
	}
	for _, l := range t.Threads().All() {
		out["line "+l.Name] = l
	}
	return out
}
