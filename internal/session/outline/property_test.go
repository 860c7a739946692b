package outline_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/sessiontest"
)

func drawView(rt *rapid.T, tree *session.Tree) outline.View {
	anyPos := rapid.IntRange(-1, tree.Len()-1)
	v := outline.View{Leaf: session.Pos(anyPos.Draw(rt, "leaf")), Entry: session.Pos(anyPos.Draw(rt, "entry")),
		Filter: outline.Filter(rapid.IntRange(0, 5).Draw(rt, "filter")), Open: map[string]bool{}, DefaultOpen: rapid.Bool().Draw(rt, "unfolded")}
	if rapid.Bool().Draw(rt, "search") {
		v.Query = "words"
	}
	for range rapid.IntRange(0, 5).Draw(rt, "toggles") {
		if p := anyPos.Draw(rt, "toggle"); p >= 0 {
			v.Open[tree.At(session.Pos(p)).ID] = rapid.Bool().Draw(rt, "open")
		}
	}
	return v
}

func build(entries []session.Entry) *session.Tree {
	return session.BuildTree(session.Header{}, slices.Clone(entries), nil)
}

func TestProperty_windows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tree := build(sessiontest.DrawDamagedEntries(rt))
		o := outline.Build(tree, drawView(rt, tree))
		at, n := rapid.IntRange(-5, 60).Draw(rt, "at"), rapid.IntRange(-5, 60).Draw(rt, "rows")
		first, end := o.WindowRange(at, n)
		for i := range o.Rows.Len() {
			if in := i >= at && i < max(at, 0)+n; in != (i >= first && i < end) {
				rt.Fatalf("Window(%d, %d) of %d rows is %d to %d", at, n, o.Rows.Len(), first, end)
			}
		}
	})
}

// The parent row of an outline row is its nearest visible ancestor, in the order of the
// whole list.
func TestProperty_filtersReattach(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tree := build(sessiontest.DrawDamagedEntries(rt))
		v := drawView(rt, tree)
		v.Layout, v.Open, v.Query = outline.LayoutOutline, nil, ""
		o := outline.Build(tree, v)
		for i := range o.Rows.Len() {
			want := -1
			for p := tree.Parent(o.Rows.At(i).Pos); p != session.NoPos && want < 0; p = tree.Parent(p) {
				want = o.FindRow(p)
			}
			if int(o.Rows.At(i).ParentRow) != want {
				rt.Fatalf("row %d of %s hangs on row %d, want %d\n%s", i, tree.At(o.Rows.At(i).Pos).ID, o.Rows.At(i).ParentRow, want, outline.Dump(tree))
			}
		}
		v.Filter = outline.FilterAll
		all := rowsOf(outline.Build(tree, v))
		for i := range o.Rows.Len() {
			at := slices.IndexFunc(all, func(r outline.Row) bool { return r.Pos == o.Rows.At(i).Pos })
			if at < 0 {
				rt.Fatalf("%s has a row under a filter, but not among all", tree.At(o.Rows.At(i).Pos).ID)
			}
			all = all[at+1:]
		}
	})
}

// A truncated prefix is the prefix without its first levels.
func TestProperty_truncatedPrefix(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tree := build(sessiontest.DrawDamagedEntries(rt))
		v := drawView(rt, tree)
		v.Layout = outline.LayoutOutline
		o := outline.Build(tree, v)
		levels := rapid.IntRange(1, 4).Draw(rt, "levels")
		for i := range o.Rows.Len() {
			whole := []rune(o.IndentPrefix(i))
			end, left := o.TruncatedPrefix(i, levels)
			if want := string(whole[left*3:]); end != want || left > 0 && len(whole)/3 != left+levels {
				rt.Fatalf("row %d: prefix %q ends in %q, got %q after %d levels", i, string(whole), want, end, left)
			}
		}
	})
}

