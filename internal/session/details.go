package session

// Details are what the entries of some kinds record in addition. Most prompts have none.
type Details struct {
	Provider string // Model, Assistant: provider of the model
	Target   string // CustomMessage: id of the agent it is about. Label, ContextEdit, Archive: target id. Compaction: first kept id. BranchSummary: from id
	Call     string // ToolResult: id of its call
	Calls    []ToolCall
	Stop     string  // Assistant: stop reason as recorded
	Error    string  // Assistant: error message cut at 80 UTF-16 units
	Mode     string  // User: mode of asking for permission, as recorded
	Status   string  // ToolResult, Shell: short outcome to show, "exit 1", "timed out"
	Tokens   int64   // Compaction: tokens before it. Assistant: tokens in context after it; 0 unknown
	Charge   *Charge // of a request that this line records; nil: none
	Added    int32   // ToolResult of an edit: lines added and removed
	Removed  int32
}

// noDetails are the details of an entry without any. They are never changed.
var noDetails Details

func (e *Entry) details() *Details {
	if e.Details == nil {
		return &noDetails
	}
	return e.Details
}

// Provider returns the provider of the model.
func (e *Entry) Provider() string { return e.details().Provider }

// Target returns the id that e is about, which depends on the kind: see AgentID,
// FirstKeptID and AbandonedID. Labels, archive entries and context edits are about another
// entry.
func (e *Entry) Target() string { return e.details().Target }

// AgentID returns the id of the agent that a custom message is about, "" if there is none.
func (e *Entry) AgentID() string { return e.targetOf(KindCustomMessage) }

// FirstKeptID returns the id of the first entry that a compaction keeps in the context.
func (e *Entry) FirstKeptID() string { return e.targetOf(KindCompaction) }

// AbandonedID returns the id of the last entry of the branch that a branch summary is
// about.
func (e *Entry) AbandonedID() string { return e.targetOf(KindBranchSummary) }

func (e *Entry) targetOf(k Kind) string {
	if e.Kind != k {
		return ""
	}
	return e.Target()
}

// ToolName returns the tool of a tool result, "" if it is not recorded.
func (e *Entry) ToolName() string { return e.nameOf(KindToolResult) }

// ModelID returns the model of an answer, or the new model of a model change.
func (e *Entry) ModelID() string {
	if e.Kind == KindModel {
		return e.Name
	}
	return e.nameOf(KindAssistant)
}

// ThinkingLevel returns the new thinking level of a change of it.
func (e *Entry) ThinkingLevel() string { return e.nameOf(KindThinking) }

// CustomType returns the type that an extension gave its message or state.
func (e *Entry) CustomType() string {
	if e.Kind == KindCustom {
		return e.Name
	}
	return e.nameOf(KindCustomMessage)
}

// SessionName returns the name that e gives to the session, "" if it clears the name.
func (e *Entry) SessionName() string { return e.nameOf(KindName) }

// ShellName returns the program that ran the command of the user: "bash", "python".
func (e *Entry) ShellName() string { return e.nameOf(KindShell) }

// OmitsTarget reports whether e is a context edit that omits its target. Any other context
// edit replaces the content.
func (e *Entry) OmitsTarget() bool { return e.Kind == KindContextEdit && e.Name == "omit" }

func (e *Entry) nameOf(k Kind) string {
	if e.Kind != k {
		return ""
	}
	return e.Name
}

// CallID returns the id of the call of a tool result.
func (e *Entry) CallID() string { return e.details().Call }

// Calls returns the tool calls of an assistant entry.
func (e *Entry) Calls() []ToolCall { return e.details().Calls }

// StopReason returns why the model stopped, as recorded.
func (e *Entry) StopReason() string { return e.details().Stop }

// ErrorText returns the error message of an assistant entry.
func (e *Entry) ErrorText() string { return e.details().Error }

// Status returns the short outcome of a tool or a command.
func (e *Entry) Status() string { return e.details().Status }

// PermissionMode returns the mode, as recorded, in which the agent asks for permission from a
// prompt on, "" if it is not recorded.
func (e *Entry) PermissionMode() string { return e.details().Mode }

// Tokens returns how many tokens were in the context, 0 if unknown.
func (e *Entry) Tokens() int64 { return e.details().Tokens }

// Charge returns what e records of the price of a request, nil if it records none. It must
// not be changed.
func (e *Entry) Charge() *Charge { return e.details().Charge }

// Cost returns the dollars that the agent recorded with e.
func (e *Entry) Cost() float64 {
	if c := e.Charge(); c != nil {
		return c.Cost
	}
	return 0
}

// Added returns how many lines an edit added.
func (e *Entry) Added() int32 { return e.details().Added }

// Removed returns how many lines an edit removed.
func (e *Entry) Removed() int32 { return e.details().Removed }

// ChangesFile reports whether e is a result of an edit that changed lines.
func (e *Entry) ChangesFile() bool {
	return e.Kind == KindToolResult && e.Added()+e.Removed() > 0
}

// OwnDetails gives e a copy of its details and returns the copy. Copies of an entry share
// their details, so one of them must not be changed in place.
func (e *Entry) OwnDetails() *Details {
	d := *e.details()
	e.Details = &d
	return e.Details
}

// StoreDetails gives e a copy of d, or no details if d is empty. A format can use one d
// for all lines of a file.
func (e *Entry) StoreDetails(d *Details) {
	e.Details = nil
	if !d.isEmpty() {
		kept := *d
		e.Details = &kept
	}
}

func (d *Details) isEmpty() bool {
	return d.Provider == "" && d.Target == "" && d.Call == "" && d.Calls == nil && d.Stop == "" && d.Error == "" && d.Status == "" && d.Mode == "" &&
		d.Tokens == 0 && d.Charge == nil && d.Added == 0 && d.Removed == 0
}
