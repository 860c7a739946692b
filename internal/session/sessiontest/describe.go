package sessiontest

import (
	"fmt"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
)

// Describe returns a text with everything observable of a tree. Two trees of the same
// files have the same description, whatever the order in which their lines were read.
func Describe(t *session.Tree) string {
	d := treeDescriber{t: t}
	d.printf("header %+v\nleaf %s\nsessions %v\nroots %s\n", t.Header(), d.entryName(t.Leaf()), t.SessionIDs(), d.entryNames(t.Roots()))
	d.printEntries()
	d.printThreads()
	for _, f := range []outline.Filter{outline.FilterDefault, outline.FilterNoTools, outline.FilterUserOnly, outline.FilterAll} {
		d.printRows(outline.View{Leaf: t.Leaf(), Entry: session.NoPos, Filter: f, DefaultOpen: true})
	}
	d.printRows(outline.View{Leaf: t.Leaf(), Entry: session.NoPos})
	d.printRows(outline.View{Leaf: t.Leaf(), Entry: session.NoPos, Layout: outline.LayoutOutline})
	d.printRest()
	return d.b.String()
}

type treeDescriber struct {
	t *session.Tree
	b strings.Builder
}

func (d *treeDescriber) printf(format string, args ...any) { fmt.Fprintf(&d.b, format, args...) }

func (d *treeDescriber) entryName(p session.Pos) string {
	if p == session.NoPos {
		return "-"
	}
	return d.t.At(p).ID
}

func (d *treeDescriber) entryNames(ps []session.Pos) string {
	var all []string
	for _, p := range ps {
		all = append(all, d.entryName(p))
	}
	return strings.Join(all, " ")
}

// printEntries prints the entries sorted by id.
func (d *treeDescriber) printEntries() {
	order := make([]session.Pos, d.t.Len())
	for p := range order {
		order[p] = session.Pos(p)
	}
	slices.SortFunc(order, func(a, b session.Pos) int { return strings.Compare(d.entryName(a), d.entryName(b)) })
	for _, p := range order {
		e := d.t.At(p)
		d.printf("%s under %s, line %d, %v %x %q %q %q %q, children %s, size %d, answer %s\n", e.ID, d.entryName(d.t.Parent(p)), e.Span.Line,
			e.Kind, e.Flags, e.Name, e.Preview, e.Status(), e.Target(), d.entryNames(d.t.Children(p)), d.t.Subtrees().Size(p), d.entryName(d.t.FindToolResult(e.CallID())))
	}
}

func (d *treeDescriber) printThreads() {
	lines := slices.Clone(d.t.Threads().All())
	slices.SortFunc(lines, func(a, b session.Thread) int { return strings.Compare(a.Name, b.Name) })
	for _, l := range lines {
		d.printf("line %s %q of %s, agent %q, under %q at %s, branch %v, leaf %s: %s\n",
			l.Name, l.Title, l.Session, l.Agent, l.Parent, d.entryName(l.At), l.Branch, d.entryName(l.Leaf), d.entryNames(l.Entries))
	}
}

func (d *treeDescriber) printRows(v outline.View) {
	o := outline.Build(d.t, v)
	d.printf("rows %v %v: %d entries, %d visible, %d branches, selected %d\n", v.Layout, v.Filter, o.Entries, o.Visible, o.Branches, o.Selected)
	for _, row := range o.Rows.All() {
		r := *row
		at, title := r.Pos, r.Title
		r.Pos, r.Title = 0, 0
		d.printf("%s %s %s of %d %+v\n", d.entryName(at), d.entryName(title), d.t.RowText(title), o.RunSize(row), r)
	}
}

func (d *treeDescriber) printRest() {
	for _, tip := range d.t.BranchTips() {
		d.printf("tip %s last %s fork %s prompt %s, %d entries, %d, current %v\n", d.entryName(tip.Pos), d.entryName(tip.Last), d.entryName(tip.Fork), d.entryName(tip.Prompt),
			tip.Entries, tip.Time, tip.Current)
	}
	for _, l := range d.t.Labels() {
		d.printf("label %q on %s\n", l.Text, d.entryName(l.Target))
	}
	for _, n := range d.t.Notes() {
		d.printf("note %s line %d %s %s\n", n.Code, n.Line, n.Entry, n.Text)
	}
	c := d.t.Context(d.t.Leaf())
	d.printf("context of %s, %d tokens, %s:", c.Model, c.Tokens, c.Thinking)
	for _, item := range c.Items {
		d.printf(" %s %s", item.Role, d.entryName(item.Pos))
	}
	d.printf("\n")
}