func TestProperty_spine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tree := build(sessiontest.DrawDamagedEntries(rt))
		v := drawView(rt, tree)
		o := outline.Build(tree, v)
		picture := func() string { return outline.Dump(tree) + "\n" + drawRows(tree, o) }
		own := map[session.Pos]bool{}
		for i := range o.Rows.Len() {
			r := o.Rows.At(i)
			if r.Kind == outline.RowEntry || r.Kind == outline.RowBranchMark {
				if own[r.Pos] {
					rt.Fatalf("%s has two rows\n%s", tree.At(r.Pos).ID, picture())
				}
				own[r.Pos] = true
			}
			if int(r.Lane) > crossed(tree, r.Pos) {
				rt.Fatalf("row %d of %s stands in lane %d after %d forks\n%s", i, tree.At(r.Pos).ID, r.Lane, crossed(tree, r.Pos), picture())
			}
		}
		for _, bad := range []string{dangling(rowsOf(o)), misplaced(o)} {
			if bad != "" {
				rt.Fatalf("%s\n%s", bad, picture())
			}
		}
		if bad := closedForNothing(rowsOf(o)); bad != "" && v.DefaultOpen && len(v.Open) == 0 {
			rt.Fatalf("%s\n%s", bad, picture())
		}
		if bad := emptyBranch(tree, o, v); bad != "" {
			rt.Fatalf("%s\n%s", bad, picture())
		}
		every := v.Filter == outline.FilterDefault || v.Filter == outline.FilterAll // other filters hide branches
		if rows := countBranchRows(rowsOf(o)); every && v.DefaultOpen && len(v.Open) == 0 && len(tree.Roots()) == 1 && !archives(tree) && o.Branches != rows {
			rt.Fatalf("%d branches, but %d branch rows\n%s", o.Branches, rows, picture())
		}
		if v.Filter == outline.FilterLabeledOnly && v.DefaultOpen && len(v.Open) == 0 && !archives(tree) {
			for _, l := range tree.Labels() {
				if tree.At(l.Target).Kind != session.KindUsage && o.FindRow(l.Target) < 0 {
					rt.Fatalf("labeled %s has no row\n%s", tree.At(l.Target).ID, picture())
				}
			}
		}
		if v.Filter == outline.FilterAll && v.DefaultOpen && len(v.Open) == 0 {
			for p := range session.Pos(tree.Len()) {
				if tree.At(p).Kind != session.KindUsage && o.FindRow(p) < 0 {
					rt.Fatalf("%s has no row among all\n%s", tree.At(p).ID, picture())
				}
			}
		}
	})
}

// Rows of a view with a root are of its subtree, in lanes from 0 on.
func TestProperty_root(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tree := build(sessiontest.DrawEntries(rt))
		v := drawView(rt, tree)
		root := session.Pos(rapid.IntRange(0, tree.Len()-1).Draw(rt, "root"))
		v.Root = tree.At(root).ID
		o := outline.Build(tree, v)
		for i := range o.Rows.Len() {
			p, forks := o.Rows.At(i).Pos, 0
			for ; p != root && p != session.NoPos; p = tree.Parent(p) {
				if len(tree.Children(tree.Parent(p))) > 1 {
					forks++
				}
			}
			if p != root || int(o.Rows.At(i).Lane) > forks {
				rt.Fatalf("row %d in lane %d, %d forks below %s\n%s\n%s", i, o.Rows.At(i).Lane, forks, v.Root, outline.Dump(tree), drawRows(tree, o))
			}
		}
		for _, bad := range []string{dangling(rowsOf(o)), misplaced(o)} {
			if bad != "" {
				rt.Fatalf("%s\n%s", bad, drawRows(tree, o))
			}
		}
	})
}

func countBranchRows(rows []outline.Row) int {
	n := 0
	for i := range rows {
		if rows[i].Kind == outline.RowBranch {
			n++
		}
	}
	return n
}

