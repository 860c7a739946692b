// Package activity tells what the agent of a session does, by the last lines of its file.
package activity

import (
	"cmp"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/toolkind"
)

// Turn is who acts next in a session, by its last message.
type Turn uint8

// The turns.
const (
	TurnOver    Turn = iota // the agent has finished, or there is no message
	TurnAgent               // the agent continues
	TurnTool                // a tool runs, or waits for permission
	TurnUser                // the agent asked a question
	TurnUnclear             // the agent has finished, unless its answer continues in another line
)

// maxCalls limits how many calls without a result are kept.
const maxCalls = 8

// Call is a tool call without a result.
type Call struct {
	ID, Name, Arg string
	Time          int64 // when the model made it, in ms, or session.NoTime
	// MayAsk is set if the agent may wait for permission to run it.
	MayAsk bool
}

// Track is what the last messages of a session say. Add updates it, so that it never needs
// the messages before.
type Track struct {
	Turn  Turn
	Calls []Call // without a result, in order; never changed in place
	// Began is the time of the last prompt, Changed that of the last message; both in ms,
	// or session.NoTime.
	Began, Changed int64
	Prompt         string // the last prompt, cut
	Mode           string // the last recorded Entry.PermissionMode
	Failed         bool   // the agent stopped with an error
	Stopped        bool   // the user stopped the agent
	Error          string
	FailedInRow    int          // how many of the last results are errors
	HasResults     bool         // the last message is a result
	Answer         session.Span // the last line of an answer with text or thinking; Len 0: none
	Asked          session.Span // the line with the question; Len 0: none
	Said           Said         // what these lines say
}

// Said is what a reading of Track.Answer and Track.Asked finds.
type Said struct {
	Text     string   // last line of text of the answer, cut
	Thinking bool     // Text is thinking
	IsAsking bool     // the text ends with a question
	Question string   // recorded question
	Options  []string // its answers to choose from
	IsPlan   bool     // the question is whether to follow a plan
}

// New returns the track of the path to the leaf of t.
func New(t *session.Tree, rules *session.ActivityRules) Track {
	var path []session.Pos
	for p := t.Leaf(); p != session.NoPos; p = t.Parent(p) {
		path = append(path, p)
		if isPrompt(t.At(p)) {
			break
		}
	}
	tr := Track{Began: session.NoTime, Changed: session.NoTime, Mode: lastMode(t, rules)}
	for _, p := range slices.Backward(path) {
		tr.Add(t.At(p), rules)
	}
	return tr
}

// lastMode returns the last permission mode that the path to the leaf of t records.
func lastMode(t *session.Tree, rules *session.ActivityRules) string {
	if rules.AsksPermission == nil {
		return ""
	}
	for p := t.Leaf(); p != session.NoPos; p = t.Parent(p) {
		if mode := t.At(p).PermissionMode(); mode != "" && isPrompt(t.At(p)) {
			return strings.Clone(mode)
		}
	}
	return ""
}

func isPrompt(e *session.Entry) bool {
	return e.Kind == session.KindUser && e.Flags&(session.FlagMetadata|session.FlagArtifact|session.FlagCommand) == 0
}

// Add updates the track after an entry below the leaf.
func (tr *Track) Add(e *session.Entry, rules *session.ActivityRules) {
	if e.Flags&(session.FlagMetadata|session.FlagArtifact|session.FlagCommand) != 0 {
		return
	}
	switch e.Kind {
	case session.KindUser:
		mode := strings.Clone(cmp.Or(e.PermissionMode(), tr.Mode))
		*tr = Track{Turn: TurnAgent, Began: e.Time, Changed: e.Time, Prompt: strings.Clone(e.Preview), Mode: mode}
		return
	case session.KindAssistant:
		tr.addAnswer(e, rules)
	case session.KindToolResult:
		tr.addResult(e)
	case session.KindBranchSummary:
		*tr = Track{Began: e.Time, Mode: tr.Mode}
	default:
		switch rules.TurnAfter(e) {
		case session.TurnUnchanged:
			return
		case session.TurnEnds:
			tr.Turn, tr.Calls, tr.Stopped = TurnOver, nil, true
		case session.TurnBegins:
			*tr = Track{Turn: TurnAgent, Began: e.Time, Prompt: tr.Prompt, Mode: tr.Mode}
		}
	}
	if e.Time != session.NoTime {
		tr.Changed = e.Time
	}
}

func (tr *Track) addAnswer(e *session.Entry, rules *session.ActivityRules) {
	if tr.HasResults {
		tr.Calls = nil // the model has been sent the results of all earlier calls
	}
	tr.HasResults = false
	tr.Failed, tr.Stopped, tr.Error, tr.Asked = false, false, "", session.Span{}
	tr.Said.Question, tr.Said.Options, tr.Said.IsPlan = "", nil, false
	if e.HasFlag(session.FlagText) || e.HasFlag(session.FlagThinking) {
		tr.Answer = e.Span
	}
	if e.HasFlag(session.FlagError) {
		tr.Turn, tr.Calls = TurnOver, nil
		tr.Stopped = e.StopReason() == "aborted"
		tr.Failed = !tr.Stopped
		tr.Error = strings.Clone(e.ErrorText())
		return
	}
	calls := e.Calls()
	for i := range calls {
		c := &calls[i]
		if c.Outcome != nil {
			continue
		}
		if toolkind.AsksUser(c.Name) {
			tr.Asked = e.Span
		}
		if len(tr.Calls) < maxCalls {
			call := Call{ID: strings.Clone(c.ID), Name: strings.Clone(c.Name), Arg: strings.Clone(c.Arg), Time: e.Time, MayAsk: rules.MayAskPermission(tr.Mode, c.Name)}
			tr.Calls = append(slices.Clip(tr.Calls), call)
		}
	}
	tr.Turn = turnAfterStop(e, rules)
	tr.updateTurn()
}

// turnAfterStop returns who acts after an answer without pending calls.
func turnAfterStop(e *session.Entry, rules *session.ActivityRules) Turn {
	switch e.StopReason() {
	case "toolUse", "tool_use", "pause_turn", "deferred":
		return TurnAgent
	case "":
		if rules.SplitsAnswers && e.HasFlag(session.FlagText) && len(e.Calls()) == 0 {
			return TurnUnclear
		}
		return TurnAgent
	}
	if rules.SplitsAnswers && !e.HasFlag(session.FlagText) && len(e.Calls()) == 0 {
		return TurnAgent // the text is in the next line
	}
	return TurnOver
}

// updateTurn sets the turn from the calls without a result.
func (tr *Track) updateTurn() {
	for i := range tr.Calls {
		if toolkind.AsksUser(tr.Calls[i].Name) {
			tr.Turn = TurnUser
			return
		}
		tr.Turn = TurnTool
	}
}

func (tr *Track) addResult(e *session.Entry) {
	id := e.CallID()
	tr.HasResults = true
	tr.Calls = slices.DeleteFunc(slices.Clone(tr.Calls), func(c Call) bool { return c.ID == id })
	if len(tr.Calls) == 0 {
		tr.Calls = nil
	}
	if e.HasFlag(session.FlagError) {
		tr.FailedInRow++
	} else {
		tr.FailedInRow = 0
	}
	if e.Status() == "rejected" {
		tr.Turn, tr.Calls, tr.Stopped = TurnOver, nil, true
		return
	}
	tr.Turn = TurnAgent
	tr.updateTurn()
}
