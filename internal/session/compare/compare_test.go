package compare

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/session/prices"
	"sessiontree/internal/session/sessiontest"
	"sessiontree/internal/session/spend"
)

func sheetOf(t *session.Tree) *spend.Sheet {
	return spend.ReadSheet(t, prices.Default(), spend.Ownership{})
}

// withCosts gives every answer a cost and tokens that depend on its position.
func withCosts(entries []session.Entry) []session.Entry {
	for i := range entries {
		if entries[i].Kind == session.KindAssistant {
			entries[i].OwnDetails().Charge = &session.Charge{Key: uint64(i), HasCost: true, Usage: session.Usage{Cost: float64(i+1) / 64, Input: int64(i + 1), Output: 1}}
		}
	}
	return entries
}

// The shared entries and those of a side are the path of the side, and cost what it costs.
func TestPaths(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tree := session.BuildTree(session.Header{}, withCosts(sessiontest.DrawDamagedEntries(rt)), nil)
		if tree.Len() == 0 {
			rt.Skip("no entries")
		}
		ends := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) session.Pos { return session.Pos(rapid.IntRange(0, tree.Len()-1).Draw(rt, "end")) }), 2, 4).Draw(rt, "ends")
		costs := sheetOf(tree)
		c := Paths(tree, costs, ends...)
		sum := func(ps []session.Pos) (n int, cost float64) {
			for _, p := range ps {
				n += int(tree.Traits(p).CountWeight())
				cost += costs.Entry(p).Cost
			}
			return n, cost
		}
		_, sharedCost := sum(tree.Path(c.Ancestor))
		for i := range c.Sides {
			s := &c.Sides[i]
			n, cost := sum(tree.Path(ends[i]))
			if c.Shared+s.Entries != n || math.Abs(sharedCost+s.Cost-cost) > 1e-9 {
				rt.Errorf("%d shared and %d own entries of %d, $%v and $%v of $%v", c.Shared, s.Entries, n, sharedCost, s.Cost, cost)
			}
			turns := 0
			for k := range s.Turns {
				turns += s.Turns[k].Prompts
			}
			if turns != s.Prompts || s.Tokens < s.Output {
				rt.Errorf("%d prompts in the turns of %+v", turns, s.Facts)
			}
		}
		if steps := AlignTurns(&c.Sides[0], &c.Sides[1]); len(steps) > len(c.Sides[0].Turns)+len(c.Sides[1].Turns) {
			rt.Errorf("%d steps", len(steps))
		}
	})
}

func TestAlignTurns(t *testing.T) {
	t.Parallel()
	tree := sessiontest.Tree("u user one\na<u asst two\nb<a asst goes on\nc<b user left\nd<a user right\ne<d asst ok\nf<e user more")
	c := Paths(tree, sheetOf(tree), tree.FindID("c"), tree.FindID("f"))
	var got []string
	id := func(turn *Turn) string {
		switch {
		case turn == nil:
			return "-"
		case turn.Prompt == session.NoPos:
			return "..."
		}
		return tree.At(turn.Prompt).ID
	}
	for _, s := range AlignTurns(&c.Sides[0], &c.Sides[1]) {
		got = append(got, id(s.A)+" "+id(s.B))
	}
	if got, want := strings.Join(got, "|"), "... -|c d|- f"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDiffWords(t *testing.T) {
	t.Parallel()
	text := func(parts []Part) string {
		var b strings.Builder
		for _, p := range parts {
			if p.Differ {
				b.WriteString("[" + p.Text + "]")
			} else {
				b.WriteString(p.Text)
			}
		}
		return b.String()
	}
	for _, c := range []struct {
		a, b         string
		like         Likeness
		wantA, wantB string
	}{
		{"the same", "the same", Same, "the same", "the same"},
		{"compact after 40 reads, then ask which files. no mocks", "compact after 40 reads, then edit a file. no mocks", OnePhrase,
			"compact after 40 reads, then [ask which files]. no mocks", "compact after 40 reads, then [edit a file]. no mocks"},
		{"add a test for it and run it", "add a bench for it and print it twice", Rewritten, "add a [test] for it and [run it]", "add a [bench] for it and [print it twice]"},
		{"good. document it", "too expensive, stop here", Unrelated, "[good. document it]", "[too expensive, stop here]"},
		{"", "new", Unrelated, "[]", "[new]"},
		{"keep it", "keep it short", OnePhrase, "keep it", "keep it [short]"},
	} {
		like, a, b := DiffWords(c.a, c.b)
		if like != c.like || text(a) != c.wantA || text(b) != c.wantB {
			t.Errorf("%q and %q: %d, %q, %q", c.a, c.b, like, text(a), text(b))
		}
	}
}

// The parts of a text are the text, and the texts without differences are equal.
func TestDiffWords_parts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("ab, é\n")), 0, 40, -1)
		a, b := text.Draw(rt, "a"), text.Draw(rt, "b")
		_, partsA, partsB := DiffWords(a, b)
		join := func(parts []Part, only func(Part) bool) (s string) {
			for _, p := range parts {
				if only(p) {
					s += p.Text
				}
			}
			return s
		}
		all := func(Part) bool { return true }
		equal := func(p Part) bool { return !p.Differ }
		if join(partsA, all) != a || join(partsB, all) != b {
			rt.Errorf("%q is %v, %q is %v", a, partsA, b, partsB)
		}
		trim := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if x, y := trim(join(partsA, equal)), trim(join(partsB, equal)); x != y {
			rt.Errorf("%q and %q have %q and %q in common", a, b, x, y)
		}
	})
}

