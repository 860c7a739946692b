package session

// callPlace is the place of a tool call: its entry, and its index among the entry's
// calls.
type callPlace struct {
	pos Pos
	at  int32
}

// callIndex finds tool calls by id.
type callIndex struct {
	refs     []callPlace
	first    stringIndex // into refs
	repeated bool        // an id was used twice
}

func (c *callIndex) addCall(id string, ref callPlace) {
	if _, known := c.first.addNumber(id, int32(len(c.refs))); known {
		c.repeated = true
	} else {
		c.refs = append(c.refs, ref)
	}
}

func (t *Tree) toolCallAt(ref callPlace) *ToolCall { return &t.entries[ref.pos].Calls[ref.at] }

// findCallOfResult returns the call of the tool result at p. If two branches have a
// call with the id, it returns the one displayed last, as pi does.
func (t *Tree) findCallOfResult(p Pos) (call *ToolCall, ok bool) {
	at := t.callIndex.first.findNumber(t.entries[p].CallID)
	if at < 0 {
		return nil, false
	}
	if !t.callIndex.repeated {
		return t.toolCallAt(t.callIndex.refs[at]), true
	}
	ref, ok := t.lastDisplayedCalls()[t.entries[p].CallID]
	if !ok {
		return nil, false
	}
	return t.toolCallAt(ref), true
}

// lastDisplayedCalls returns for each id the last call in display order.
func (t *Tree) lastDisplayedCalls() map[string]callPlace {
	if known := t.lastCallsCache.Load(); known != nil {
		return *known
	}
	last := map[string]callPlace{}
	for _, p := range t.preorder(t.leaf) {
		for i := range t.entries[p].Calls {
			last[t.entries[p].Calls[i].ID] = callPlace{p, int32(i)}
		}
	}
	t.lastCallsCache.Store(&last)
	return last
}

// OutcomeText returns a short text for the outcome of a call with its own row.
func (c *ToolCall) OutcomeText() string {
	switch {
	case c.Outcome == nil:
		return "no result"
	case c.Outcome.Status != "":
		return c.Outcome.Status
	}
	return "done"
}
