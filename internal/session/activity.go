package session

import (
	"cmp"
	"encoding/json"
)

// ActivityRules say how the files of a format show what the agent does, where kinds of
// entries and stop reasons alone do not. The zero value has no such rules.
type ActivityRules struct {
	// AsksPermission reports whether the agent may ask its user before it runs a tool, while
	// its file looks as if the tool ran. mode is the last Entry.PermissionMode, "" unknown.
	// nil: it asks for none.
	AsksPermission func(mode, tool string) bool
	// SplitsAnswers: an answer takes several lines, and the last one need not record why the
	// model stopped.
	SplitsAnswers bool
	// EntryTurn returns what an entry that is neither a prompt, an answer nor a result
	// changes. nil: nothing.
	EntryTurn func(e *Entry) TurnChange
	// ReadQuestion returns the question in the arguments of a tool call that asks the user,
	// and the answers to choose from. nil: no question can be read.
	ReadQuestion func(args json.RawMessage) (question string, options []string)
	// Explanations tell people how the states are decided, and how certain they are. Each is
	// one sentence or two.
	Explanations []string
}

// TurnChange is how an entry changes whether the agent works.
type TurnChange uint8

// The changes.
const (
	TurnUnchanged TurnChange = iota
	TurnBegins               // the agent starts to work
	TurnEnds                 // the user stopped the agent
)

// MayAskPermission reports whether the agent may ask its user before it runs a tool in a mode.
func (r *ActivityRules) MayAskPermission(mode, tool string) bool {
	return r.AsksPermission != nil && r.AsksPermission(mode, tool)
}

// TurnAfter returns what an entry that is neither a prompt, an answer nor a result changes.
func (r *ActivityRules) TurnAfter(e *Entry) TurnChange {
	if r.EntryTurn == nil {
		return TurnUnchanged
	}
	return r.EntryTurn(e)
}

// ReadQuestionArgs is a ReadQuestion for the arguments that most agents share: a question or
// a list of them with options, or a plan.
func ReadQuestionArgs(args json.RawMessage) (question string, options []string) {
	var q questionArgs
	if json.Unmarshal(args, &q) != nil {
		return "", nil
	}
	first := q
	if len(q.Questions) > 0 {
		first = q.Questions[0]
	}
	for _, o := range first.Options {
		options = append(options, o.Label)
	}
	return cmp.Or(first.Question, first.Plan), options
}

type questionArgs struct {
	Question  string           `json:"question"`
	Plan      string           `json:"plan"`
	Options   []questionOption `json:"options"`
	Questions []questionArgs   `json:"questions"`
}

// questionOption is an answer to choose from: a text, or an object with a label.
type questionOption struct{ Label string }

// UnmarshalJSON accepts both forms, and ignores any other.
func (o *questionOption) UnmarshalJSON(data []byte) error {
	var object struct {
		Label string `json:"label"`
	}
	if json.Unmarshal(data, &o.Label) != nil && json.Unmarshal(data, &object) == nil {
		o.Label = object.Label
	}
	return nil
}

// LiveWindow is how long after its agent last wrote a session counts as live, in ms.
const LiveWindow = 60_000

// IsLive reports whether a session whose agent last wrote at agentWrote is being
// written now, as far as can be told. Both times are in ms.
func IsLive(agentWrote, now int64) bool { return now-agentWrote < LiveWindow }

// ToolWindow is how long after its agent last wrote a tool of a session may still run, in ms.
const ToolWindow = 3_600_000

// MayRunTool reports whether a tool without a result may still run in a session whose agent
// last wrote at agentWrote. Both times are in ms.
func MayRunTool(agentWrote, now int64) bool { return now-agentWrote < ToolWindow }

// tornWindow is how long a file must stay unchanged until its unfinished last line
// counts as left by a crash, in ms.
const tornWindow = 10_000

// IsTornByCrash reports whether the unfinished last line of a file that was last written
// at modified was left by a crash. The writer of a more recent one may still be at it.
// Both times are in ms.
func IsTornByCrash(modified, now int64) bool { return now-modified >= tornWindow }
