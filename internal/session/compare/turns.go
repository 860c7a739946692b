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
	var turns []Turn
	for _, p := range own {
		if t.At(p).Kind == session.KindUser || len(turns) == 0 {
			turns = append(turns, Turn{Prompt: session.NoPos, Answer: session.NoPos, Facts: Facts{Time: session.NoTime}})
		}
		turn := &turns[len(turns)-1]
		switch e := t.At(p); {
		case e.Kind == session.KindUser:
			turn.Prompt = p
		case e.Kind == session.KindAssistant && e.HasFlag(session.FlagText):
			turn.Answer = p
		}
		turn.Calls = filediff.AppendCalls(turn.Calls, t, p)
		turn.addEntry(t, costs, p)
	}
	return turns
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