// emptyBranch describes a branch that is open without rows, or whose title differs from
// that with the default filter.
func emptyBranch(tree *session.Tree, o *outline.Outline, v outline.View) string {
	titles := map[session.Pos]session.Pos{}
	filtered := v.Filter != outline.FilterDefault && v.Filter != outline.FilterAll
	v.Filter, v.DefaultOpen, v.Open = outline.FilterDefault, true, nil
	for _, r := range rowsOf(outline.Build(tree, v)) {
		if r.Kind == outline.RowBranch {
			titles[r.Pos] = r.Title
		}
	}
	for i := range o.Rows.Len() {
		r := o.Rows.At(i)
		if r.Kind == outline.RowBranch && r.Open && filtered && (i+1 == o.Rows.Len() || o.Rows.At(i+1).ParentRow != int32(i)) {
			return fmt.Sprintf("row %d: nothing stands in the branch", i)
		}
		if title, ok := titles[r.Pos]; r.Kind == outline.RowBranch && ok && title != r.Title {
			return fmt.Sprintf("row %d: %s is the title, not %s as by default", i, tree.At(r.Title).ID, tree.At(title).ID)
		}
	}
	return ""
}

// closedForNothing describes a branch with the wrong state: with all open, a branch row
// is leaf-only or its rows follow.
func closedForNothing(rows []outline.Row) string {
	for i := range rows {
		if r := &rows[i]; r.Kind == outline.RowBranch && (r.Open == r.LeafOnly || r.Open != continues(rows[i+1:], r.Lane)) {
			return fmt.Sprintf("row %d: open %v, alone %v", i, r.Open, r.LeafOnly)
		}
	}
	return ""
}

// misplaced describes a row whose PosInRun is wrong.
func misplaced(o *outline.Outline) string {
	rows, placed := rowsOf(o), map[int32]int{}
	for i := range rows {
		placed[rows[i].ParentRow]++ // only branch rows and folded groups can be open
		if r := &rows[i]; int(r.PosInRun) != placed[r.ParentRow] || int(r.ParentRow) >= i || r.ParentRow >= 0 && !rows[r.ParentRow].Open {
			return fmt.Sprintf("row %d says it is row %d under %d", i, r.PosInRun, r.ParentRow)
		}
	}
	for i := range rows {
		if r := &rows[i]; o.RunSize(r) != placed[r.ParentRow] {
			return fmt.Sprintf("row %d says it is one of %d, not %d", i, o.RunSize(r), placed[r.ParentRow])
		}
	}
	return ""
}

func archives(tree *session.Tree) bool {
	for p := range session.Pos(tree.Len()) {
		if tree.At(p).Kind == session.KindArchive {
			return true
		}
	}
	return false
}

// crossed returns the number of forks above p, plus one for a further root.
func crossed(tree *session.Tree, p session.Pos) int {
	n := 0
	for ; p != session.NoPos; p = tree.Parent(p) {
		if up := tree.Parent(p); up != session.NoPos && len(tree.Children(up)) > 1 {
			n++
		}
	}
	return n
}

// dangling describes a lane that is drawn beyond its last row, or that stops before it.
func dangling(rows []outline.Row) string {
	for i := range rows {
		for lane := range min(rows[i].Lane, 62) {
			if drawn, goesOn := rows[i].Through>>lane&1 == 1, continues(rows[i+1:], lane); drawn != goesOn {
				return fmt.Sprintf("row %d: lane %d drawn %v, but goes on below %v", i, lane, drawn, goesOn)
			}
		}
		if r := &rows[i]; r.Lane < 62 && r.Last == continues(rows[i+1:], r.Lane) {
			return fmt.Sprintf("row %d: last of lane %d %v", i, r.Lane, r.Last)
		}
	}
	return ""
}

// continues reports whether lane has another row in rows before it ends: at a row
// further left, or at the start of another lane of its number.
func continues(rows []outline.Row, lane int16) bool {
	for i := range rows {
		r := &rows[i]
		isBranch := r.Kind == outline.RowBranch
		switch {
		case r.RuleAbove, r.Lane < lane, isBranch && r.Lane == lane:
			return false
		case r.Lane == lane, isBranch && r.Lane == lane+1:
			return true
		}
	}
	return false
}

