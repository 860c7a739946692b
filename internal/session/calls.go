package session

// callRef names a tool call: its entry and its place among the entry's calls.
type callRef struct {
	pos Pos
	at  int32
}

// calls finds tool calls by their id.
type calls struct {
	refs     []callRef
	first    index // into refs
	repeated bool  // some id was used twice
}

func (c *calls) add(id string, ref callRef) {
	if _, known := c.first.put(id, int32(len(c.refs))); known {
		c.repeated = true
	} else {
		c.refs = append(c.refs, ref)
	}
}

func (t *Tree) call(ref callRef) *ToolCall { return &t.entries[ref.pos].Calls[ref.at] }

// callOf answers the call that a tool result at p answers. When an id stands on
// two branches it is the one shown last, as in pi.
func (t *Tree) callOf(p Pos) (call *ToolCall, ok bool) {
	at := t.calls.first.find(t.entries[p].Call)
	if at < 0 {
		return nil, false
	}
	if !t.calls.repeated {
		return t.call(t.calls.refs[at]), true
	}
	ref, ok := t.lastCalls()[t.entries[p].Call]
	if !ok {
		return nil, false
	}
	return t.call(ref), true
}

// lastCalls answers, per id, the call that stands last in display order.
func (t *Tree) lastCalls() map[string]callRef {
	if known := t.shown.Load(); known != nil {
		return *known
	}
	last := map[string]callRef{}
	for _, p := range t.preorder(t.leaf) {
		for i := range t.entries[p].Calls {
			last[t.entries[p].Calls[i].ID] = callRef{p, int32(i)}
		}
	}
	t.shown.Store(&last)
	return last
}

// Came says in a word or two what came of a call that has a row of its own.
func (c *ToolCall) Came() string {
	switch {
	case c.Outcome == nil:
		return "no result"
	case c.Outcome.Status != "":
		return c.Outcome.Status
	}
	return "done"
}
