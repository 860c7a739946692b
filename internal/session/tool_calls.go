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

// FindCall returns the first entry with a call of an id, or NoPos, and the index of the call
// among those of the entry. unique is false if any id of a call was used twice in the session.
func (t *Tree) FindCall(id string) (p Pos, n int, unique bool) {
	at := t.callIndex.first.findNumber(id)
	if at < 0 {
		return NoPos, 0, !t.callIndex.repeated
	}
	ref := t.callIndex.refs[at]
	return ref.pos, int(ref.at), !t.callIndex.repeated
}

// callIn returns the call at the place.
func (c callPlace) callIn(entries []*Entry) *ToolCall { return &entries[c.pos].Calls()[c.at] }

// callReach limits how far above a result its call is searched if several calls have
// the same id.
const callReach = 256

// CallOf returns the tool call whose result is the entry at p, and the entry that holds
// the call; at is NoPos if there is none. If several calls have the id, it is the
// nearest one above the result, else the one displayed last.
func (t *Tree) CallOf(p Pos) (call *ToolCall, at Pos) {
	if t.callIndex.repeated {
		if call, at := t.callAbove(p); at != NoPos {
			return call, at
		}
	}
	return t.callShownLast(p)
}

// callShownLast is CallOf by the rule of pi's outline: of several calls with one id
// it returns the one that is shown last, even if that is on another branch.
func (t *Tree) callShownLast(p Pos) (call *ToolCall, at Pos) {
	id := t.entries[p].CallID()
	first := t.callIndex.first.findNumber(id)
	if first < 0 || id == "" {
		return nil, NoPos
	}
	ref := t.callIndex.refs[first]
	if t.callIndex.repeated {
		var ok bool
		if ref, ok = t.lastDisplayedCalls()[id]; !ok {
			return nil, NoPos
		}
	}
	return ref.callIn(t.entries), ref.pos
}

// callAbove returns the nearest call above p that has the id of the result at p.
func (t *Tree) callAbove(p Pos) (call *ToolCall, at Pos) {
	id := t.entries[p].CallID()
	for range callReach {
		if p = t.parent[p]; p == NoPos || id == "" {
			break
		}
		calls := t.entries[p].Calls()
		for i := range calls {
			if calls[i].ID == id {
				return &calls[i], p
			}
		}
	}
	return nil, NoPos
}

// lastDisplayedCalls returns for each id the last call in display order.
func (t *Tree) lastDisplayedCalls() map[string]callPlace {
	if known := t.lastCallsCache.Load(); known != nil {
		return *known
	}
	last := map[string]callPlace{}
	for _, p := range t.Preorder(t.leaf) {
		for i := range t.entries[p].Calls() {
			last[t.entries[p].Calls()[i].ID] = callPlace{p, int32(i)}
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
