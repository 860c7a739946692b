package session

// Details is what the entries of some kinds record besides. Most prompts have none.
type Details struct {
	Provider string // Model, Assistant: provider of the model
	Target   string // CustomMessage: id of the agent that it reports on. Label, ContextEdit, Archive: target id. Compaction: first kept id. BranchSummary: from id
	Call     string // ToolResult: id of its call
	Calls    []ToolCall
	Stop     string  // Assistant: stop reason as recorded
	Error    string  // Assistant: error message cut at 80 UTF-16 units
	Status   string  // ToolResult, Shell: short outcome to show, "exit 1", "timed out"
	Tokens   int64   // Compaction: tokens before it. Assistant: tokens in context after it; 0 unknown
	Cost     float64 // dollars this line adds to the session's total
	Added    int32   // ToolResult of an edit: lines added and removed
	Removed  int32
}

// noDetails are the details of an entry that has none. Nobody writes to them.
var noDetails Details

func (e *Entry) details() *Details {
	if e.Details == nil {
		return &noDetails
	}
	return e.Details
}

// Provider returns the provider of the model.
func (e *Entry) Provider() string { return e.details().Provider }

// Target returns the id of the entry, or of the agent, that e is about.
func (e *Entry) Target() string { return e.details().Target }

// CallID returns the id of the call that produced a tool result.
func (e *Entry) CallID() string { return e.details().Call }

// Calls returns the tool calls of an assistant entry.
func (e *Entry) Calls() []ToolCall { return e.details().Calls }

// StopReason returns why the model stopped, as recorded.
func (e *Entry) StopReason() string { return e.details().Stop }

// ErrorText returns the error message of an assistant entry.
func (e *Entry) ErrorText() string { return e.details().Error }

// Status returns the short outcome of a tool or a command.
func (e *Entry) Status() string { return e.details().Status }

// Tokens returns how many tokens were in the context, 0 where that is unknown.
func (e *Entry) Tokens() int64 { return e.details().Tokens }

// Cost returns the dollars that e adds to the session's total.
func (e *Entry) Cost() float64 { return e.details().Cost }

// Added returns how many lines an edit added.
func (e *Entry) Added() int32 { return e.details().Added }

// Removed returns how many lines an edit removed.
func (e *Entry) Removed() int32 { return e.details().Removed }

// OwnDetails gives e a copy of its details and returns it: copies of an entry share
// them, and must not be changed by what changes one.
func (e *Entry) OwnDetails() *Details {
	d := *e.details()
	e.Details = &d
	return e.Details
}

// StoreDetails gives e a copy of d, or no details where d is empty. A format fills one
// d for line after line.
func (e *Entry) StoreDetails(d *Details) {
	e.Details = nil
	if !d.isEmpty() {
		kept := *d
		e.Details = &kept
	}
}

func (d *Details) isEmpty() bool {
	return d.Provider == "" && d.Target == "" && d.Call == "" && d.Calls == nil && d.Stop == "" && d.Error == "" && d.Status == "" &&
		d.Tokens == 0 && d.Cost == 0 && d.Added == 0 && d.Removed == 0
}
