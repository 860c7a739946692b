package outline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/sessiontest"
)

func TestFound(t *testing.T) {
	t.Parallel()
	const called = "u user one\na asst calls=c1:bash:ls stop=toolUse\nr tool call=c1 out\nb asst done"
	const folded = "u user one\na asst\nl label target=u x\nl2 label target=u y\nl3 label target=gone z\nb<a user next"
	only := func(ids ...string) func(*session.Tree, *outline.View) {
		return func(t *session.Tree, v *outline.View) {
			v.Query, v.MatchesEntry = "any", func(p session.Pos) bool { return strings.Contains(strings.Join(ids, " "), t.At(p).ID) }
		}
	}
	for _, c := range []struct {
		name, in string
		view     func(*session.Tree, *outline.View)
		want     string
	}{
		{"in closed branches at their stub, in the order of rows", nested, only("d", "b", "f", "u"), "u@0 b@2 d@2 f@4"},
		{"in open ones at their rows", nested, func(t *session.Tree, v *outline.View) {
			only("d", "x", "f")(t, v)
			v.Open = map[string]bool{"b": true}
		}, "d@4 x@5 f@7"},
		{"the line of a label at its target, once", nested + "\nl label target=c mark", only("l", "c"), "c@2"},
		{"a label that was replaced nowhere", nested + "\nl label target=c old\nm label target=c new", only("l"), ""},
		{"bookkeeping nowhere", nested + "\nm model x", only("m"), ""},
		{"in a folded group at its row, a current label at its target", folded, only("l", "l2", "l3"), "u@0 l@2 l3@2"},
		{"in an open group at their rows", folded, func(t *session.Tree, v *outline.View) {
			only("l", "l3")(t, v)
			v.Open = map[string]bool{"l": true}
		}, "l@3 l3@5"},
		{"but at its row among all", nested + "\nm model x", func(t *session.Tree, v *outline.View) {
			only("m")(t, v)
			v.Filter = outline.FilterAll
		}, "m@5"},
		{"an answer of calls at their results", called, only("a"), "r@1"},
		{"what the filter hides nowhere", called, func(t *session.Tree, v *outline.View) {
			only("r", "u")(t, v)
			v.Filter = outline.FilterUserOnly
		}, "u@0"},
		{"outline: below a fold at its row", nested, func(t *session.Tree, v *outline.View) {
			only("b", "d", "f")(t, v)
			v.Layout, v.Open = outline.LayoutOutline, map[string]bool{"b": false}
		}, "f@0 b@1 d@1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := sessiontest.Tree(strings.ReplaceAll(c.in, "asst\n", "asst ok\n"))
			view := looking(tree)
			c.view(tree, &view)
			var got []string
			for _, f := range outline.Build(tree, view).Found {
				got = append(got, fmt.Sprint(tree.At(f.Pos).ID, "@", f.Row))
			}
			if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
		})
	}
}

// Every hit is at a marked row, in the order of rows, and no entry occurs twice.
func TestProperty_found(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tree := build(sessiontest.DrawDamagedEntries(rt))
		v := drawView(rt, tree)
		v.Query, v.Layout = "words", outline.Layout(rapid.IntRange(0, 1).Draw(rt, "layout"))
		v.MatchesEntry = func(p session.Pos) bool { return tree.MatchesQuery(p, session.ParseQuery("words")) }
		o := outline.Build(tree, v)
		seen, last := map[session.Pos]bool{}, int32(0)
		for _, f := range o.Found {
			if seen[f.Pos] || f.Row < last || int(f.Row) >= o.Rows.Len() || !o.Rows.At(int(f.Row)).Hit {
				rt.Fatalf("%s found at row %d after row %d\n%s\n%s", tree.At(f.Pos).ID, f.Row, last, outline.Dump(tree), drawRows(tree, o))
			}
			seen[f.Pos], last = true, f.Row
		}
	})
}
