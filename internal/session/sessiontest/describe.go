package sessiontest

import (
	"fmt"
	"slices"
	"strings"

	"sessiontree/internal/session"
)

// Describe writes down all that can be seen of a tree, in the order in which it is
// seen. Two trees of the same files have the same description, whatever the order
// in which their lines were read.
func Describe(t *session.Tree) string {
	d := describer{t: t}
	d.printf("header %+v\nleaf %s\nsessions %v\nroots %s\n", t.Header(), d.id(t.Leaf()), t.Sessions(), d.ids(t.Roots()))
	d.entries()
	d.lines()
	for _, f := range []session.Filter{session.FilterDefault, session.FilterNoTools, session.FilterUserOnly, session.FilterAll} {
		d.rows(session.View{Leaf: t.Leaf(), Entry: session.NoPos, Filter: f, Unfolded: true})
	}
	d.rows(session.View{Leaf: t.Leaf(), Entry: session.NoPos})
	d.rows(session.View{Leaf: t.Leaf(), Entry: session.NoPos, Layout: session.LayoutOutline})
	d.rest()
	return d.b.String()
}

type describer struct {
	t *session.Tree
	b strings.Builder
}

func (d *describer) printf(format string, args ...any) { fmt.Fprintf(&d.b, format, args...) }

func (d *describer) id(p session.Pos) string {
	if p == session.NoPos {
		return "-"
	}
	return d.t.At(p).ID
}

func (d *describer) ids(ps []session.Pos) string {
	var all []string
	for _, p := range ps {
		all = append(all, d.id(p))
	}
	return strings.Join(all, " ")
}

// entries lists the entries by id.
func (d *describer) entries() {
	order := make([]session.Pos, d.t.Len())
	for p := range order {
		order[p] = session.Pos(p)
	}
	slices.SortFunc(order, func(a, b session.Pos) int { return strings.Compare(d.id(a), d.id(b)) })
	for _, p := range order {
		e := d.t.At(p)
		d.printf("%s under %s, line %d, %v %x %q %q %q %q, children %s, size %d, answer %s\n", e.ID, d.id(d.t.Parent(p)), e.Span.Line,
			e.Kind, e.Flags, e.Name, e.Preview, e.Status, e.Target, d.ids(d.t.Children(p)), d.t.Size(p), d.id(d.t.Answer(e.Call)))
	}
}

func (d *describer) lines() {
	lines := slices.Clone(d.t.Lines())
	slices.SortFunc(lines, func(a, b session.DAGLine) int { return strings.Compare(a.Name, b.Name) })
	for _, l := range lines {
		d.printf("line %s %q of %s, agent %q, under %q at %s, branch %v, leaf %s: %s\n",
			l.Name, l.Title, l.Session, l.Agent, l.Parent, d.id(l.At), l.Branch, d.id(l.Leaf), d.ids(l.Entries))
	}
}

func (d *describer) rows(v session.View) {
	o := d.t.Outline(v)
	d.printf("rows %v %v: %d entries, %d visible, %d branches, selected %d\n", v.Layout, v.Filter, o.Entries, o.Visible, o.Branches, o.Selected)
	for _, row := range o.Rows.All() {
		r := *row
		at, title := r.Pos, r.Title
		r.Pos, r.Title = 0, 0
		d.printf("%s %s %s of %d %+v\n", d.id(at), d.id(title), d.t.RowText(title), o.Set(row), r)
	}
}

func (d *describer) rest() {
	for _, tip := range d.t.Tips() {
		d.printf("tip %s last %s fork %s prompt %s, %d entries, %d, current %v\n", d.id(tip.Pos), d.id(tip.Last), d.id(tip.Fork), d.id(tip.Prompt),
			tip.Entries, tip.Time, tip.Current)
	}
	for _, l := range d.t.Labels() {
		d.printf("label %q on %s\n", l.Text, d.id(l.Target))
	}
	for _, n := range d.t.Notes() {
		d.printf("note %s line %d %s %s\n", n.Code, n.Line, n.Entry, n.Text)
	}
	c := d.t.Context(d.t.Leaf())
	d.printf("context of %s, %d tokens, %s:", c.Model, c.Tokens, c.Thinking)
	for _, item := range c.Items {
		d.printf(" %s %s", item.Role, d.id(item.Pos))
	}
	d.printf("\n")
}
