package outline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/sessiontest"
)

// viewed draws the viewed path with heavy lines.
var viewed = strings.NewReplacer("│", "┃", "├─", "┣━", "╰─", "┗━", "●", "◉", "┬", "┳", "▸", "▶", "·", "•", "◌", "◎")

// drawRows draws spine rows: lanes, id, and other marks in brackets.
func drawRows(tree *session.Tree, o *outline.Outline) string {
	var b strings.Builder
	for i := range o.Rows.Len() {
		r := o.Rows.At(i)
		if r.RuleAbove {
			b.WriteString("---\n")
		}
		for _, c := range r.GraphCells() {
			if c.Path {
				c.Text = viewed.Replace(c.Text)
			}
			b.WriteString(c.Text)
		}
		b.WriteString(" " + tree.At(r.Title).ID)
		switch r.Kind {
		case outline.RowBranch:
			fmt.Fprintf(&b, " stub of %s, %d", tree.At(r.Pos).ID, r.Count)
		case outline.RowFoldedGroup:
			fmt.Fprintf(&b, " fold %d", r.Count)
		case outline.RowCall:
			fmt.Fprintf(&b, " call %d", r.Call)
		}
		for _, mark := range []struct {
			on   bool
			text string
		}{{r.Leaf, "leaf"}, {r.Hit, "hit"}, {i == o.Selected, "selected"}} {
			if mark.on {
				b.WriteString(" <" + mark.text + ">")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// looking returns a view of the leaf with nothing selected.
func looking(tree *session.Tree) outline.View {
	return outline.View{Leaf: tree.Leaf(), Entry: session.NoPos}
}

const nested = `
	u user one
	a asst two
	b user left
	c asst left reply
	d user deeper
	x<c user deeper too
	e<a user goes on
	f asst reply`

func TestSpine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		view     func(*session.Tree, *outline.View)
		want     string
	}{
		{name: "other branches are closed stubs under their parent", in: nested, want: `
			◉ u
			◉ a
			┣━▸ b stub of b, 4
			◉ e
			◉ f <leaf> <selected>`},
		{name: "a viewed branch is open, and the spine stays where it is", in: nested,
			view: func(t *session.Tree, v *outline.View) { v.Leaf, v.Entry = t.FindID("x"), t.FindID("c") }, want: `
			◉ u
			◉ a
			┣━┳ b stub of b, 4
			│ ◉ c <selected>
			│ ┣━● d stub of d, 1
			│ ◉ x
			● e
			● f <leaf>`},
		{name: "the older child of a side branch is the stub, also when it is viewed", in: nested,
			view: func(t *session.Tree, v *outline.View) { v.Leaf = t.FindID("d") }, want: `
			◉ u
			◉ a
			┣━┳ b stub of b, 4
			│ ◉ c
			│ ┣━◉ d stub of d, 1 <selected>
			│ ● x
			● e
			● f <leaf>`},
		{name: "a branch on the viewed path closes when asked to", in: nested,
			view: func(t *session.Tree, v *outline.View) {
				v.Leaf, v.Open = t.FindID("x"), map[string]bool{"b": false}
			}, want: `
			◉ u
			◉ a
			┣━▶ b stub of b, 4 <selected>
			● e
			● f <leaf>`},
		{name: "opened without being viewed", in: nested,
			view: func(_ *session.Tree, v *outline.View) { v.Open = map[string]bool{"b": true, "d": true} }, want: `
			◉ u
			◉ a
			┣━┬ b stub of b, 4
			┃ ● c
			┃ ├─● d stub of d, 1
			┃ ● x
			◉ e
			◉ f <leaf> <selected>`},
		{name: "rows that begin with a branch have it in lane 0", in: nested,
			view: func(t *session.Tree, v *outline.View) { v.Root, v.Leaf, v.Entry = "b", t.FindID("x"), t.FindID("c") }, want: `
			◉ b
			◉ c <selected>
			┣━● d stub of d, 1
			◉ x`},
		{name: "and all rows when it is not there", in: "u user\na asst",
			view: func(_ *session.Tree, v *outline.View) { v.Root = "zz" }, want: `
			◉ u
			◉ a <leaf> <selected>`},
		{name: "failed calls, with the prompts, and branches that have some", in: "u user one\na asst calls=c1:bash:ls stop=toolUse\nr tool call=c1 flag=error\nv user two\n" +
			"b asst calls=c2:bash:ls stop=toolUse\nq tool call=c2\nw<r user left\nc asst calls=c3:bash:ls stop=toolUse\ns tool call=c3 flag=error\ny<r user talk\nz asst talk\nn<q user last\nl asst leaf",
			view: func(_ *session.Tree, v *outline.View) { v.Filter = outline.FilterFailed }, want: `
			◉ u
			◉ r <hit>
			┣━▸ w stub of w, 3 <hit>
			◉ v
			◉ n
			◉ l <leaf> <selected>`},
		{name: "a selected hit that the filter hides", in: "u user one\na asst text\nb asst more",
			view: func(t *session.Tree, v *outline.View) {
				v.Filter, v.Query, v.Entry = outline.FilterUserOnly, "text", t.FindID("a")
				v.MatchesEntry = func(p session.Pos) bool { return t.At(p).ID == "a" }
			}, want: `
			◉ u
			◉ a <leaf> <hit> <selected>`},
		{name: "before the first entry", in: nested,
			view: func(_ *session.Tree, v *outline.View) { v.Leaf = session.NoPos }, want: `
			● u
			● a
			├─▸ b stub of b, 4
			● e
			● f <leaf> <selected>`},
		{name: "a lane whose parent is its last row ends at the last stub",
			in: "u user\na asst at=2\nb<u asst at=3\nm<u model at=9 x", want: `
			◉ u <leaf> <selected>
			├─● a stub of a, 1
			╰─● b stub of b, 1`},
		{name: "bookkeeping branches fold under their parent",
			in: "u user\na asst\nl label target=u x\nl2 label target=u y\nb<a user next", want: `
			◉ u
			◉ a
			• l fold 2
			◉ b <leaf> <selected>`},
		{name: "which open by the id of their first line",
			in:   "u user\na asst\nl label target=u x\nl2 label target=u y\nb<a user next",
			view: func(_ *session.Tree, v *outline.View) { v.Open = map[string]bool{"l": true} }, want: `
			◉ u
			◉ a
			• l fold 2
			◉ l
			◉ l2
			◉ b <leaf> <selected>`},
		{name: "an entry that opens a branch does not open the lines folded under it",
			in:   "u user\na user aside\nl label target=u x\nl2<a label target=u y\nc<a user on\nb<u user next",
			view: func(_ *session.Tree, v *outline.View) { v.Open = map[string]bool{"a": true} }, want: `
			◉ u
			┣━┬ a stub of a, 4
			┃ · l fold 2
			┃ ● c
			◉ b <leaf> <selected>`},
		{name: "a line looked at in an open fold carries the cursor",
			in: "u user\na asst\nl label target=u x\nl2 label target=u y\nb<a user next",
			view: func(t *session.Tree, v *outline.View) {
				v.Open, v.Leaf, v.Entry = map[string]bool{"l": true}, t.FindID("l2"), t.FindID("l2")
			}, want: `
			◉ u
			◉ a
			• l fold 2
			◉ l
			◉ l2 <selected>
			● b <leaf>`},
		{name: "and are ordinary rows with filter all",
			in:   "u user\na asst\nl label target=u x\nl2 label target=u y\nb<a user next",
			view: func(_ *session.Tree, v *outline.View) { v.Filter = outline.FilterAll }, want: `
			◉ u
			◉ a
			◉ l
			◉ l2
			◉ b <leaf> <selected>`},
		{name: "usage alone folds to nothing", in: "u user\na asst hm\ns usage\nb<a user next", want: `
			◉ u
			◉ a
			◉ b <leaf> <selected>`},
		{name: "several roots, the one with the leaf first",
			in: "a user one\nb asst x\nc< user two\nd asst y\ne< user three", want: `
			◉ e <leaf> <selected>
			---
			● a
			● b
			---
			● c
			● d`},
		{name: "a hidden leaf tags its nearest visible ancestor", in: "u user\na asst\nm model x", want: `
			◉ u
			◉ a <leaf> <selected>`},
		{name: "a mark has a row in every filter", in: "u user\na asst\nb user left\nm<a mark",
			view: func(_ *session.Tree, v *outline.View) { v.Filter = outline.FilterUserOnly }, want: `
			◉ u
			┣━● b stub of b, 1
			◎ m <leaf> <selected>`},
		{name: "filters hide rows, never lanes", in: nested,
			view: func(t *session.Tree, v *outline.View) {
				v.Filter, v.Leaf = outline.FilterUserOnly, t.FindID("x")
			}, want: `
			◉ u
			┣━┳ b stub of b, 4
			│ ┣━● d stub of d, 1
			│ ◉ x <selected>
			● e <leaf>`},
		{name: "labeled only", in: nested + "\nl label target=c mark",
			view: func(_ *session.Tree, v *outline.View) {
				v.Filter, v.Open = outline.FilterLabeledOnly, map[string]bool{"b": true}
			}, want: `
			╰─┬ b stub of b, 4
			  ● c <selected>`},
		{name: "a branch without anything the filter asks for is left out, a viewed one too", in: nested + "\nl label target=f mark",
			view: func(t *session.Tree, v *outline.View) {
				v.Filter, v.Leaf = outline.FilterLabeledOnly, t.FindID("x")
			}, want: `
			● f <leaf> <selected>`},
		{name: "no filter changes what a branch is called", in: nested + "\nl label target=x mark",
			view: func(_ *session.Tree, v *outline.View) { v.Filter = outline.FilterLabeledOnly }, want: `
			╰─▸ b stub of b, 4 <selected>`},
		{name: "nothing is labeled", in: nested,
			view: func(_ *session.Tree, v *outline.View) { v.Filter = outline.FilterLabeledOnly }, want: ""},
		{name: "a branch that begins with an answer is named by it",
			in:   "u user\na asst first\nb user thanks\nc<u asst second",
			view: func(_ *session.Tree, v *outline.View) { v.Open = map[string]bool{"a": true} }, want: `
			◉ u
			┣━┬ a stub of a, 2
			┃ ● b
			◉ c <leaf> <selected>`},
		{name: "a fork before the first row",
			in: "m model x\na user one\nb<m user two", want: `
			┣━● a stub of a, 1
			◉ b <leaf> <selected>`},
		{name: "a query marks rows, and closed branches that hold a match", in: nested,
			view: func(_ *session.Tree, v *outline.View) { v.Query = "deeper" }, want: `
			◉ u
			◉ a
			┣━▸ b stub of b, 4 <hit>
			◉ e
			◉ f <leaf> <selected>`},
		{name: "an answer of calls that run is their rows", in: "u user\na asst calls=c1:bash:ls,c2:read:x", want: `
			◉ u
			• a call 0
			• a call 1 <leaf> <selected>`},
		{name: "an answer without words has a row only where the agent stands", in: "u user\na asst stop=toolUse\nb user\nc asst", want: `
			◉ u
			◉ b
			◉ c <leaf> <selected>`},
		{name: "no tools", in: "u user\na asst look calls=c1:bash:ls,c2:x:y\nt tool call=c1 out\nb asst done",
			view: func(_ *session.Tree, v *outline.View) { v.Filter = outline.FilterNoTools }, want: `
			◉ u
			◉ a
			◉ b <leaf> <selected>`},
		{name: "an archived branch is out of sight", in: nested + "\nh archive target=b flag=on", want: `
			◉ u
			◉ a
			◉ e
			◉ f <leaf> <selected>`},
		{name: "an archived branch that is viewed is not", in: nested + "\nh archive target=b flag=on",
			view: func(t *session.Tree, v *outline.View) { v.Leaf = t.FindID("b") }, want: `
			◉ u
			◉ a
			┣━┳ b stub of b, 4 <selected>
			│ ● c
			│ ├─● d stub of d, 1
			│ ● x
			● e
			● f <leaf>`},
		{name: "nothing passes the filter", in: "u asst hm",
			view: func(_ *session.Tree, v *outline.View) { v.Filter = outline.FilterUserOnly }, want: ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := sessiontest.Tree(strings.ReplaceAll(c.in, "asst\n", "asst ok\n"))
			view := looking(tree)
			if c.view != nil {
				c.view(tree, &view)
			}
			want := sessiontest.Dedent(c.want)
			if c.want == "" {
				want = ""
			}
			if diff := cmp.Diff(want, drawRows(tree, outline.Build(tree, view))); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
}
