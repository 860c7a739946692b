package searchall

import (
	"cmp"

	"sessiontree/internal/session"
)

// entryFacts is what a hit needs of an entry besides its body.
type entryFacts struct {
	entry  session.Entry // a copy: the tree may change
	head   session.Pos   // of its branch
	label  string
	tool   string
	arg    string // of the call of an output
	failed bool
	// Of a prompt: its number on its path, and how many the path to the leaf has if it is on it.
	prompt, prompts int
}

func newEntryFacts(t *session.Tree, p, head session.Pos) entryFacts {
	label, _ := t.Label(p)
	return entryFacts{entry: *t.At(p), head: head, label: label.Text, tool: toolOf(t, p), failed: t.Traits(p).HasAny(session.TraitFailed)}
}

// addEntries stores what the hits need of the tree, which may change while bodies are
// read.
func (m *matcher) addEntries(t *session.Tree, ps []session.Pos, branches *branchFinder) {
	m.entries, m.branches = make([]entryFacts, len(ps)), map[session.Pos]Branch{}
	prompts := promptCounter{tree: t}
	for i, p := range ps {
		head := branches.headOf(p)
		facts := newEntryFacts(t, p, head)
		switch facts.entry.Kind {
		case session.KindUser:
			facts.prompt = prompts.numberOf(p)
			if head == session.NoPos {
				facts.prompts = prompts.numberOf(t.Leaf())
			}
		case session.KindToolResult:
			if call, at := t.CallOf(p); at != session.NoPos {
				facts.arg = call.Arg
			}
		}
		m.entries[i] = facts
		if _, ok := m.branches[head]; !ok {
			m.branches[head] = branches.branchFrom(head)
		}
	}
}

// addCall adds the tool call that a field is an input or an output of.
func (h *Hit) addCall(facts *entryFacts, f field) {
	e := &facts.entry
	h.Tool, h.Arg, h.Status = cmp.Or(f.tool, facts.tool), facts.arg, e.Status()
	h.Added, h.Removed = int(e.Added()), int(e.Removed())
	if f.call == "" {
		return
	}
	calls := e.Calls()
	for i := range calls {
		if calls[i].ID != f.call {
			continue
		}
		h.Tool, h.Arg = calls[i].Name, calls[i].Arg
		if o := calls[i].Outcome; o != nil {
			h.Status, h.Failed = o.Status, o.Failed
		}
	}
}

// promptCounter numbers the prompts of each path.
type promptCounter struct {
	tree   *session.Tree
	counts []int32 // prompts up to an entry, plus 1; 0: not counted yet
}

// numberOf returns how many prompts the path to p has.
func (c *promptCounter) numberOf(p session.Pos) int {
	if c.counts == nil {
		c.counts = make([]int32, c.tree.Len())
	}
	var passed []session.Pos
	at := p
	for ; at != session.NoPos && c.counts[at] == 0; at = c.tree.Parent(at) {
		passed = append(passed, at)
	}
	n := int32(1)
	if at != session.NoPos {
		n = c.counts[at]
	}
	for i := len(passed) - 1; i >= 0; i-- {
		if e := c.tree.At(passed[i]); e.Kind == session.KindUser && !e.HasFlag(session.FlagSecondary) {
			n++
		}
		c.counts[passed[i]] = n
	}
	return int(c.counts[p]) - 1
}
