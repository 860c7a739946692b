package catalog

import (
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/toolkind"
)

// Turn is who acts next in a session, by its last message.
type Turn uint8

// The turns.
const (
	TurnOver  Turn = iota // the agent has finished, or there is no message
	TurnAgent             // the agent continues
	TurnTool              // a tool runs, or waits for permission
	TurnUser              // the agent asked a question
)

// turnAfter returns who acts after an entry. ok is false if the entry does not change that.
func turnAfter(e *session.Entry) (turn Turn, ok bool) {
	if e.Flags&(session.FlagMetadata|session.FlagArtifact|session.FlagCommand) != 0 {
		return TurnOver, false
	}
	switch e.Kind {
	case session.KindUser:
		return TurnAgent, true
	case session.KindToolResult:
		if e.Status() == "rejected" {
			return TurnOver, true
		}
		return TurnAgent, true
	case session.KindAssistant:
		return turnAfterAnswer(e), true
	case session.KindBranchSummary:
		return TurnOver, true
	}
	return TurnOver, false
}

func turnAfterAnswer(e *session.Entry) Turn {
	if e.HasFlag(session.FlagError) {
		return TurnOver
	}
	turn := TurnOver
	switch e.StopReason() {
	case "", "toolUse", "tool_use", "pause_turn":
		turn = TurnAgent
	}
	calls := e.Calls()
	for i := range calls {
		switch c := &calls[i]; {
		case c.Outcome != nil:
		case toolkind.AsksUser(c.Name):
			return TurnUser
		case toolkind.StartsAgent(c.Name):
			turn = TurnAgent
		case turn != TurnAgent || i == 0:
			turn = TurnTool
		}
	}
	return turn
}

// leafTurn returns who acts after the last message on the path to the leaf.
func leafTurn(t *session.Tree) Turn {
	for p := t.Leaf(); p != session.NoPos; p = t.Parent(p) {
		if turn, ok := turnAfter(t.At(p)); ok {
			return turn
		}
	}
	return TurnOver
}

// waitingWindow is how long a session may wait for its user. After that its agent has
// probably ended.
const waitingWindow = 24 * time.Hour

// IsLive reports whether the agent of a session has just written.
func (s *Summary) IsLive(now time.Time) bool {
	return session.IsLive(s.AgentWrote.UnixMilli(), now.UnixMilli())
}

// IsRunning reports whether the agent of a session works, as far as can be told: it has just
// written, and has neither finished nor asked.
func (s *Summary) IsRunning(now time.Time) bool {
	return s.IsLive(now) && (s.Turn == TurnAgent || s.Turn == TurnTool)
}

// IsWaiting reports whether a session waits for its user: the agent asked a question, or has
// not run a tool for which it needs permission.
func (s *Summary) IsWaiting(now time.Time) bool {
	if now.Sub(s.AgentWrote) >= waitingWindow {
		return false
	}
	return s.Turn == TurnUser || s.Turn == TurnTool && s.AsksPermission && !s.IsLive(now)
}
