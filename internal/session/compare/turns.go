package compare

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/session/spend"
)

// Turn is a prompt and what followed it.
type Turn struct {
	Prompt session.Pos // NoPos for what continues a prompt above the ancestor
	Answer session.Pos // the last answer with text, or NoPos
	Calls  []filediff.Call
	Facts
}

// listTurns splits entries of a path into turns.
func listTurns(t *session.Tree, costs *spend.Sheet, own []session.Pos) []Turn {
	l := turnLister{tree: t, open: map[string]filediff.Call{}}
	for _, p := range own {
		if t.At(p).Kind == session.KindUser || len(l.turns) == 0 {
			l.turns = append(l.turns, Turn{Prompt: session.NoPos, Answer: session.NoPos, Facts: Facts{Time: session.NoTime}})
		}
		l.addEntry(&l.turns[len(l.turns)-1], p)
		l.turns[len(l.turns)-1].addEntry(t, costs, p)
	}
	return l.turns
}

// turnLister finds the calls of turns and their results.
type turnLister struct {
	tree  *session.Tree
	turns []Turn
	open  map[string]filediff.Call // calls without a result yet, by id
}

func (l *turnLister) addEntry(turn *Turn, p session.Pos) {
	switch e := l.tree.At(p); e.Kind {
	case session.KindUser:
		turn.Prompt = p
	case session.KindAssistant:
		if e.HasFlag(session.FlagText) {
			turn.Answer = p
		}
		l.addCalls(turn, p, e.Calls())
	case session.KindToolResult:
		if c, ok := l.callOfResult(p); ok {
			c.Result, c.Failed = p, e.HasFlag(session.FlagError)
			turn.Calls = append(turn.Calls, c)
		}
	}
}

func (l *turnLister) addCalls(turn *Turn, p session.Pos, calls []session.ToolCall) {
	for i := range calls {
		c := filediff.Call{At: p, N: i, Result: p}
		if o := calls[i].Outcome; o != nil {
			c.Failed = o.Failed
			turn.Calls = append(turn.Calls, c)
			continue
		}
		l.open[calls[i].ID] = c
	}
}

// callOfResult returns the call of a result, which may be above the ancestor.
func (l *turnLister) callOfResult(p session.Pos) (c filediff.Call, ok bool) {
	id := l.tree.At(p).CallID()
	if c, ok = l.open[id]; ok {
		delete(l.open, id)
		return c, true
	}
	_, at := l.tree.CallOf(p)
	if at == session.NoPos {
		return c, false
	}
	calls := l.tree.At(at).Calls()
	for i := range calls {
		if calls[i].ID == id {
			return filediff.Call{At: at, N: i}, true
		}
	}
	return c, false
}

// Step is a pair of turns of two sides, aligned by the order of their prompts. One of them may
// be nil.
type Step struct{ A, B *Turn }

// AlignTurns pairs the turns of two sides.
func AlignTurns(a, b *Side) []Step {
	turnsA, turnsB := a.Turns, b.Turns
	var steps []Step
	first := Step{takeContinuation(&turnsA), takeContinuation(&turnsB)}
	if first != (Step{}) {
		steps = append(steps, first)
	}
	for i := range max(len(turnsA), len(turnsB)) {
		var s Step
		if i < len(turnsA) {
			s.A = &turnsA[i]
		}
		if i < len(turnsB) {
			s.B = &turnsB[i]
		}
		steps = append(steps, s)
	}
	return steps
}

// takeContinuation removes a first turn without a prompt and returns it.
func takeContinuation(turns *[]Turn) *Turn {
	if len(*turns) == 0 || (*turns)[0].Prompt != session.NoPos {
		return nil
	}
	first := &(*turns)[0]
	*turns = (*turns)[1:]
	return first
}
