package activity

import (
	"time"

	"sessiontree/internal/session"
)

// State is what a session does at a moment.
type State uint8

// The states, those that need the user first.
const (
	None     State = iota // no message, or no activity for a day
	Waits                 // for the user
	Working               // the model or a tool
	Finished              // in the last hour
	Quiet                 // no activity for an hour
)

// Reason says why a session waits or works, and with that how certain it is.
type Reason uint8

// The reasons.
const (
	NoReason         Reason = iota
	RecordedQuestion        // the file records a question
	RecordedPlan            // the file records a plan to be approved
	ToolOrPermission        // a tool runs, or the agent waits for permission: the file does not say
	LikelyQuestion          // the last text ends with a question
	SubAgentWrites          // the agent has finished, and one of its sub-agents still writes
)

// How long states last without a line in the file.
const (
	waitingLimit = 24 * time.Hour // a wait; after that the agent has probably ended
	toolLimit    = session.ToolWindow * time.Millisecond
	modelLimit   = 10 * time.Minute // an answer of the model
	unclearLimit = 10 * time.Second // the next line of the same answer
	recentLimit  = time.Hour        // what has finished
)

// Status is the state of a session at a moment.
type Status struct {
	State  State
	Reason Reason // of a wait, or of work that the last message does not show
	// Expires is when the status changes without a further line, zero if it never does.
	Expires time.Time
}

// StatusAt returns the status at a time. wrote is when the agent last wrote.
func (tr *Track) StatusAt(now, wrote time.Time) Status {
	for _, phase := range tr.phases() {
		if until := wrote.Add(phase.lasts); now.Before(until) {
			return Status{State: phase.state, Reason: phase.reason, Expires: until}
		}
	}
	return Status{}
}

// phase is a status that lasts until a time after the last write.
type phase struct {
	state  State
	reason Reason
	lasts  time.Duration
}

// phases returns the phases of a session that nobody continues, in order.
func (tr *Track) phases() []phase {
	quiet := phase{Quiet, NoReason, waitingLimit}
	switch tr.Turn {
	case TurnUser:
		if tr.Said.IsPlan {
			return []phase{{Waits, RecordedPlan, waitingLimit}}
		}
		return []phase{{Waits, RecordedQuestion, waitingLimit}}
	case TurnTool:
		if tr.mayAskPermission() {
			return []phase{{Working, ToolOrPermission, session.LiveWindow * time.Millisecond}, {Waits, ToolOrPermission, waitingLimit}}
		}
		return []phase{{Working, NoReason, toolLimit}, quiet}
	case TurnAgent:
		return []phase{{Working, NoReason, modelLimit}, quiet}
	}
	var phases []phase
	switch {
	case tr.Changed == session.NoTime && tr.Answer.Len == 0 && tr.Prompt == "":
		return nil
	case tr.Turn == TurnUnclear:
		phases = append(phases, phase{Working, NoReason, unclearLimit})
	}
	if tr.Said.IsAsking && !tr.Failed && !tr.Stopped {
		return append(phases, phase{Waits, LikelyQuestion, recentLimit}, quiet)
	}
	return append(phases, phase{Finished, NoReason, recentLimit}, quiet)
}

func (tr *Track) mayAskPermission() bool {
	for i := range tr.Calls {
		if tr.Calls[i].MayAsk {
			return true
		}
	}
	return false
}
