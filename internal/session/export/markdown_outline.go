package export

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// markdownStep is one entry of a Markdown export, in output order.
type markdownStep struct {
	pos             session.Pos
	kind            session.Kind
	call            string       // for a ToolResult: id of its call
	branch          branchNumber // set at the first entry of a branch
	branchPoint     int          // number of the branch point, 0 if it is none
	branches        int          // number of exported branches from here
	omittedBranches int          // number of branches from here that are not exported
}

// branchNumber is the number of a branch at its branch point.
type branchNumber struct{ point, n, of int }

// outlineMarkdown lists the steps of a Markdown export, one branch after another. It
// omits metadata that no message follows.
func (j *Job) outlineMarkdown() (err error) {
	j.s.ReadTree(func(t *session.Tree, rev store.Revision) {
		var part []session.Pos
		if part, err = j.o.Part.selectPositions(t); err != nil {
			return
		}
		j.epoch, j.total = rev.Epoch, len(part)
		j.order = (&markdownOutliner{tree: t}).listSteps(part)
	})
	return err
}

type markdownOutliner struct {
	tree         *session.Tree
	included     []bool // by position: is part of the export
	leadsToTalk  []bool // by position: has a message or an exported descendant with one
	branchPoints int
}

func (o *markdownOutliner) listSteps(part []session.Pos) []markdownStep {
	o.included, o.leadsToTalk = make([]bool, o.tree.Len()), make([]bool, o.tree.Len())
	for _, p := range part {
		o.included[p] = true
	}
	roots := o.findConversationRoots(part)
	var steps []markdownStep
	todo := o.pushBranches(nil, branchNumber{}, roots)
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		var kids []session.Pos
		for _, k := range o.tree.Children(s.pos) {
			if o.included[k] && o.leadsToTalk[k] {
				kids = append(kids, k)
			} else if !o.included[k] && o.hasConversation(k) {
				s.omittedBranches++
			}
		}
		b := branchNumber{}
		if len(kids) > 1 {
			o.branchPoints++
			s.branchPoint, s.branches = o.branchPoints, len(kids)
			b = branchNumber{point: o.branchPoints, of: len(kids)}
		}
		steps = append(steps, s)
		todo = o.pushBranches(todo, b, kids)
	}
	return steps
}

// findConversationRoots returns the roots of the part that lead to messages.
func (o *markdownOutliner) findConversationRoots(part []session.Pos) (roots []session.Pos) {
	for _, p := range part {
		if !o.leadsToTalk[p] && !o.tree.At(p).Kind.IsBookkeeping() {
			for at := p; at != session.NoPos && o.included[at] && !o.leadsToTalk[at]; at = o.tree.Parent(at) {
				o.leadsToTalk[at] = true
			}
		}
	}
	for _, p := range part {
		if up := o.tree.Parent(p); o.leadsToTalk[p] && (up == session.NoPos || !o.included[up]) {
			roots = append(roots, p)
		}
	}
	return roots
}

// pushBranches pushes entries onto the stack, the first one on top.
func (o *markdownOutliner) pushBranches(todo []markdownStep, b branchNumber, kids []session.Pos) []markdownStep {
	for i := len(kids) - 1; i >= 0; i-- {
		e := o.tree.At(kids[i])
		s := markdownStep{pos: kids[i], kind: e.Kind, call: e.CallID()}
		if b.of > 0 {
			s.branch = branchNumber{b.point, i + 1, b.of}
		}
		todo = append(todo, s)
	}
	return todo
}

// hasConversation reports whether a branch that is not exported has messages. It may
// begin with settings.
func (o *markdownOutliner) hasConversation(p session.Pos) bool {
	for o.tree.At(p).Kind.IsBookkeeping() {
		kids := o.tree.Children(p)
		if len(kids) == 0 {
			return false
		}
		p = kids[0]
	}
	return true
}