// Viewing an entry opens the branches on its path and recolors lanes; the other rows
// stay the same.
func TestProperty_lookingIsFree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		entries := sessiontest.DrawEntries(rt)
		for i := range entries {
			if entries[i].Kind == session.KindArchive {
				entries[i].Kind = session.KindCustom
			}
		}
		tree := build(entries)
		v := drawView(rt, tree)
		v.Open, v.DefaultOpen = map[string]bool{}, true
		before := outline.Build(tree, v)
		v.Leaf = session.Pos(rapid.IntRange(0, tree.Len()-1).Draw(rt, "other leaf"))
		v.Entry = v.Leaf
		after := outline.Build(tree, v)
		if diff := cmp.Diff(places(before), places(after)); diff != "" {
			rt.Fatalf("viewing %s moved rows:\n%s", tree.At(v.Leaf).ID, diff)
		}
	})
}

func places(o *outline.Outline) []string {
	all := make([]string, o.Rows.Len())
	for i, r := range o.Rows.All() {
		all[i] = fmt.Sprint(r.Pos, r.Kind, r.Call, r.Lane, r.Count, r.Title, o.RunSize(r), r.PosInRun, r.ParentRow, r.Through)
	}
	return all
}

// Labels that another writer sets on a live session are children of the last line, and
// the agent continues from the entry it knows: such a sibling is not a branch.
func TestProperty_labelsAreNoForks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tree := build(sessiontest.DrawEntries(rt))
		before := outline.Build(tree, outline.View{Leaf: tree.Leaf(), Entry: session.NoPos}).Branches
		agent, last := tree.At(tree.Leaf()).ID, tree.At(tree.Leaf()).ID
		for i := range rapid.IntRange(1, 12).Draw(rt, "lines") {
			e := session.Entry{ID: fmt.Sprint("n", i), Flags: session.FlagHasParent | session.FlagText | session.FlagOn, Time: int64(100+i) * 1000}
			e.Span.Line = int32(100 + i)
			if rapid.Bool().Draw(rt, "label") {
				e.Kind, e.Parent, e.OwnDetails().Target, e.Preview = session.KindLabel, last, agent, "mark"
			} else {
				e.Kind, e.Parent, agent = session.KindAssistant, agent, e.ID
			}
			last = e.ID
			tree.AppendEntries(session.Header{}, []session.Entry{e}, nil)
			if got := outline.Build(tree, outline.View{Leaf: tree.Leaf(), Entry: session.NoPos}).Branches; got != before {
				rt.Fatalf("%d branches, want %d as before\n%s", got, before, outline.Dump(tree))
			}
			for _, p := range tree.Subtrees().SiblingBranches(tree.FindID(agent)) {
				if tree.At(p).Kind == session.KindLabel && strings.HasPrefix(tree.At(p).ID, "n") {
					rt.Fatalf("label %s is a branch\n%s", tree.At(p).ID, outline.Dump(tree))
				}
			}
		}
	})
}

// rowsOf returns copies of the rows.
func rowsOf(o *outline.Outline) (rows []outline.Row) {
	for _, r := range o.Rows.All() {
		rows = append(rows, *r)
	}
	return rows
}

// With everything open there is a row for everything that any view opens.
func TestOutline_OpenAll(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tree := session.BuildTree(session.Header{}, sessiontest.DrawEntries(rt), nil)
		v := drawView(rt, tree)
		v.Layout, v.Query, v.Root = outline.LayoutSpine, "", ""
		some := outline.Build(tree, v)
		v.OpenAll = true
		all := outline.Build(tree, v)
		type name struct {
			kind outline.RowKind
			pos  session.Pos
			call int16
		}
		at := 0
		for _, r := range some.Rows.All() {
			for at < all.Rows.Len() && (name{all.Rows.At(at).Kind, all.Rows.At(at).Pos, all.Rows.At(at).Call}) != (name{r.Kind, r.Pos, r.Call}) {
				at++
			}
			if at == all.Rows.Len() {
				rt.Fatalf("row of %d is not among all rows, or not in this order", r.Pos)
			}
			if a := all.Rows.At(at); a.PosInRun != r.PosInRun || all.RunSize(a) != some.RunSize(r) || a.Lane != r.Lane || a.Leaf != r.Leaf || a.Title != r.Title || a.LeafOnly != r.LeafOnly {
				rt.Fatalf("%+v is %+v with everything open", r, a)
			}
		}
	})
}
