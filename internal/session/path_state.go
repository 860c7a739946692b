package session

// PathState is what the path to an entry comes to.
type PathState struct {
	Context Context // without its messages
	Entries int
	Cost    float64

	pinned bool
}

// PathStates returns the state of the path to the last entry of each stretch. It walks
// over each entry once, however many paths there are. ok is false where the format
// builds contexts itself, so that each path is to be asked for.
func (t *Tree) PathStates(all []Segment) (states []PathState, ok bool) {
	if t.buildContext != nil {
		return nil, false
	}
	states = make([]PathState, len(all))
	var run []Pos // the entries of a stretch, the last one first
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

// advancePathState takes the next entry of a path into its state. An agent begins with a
// context of its own.
func (t *Tree) advancePathState(s *PathState, e *Entry) {
	if s.Entries > 0 && e.HasFlag(FlagAgent) {
		s.Context, s.pinned = Context{Thinking: "off"}, false
	}
	t.applyToContext(e, &s.Context, &s.pinned)
	s.Entries++
	s.Cost += e.Cost()
}
