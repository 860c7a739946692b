package session

// callPlace names a tool call: its entry and its place among the entry's calls.
type callPlace struct {
	pos Pos
	at  int32
}

// callIndex finds tool calls by their id.
type callIndex struct {
	refs     []callPlace
	first    stringIndex // into refs
	repeated bool        // some id was used twice
}

func (c *callIndex) addCall(id string, ref callPlace) {
	if _, known := c.first.addNumber(id, int32(len(c.refs))); known {
		c.repeated = true
	} else {
		c.refs = append(c.refs, ref)
	}
}

func (t *Tree) toolCallAt(ref callPlace) *ToolCall { return &t.entries[ref.pos].Calls()[ref.at] }

// findCallOfResult answers the call that a tool result at p answers. When an id stands on
// two branches it is the one shown last, as in pi.
func (t *Tree) findCallOfResult(p Pos) (call *ToolCall, ok bool) {
	at := t.callIndex.first.findNumber(t.entries[p].CallID())
	if at < 0 {
		return nil, false
	}
	if !t.callIndex.repeated {
		return t.toolCallAt(t.callIndex.refs[at]), true
	}
	ref, ok := t.lastDisplayedCalls()[t.entries[p].CallID()]
	if !ok {
		return nil, false
	}
	return t.toolCallAt(ref), true
}

// lastDisplayedCalls answers, per id, the call that stands last in display order.
func (t *Tree) lastDisplayedCalls() map[string]callPlace {
	if known := t.lastCallsCache.Load(); known != nil {
		return *known
	}
	last := map[string]callPlace{}
	for _, p := range t.preorder(t.leaf) {
		for i := range t.entries[p].Calls() {
			last[t.entries[p].Calls()[i].ID] = callPlace{p, int32(i)}
		}
	}
	t.lastCallsCache.Store(&last)
	return last
}

// OutcomeText says in a word or two what came of a call that has a row of its own.
func (c *ToolCall) OutcomeText() string {
	switch {
	case c.Outcome == nil:
		return "no result"
	case c.Outcome.Status != "":
		return c.Outcome.Status
	}
	return "done"
}
