package session

// PathState is the state at the end of a path.
type PathState struct {
	Context Context // without its messages
	Entries int

	pinned bool
}

func newPathState() PathState { return PathState{Context: Context{Thinking: "off"}} }

// pathState returns the state at the end of a path.
func (t *Tree) pathState(path []Pos) PathState {
	s := newPathState()
	for _, p := range path {
		s.addEntry(t.entries[p], &t.header.Rules)
	}
	return s
}

// addEntry applies the next entry of the path. The context of an agent starts empty.
func (s *PathState) addEntry(e *Entry, rules *Rules) {
	if s.Entries > 0 && e.HasFlag(FlagAgent) {
		s.Context, s.pinned = newPathState().Context, false
	}
	s.applySettings(e, rules)
	s.Entries++
}

// applySettings applies the thinking level, the model and the tokens of an entry to the
// context.
func (s *PathState) applySettings(e *Entry, rules *Rules) {
	c := &s.Context
	switch e.Kind {
	case KindThinking:
		c.Thinking = e.ThinkingLevel()
	case KindModel:
		if !e.HasFlag(FlagSecondary) {
			c.Provider, c.Model = e.Provider(), e.ModelID()
			s.pinned = rules.PinnedModel
		}
	case KindAssistant:
		if !s.pinned {
			c.Provider, c.Model = e.Provider(), e.ModelID()
		}
		if e.Tokens() > 0 {
			c.Tokens = e.Tokens()
		}
	case KindCompaction, KindReset:
		c.Tokens = 0
	}
}

// PathStates returns the state of the path to the last entry of each segment. It visits
// each entry once, however many paths there are. ok is false if the format builds
// contexts itself, so that each must be built separately.
func PathStates(t *Tree, all []Segment) (states []PathState, ok bool) {
	if t.buildContext != nil {
		return nil, false
	}
	states = make([]PathState, len(all))
	var run []Pos // entries of a segment, the last one first
	for i, s := range all {
		state := newPathState()
		if s.ParentIndex >= 0 {
			state = states[s.ParentIndex]
		}
		run = run[:0]
		for p := s.Last; len(run) < s.Size; p = t.parent[p] {
			run = append(run, p)
		}
		for k := len(run) - 1; k >= 0; k-- {
			state.addEntry(t.entries[run[k]], &t.header.Rules)
		}
		states[i] = state
	}
	return states, true
}
