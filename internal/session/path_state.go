package session

// PathState is the state at the end of a path.
type PathState struct {
	Context Context // without its messages
	Entries int
	Cost    float64

	pinned bool
}

// PathStates returns the state of the path to the last entry of each segment. It visits
// each entry once, however many paths there are. ok is false if the format builds
// contexts itself, so that each must be built separately.
func (t *Tree) PathStates(all []Segment) (states []PathState, ok bool) {
	if t.buildContext != nil {
		return nil, false
	}
	states = make([]PathState, len(all))
	var run []Pos // entries of a segment, the last one first
	for i, s := range all {
		state := PathState{Context: Context{Thinking: "off"}}
		if s.ParentIndex >= 0 {
			state = states[s.ParentIndex]
		}
		run = run[:0]
		for p := s.Last; len(run) < s.Size; p = t.parent[p] {
			run = append(run, p)
		}
		for k := len(run) - 1; k >= 0; k-- {
			t.advancePathState(&state, t.At(run[k]))
		}
		states[i] = state
	}
	return states, true
}

// advancePathState applies the next entry of a path. The context of an agent starts
// empty.
func (t *Tree) advancePathState(s *PathState, e *Entry) {
	if s.Entries > 0 && e.HasFlag(FlagAgent) {
		s.Context, s.pinned = Context{Thinking: "off"}, false
	}
	t.applyToContext(e, &s.Context, &s.pinned)
	s.Entries++
	s.Cost += e.Cost()
}
