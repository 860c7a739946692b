package export

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// step is one entry of a Markdown export, in the order in which it is told.
type step struct {
	at       session.Pos
	kind     session.Kind
	call     string // ToolResult: id of the call
	branch   branch // set where a branch begins
	point    int    // number of the branch point it is, 0 none
	branches int    // that go on from here and are told
	others   int    // that go on from here and are not part of the export
}

// branch is one of several that go on from a branch point.
type branch struct{ point, n, of int }

// outline lists what Markdown tells: each branch whole, one after the other. What
// is no conversation and leads to none is left out.
func (j *Job) outline() (err error) {
	j.s.Read(func(t *session.Tree, rev store.Rev) {
		var part []session.Pos
		if part, err = j.o.Part.positions(t); err != nil {
			return
		}
		j.epoch, j.total = rev.Epoch, len(part)
		j.order = (&outliner{tree: t}).steps(part)
	})
	return err
}

type outliner struct {
	tree   *session.Tree
	in     []bool // by position: is part of the export
	speaks []bool // holds conversation, or something below it in the export does
	points int
}

func (o *outliner) steps(part []session.Pos) []step {
	o.in, o.speaks = make([]bool, o.tree.Len()), make([]bool, o.tree.Len())
	for _, p := range part {
		o.in[p] = true
	}
	roots := o.mark(part)
	var steps []step
	todo := o.fan(nil, branch{}, roots)
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		var kids []session.Pos
		for _, k := range o.tree.Children(s.at) {
			if o.in[k] && o.speaks[k] {
				kids = append(kids, k)
			} else if !o.in[k] && o.talks(k) {
				s.others++
			}
		}
		b := branch{}
		if len(kids) > 1 {
			o.points++
			s.point, s.branches = o.points, len(kids)
			b = branch{point: o.points, of: len(kids)}
		}
		steps = append(steps, s)
		todo = o.fan(todo, b, kids)
	}
	return steps
}

// mark finds the roots of the part that hold conversation.
func (o *outliner) mark(part []session.Pos) (roots []session.Pos) {
	for _, p := range part {
		if !o.speaks[p] && !o.tree.At(p).Kind.Bookkeeping() {
			for at := p; at != session.NoPos && o.in[at] && !o.speaks[at]; at = o.tree.Parent(at) {
				o.speaks[at] = true
			}
		}
	}
	for _, p := range part {
		if up := o.tree.Parent(p); o.speaks[p] && (up == session.NoPos || !o.in[up]) {
			roots = append(roots, p)
		}
	}
	return roots
}

// fan puts entries on the stack, the first one on top.
func (o *outliner) fan(todo []step, b branch, kids []session.Pos) []step {
	for i := len(kids) - 1; i >= 0; i-- {
		e := o.tree.At(kids[i])
		s := step{at: kids[i], kind: e.Kind, call: e.Call}
		if b.of > 0 {
			s.branch = branch{b.point, i + 1, b.of}
		}
		todo = append(todo, s)
	}
	return todo
}

// talks reports whether a branch that is not exported is one to a reader: settings
// may stand at its beginning.
func (o *outliner) talks(p session.Pos) bool {
	for o.tree.At(p).Kind.Bookkeeping() {
		kids := o.tree.Children(p)
		if len(kids) == 0 {
			return false
		}
		p = kids[0]
	}
	return true
}