// editTree returns a tree in which two branches edit files, and the bodies of its entries.
func editTree() (*session.Tree, filediff.Bodies) {
	bodies := map[string]*session.Body{}
	var entries []session.Entry
	add := func(id, parent string, k session.Kind, d session.Details, body session.Body) {
		e := session.Entry{ID: id, Parent: parent, Kind: k, Details: &d, Flags: session.FlagText, Time: int64(len(entries)) * 1000}
		if parent != "" {
			e.Flags |= session.FlagHasParent
		}
		entries, bodies[id] = append(entries, e), &body
	}
	edit := func(id, parent, tool, file, content, diff string) {
		args, _ := json.Marshal(map[string]string{"path": file, "content": content})
		add(id, parent, session.KindAssistant, session.Details{Calls: []session.ToolCall{{ID: "c" + id, Name: tool, Arg: file}}},
			session.Body{Blocks: []session.Block{{Kind: session.BlockToolCall, Name: tool, ID: "c" + id, Args: args}}})
		add("r"+id, id, session.KindToolResult, session.Details{Call: "c" + id}, session.Body{Blocks: []session.Block{{Kind: session.BlockDiff, Text: diff}}})
	}
	add("u", "", session.KindUser, session.Details{}, session.Body{})
	edit("a1", "u", "edit", "x.go", "", " 1 a\n-2 b\n+2 c")
	edit("a2", "ra1", "edit", "/w/x.go", "", " 1 a\n-2 c\n+2 d")
	edit("b1", "u", "edit", "x.go", "", " 1 a\n-2 b\n+2 d")
	edit("b2", "rb1", "bash", "y.go", "", "")
	add("b3", "rb2", session.KindAssistant, session.Details{Calls: []session.ToolCall{{ID: "w", Name: "write", Arg: "y.go", Outcome: &session.Outcome{}}}},
		session.Body{Blocks: []session.Block{{Kind: session.BlockToolCall, ID: "w", Args: json.RawMessage(`{"path":"y.go","content":"1\n2\n"}`)}}})
	tree := session.BuildTree(session.Header{Cwd: "/w"}, entries, nil)
	return tree, func(p session.Pos) *session.Body { return bodies[tree.At(p).ID] }
}

func TestJoinFiles(t *testing.T) {
	t.Parallel()
	tree, bodies := editTree()
	c := Paths(tree, sheetOf(tree), tree.FindID("ra2"), tree.FindID("b3"))
	var edits filediff.Edits
	edits.Read(tree, c.EditCalls(tree), bodies)
	files := c.JoinFiles(tree, &edits)
	if len(files) != 2 || files[0].Path != "/w/x.go" || files[1].Path != "/w/y.go" || !files[0].IsIdentical(0, 1) || files[1].Sides[0] != nil {
		t.Fatalf("files %+v", files)
	}
	if f := files[0].Sides[0]; len(f.Edits) != 2 || f.Added != 1 || f.Removed != 1 || f.New {
		t.Errorf("x.go %+v", f)
	}
	if f := files[1].Sides[1]; f.Added != 2 || f.New {
		t.Errorf("y.go, which a command names before, %+v", f)
	}
	if a, b := SumFiles(files, 0), SumFiles(files, 1); a != (FileTotals{1, 1, 1}) || b != (FileTotals{2, 3, 1}) {
		t.Errorf("totals %+v, %+v", a, b)
	}
	if n := len(filediff.Positions(c.EditCalls(tree))); n != 7 {
		t.Errorf("%d entries with edits", n)
	}
}

// Edits whose texts are not known are never identical.
func TestIsIdentical_unknown(t *testing.T) {
	t.Parallel()
	known := filediff.Join([]filediff.Edit{{Content: "a"}})
	unknown := filediff.Join([]filediff.Edit{{Content: "a"}, {Lines: []filediff.Line{}}})
	f := File{Sides: []*filediff.File{{Net: known}, {Net: known}, {Net: unknown}, {Net: unknown}}}
	if !f.IsIdentical(0, 1) || f.IsIdentical(1, 2) || f.IsIdentical(2, 3) || f.IsUnknown(0) || !f.IsUnknown(2) {
		t.Errorf("%+v and %+v", known, unknown)
	}
	if n := filediff.Join([]filediff.Edit{{Lines: []filediff.Line{}}, {Content: "a"}}); n.Unknown {
		t.Error("an edit before the whole file was replaced is unknown")
	}
}

// BenchmarkPaths compares the path of a session of 50,000 entries with a branch in the middle.
func BenchmarkPaths(b *testing.B) {
	tree := session.BuildTree(session.Header{}, withCosts(sessiontest.Chain(50_000, 25_000)), nil)
	tips := tree.BranchTips()
	costs := sheetOf(tree)
	b.ReportAllocs()
	for b.Loop() {
		c := Paths(tree, costs, tips[0].Pos, tips[len(tips)-1].Pos)
		AlignTurns(&c.Sides[0], &c.Sides[1])
	}
}
