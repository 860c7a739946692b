package session

import "math"

// Pos is the position of an entry in a Tree, counted from 0 in file order. Entries
// refer to each other by positions instead of pointers: these take four bytes and need
// no garbage collection. A position stays valid until the session is reloaded.
type Pos int32

// NoPos is the position of no entry, such as the parent of a root.
const NoPos Pos = -1

// NoTime is the Time of an entry whose timestamp is missing or cannot be read.
const NoTime int64 = math.MinInt64

// Span is the location of the recorded line of an entry.
type Span struct {
	Off  int64 // byte offset of the line's first byte in its file
	Len  int32 // bytes, without the newline
	Line int32 // counted from 1
	File int32 // index into the session's files
}

// Kind is the kind of an entry, independent of the format.
type Kind uint8

// The kinds. A line that no format knows has KindUnknown; it is shown raw and never
// dropped.
const (
	KindUnknown       Kind = iota
	KindUser               // a prompt
	KindAssistant          // an answer, with text, thinking, tool calls
	KindToolResult         // what a tool call returned
	KindShell              // a command run by the user and its output
	KindSystem             // a system prompt or a change of it
	KindMessage            // a message of any other role
	KindCustomMessage      // a message by an extension, which the model sees
	KindCompaction         // a summary that replaces older entries in the context
	KindBranchSummary      // a summary of an abandoned branch
	KindModel              // a change of the model
	KindThinking           // a change of the thinking level
	KindLabel              // a label set or cleared
	KindName               // a name for the session
	KindCustom             // state of an extension, never in the context
	KindUsage              // tokens spent outside the conversation; never a row
	KindContextEdit        // another entry edited or omitted in later context
	KindReset              // the context starts again after this entry
	KindArchive            // another entry hidden or shown again
	KindEvent              // other bookkeeping of the agent
)

// IsBookkeeping reports whether entries of kind k record settings and state, not
// conversation. A subtree of nothing else is not shown as a branch.
func (k Kind) IsBookkeeping() bool {
	switch k {
	case KindModel, KindThinking, KindLabel, KindName, KindCustom, KindUsage, KindContextEdit, KindArchive, KindEvent:
		return true
	}
	return false
}

// isConversation reports whether e is part of a conversation, so that it makes a
// branch.
func (e *Entry) isConversation() bool {
	return !e.Kind.IsBookkeeping() && e.Flags&(FlagArtifact|FlagCommand) == 0
}

// StartsThread reports whether e starts a thread that is always a branch: that of an
// agent, of another session, or of retracted lines.
func (e *Entry) StartsThread() bool { return e.Flags&(FlagAgent|FlagSession|FlagRetracted) != 0 }

// Flags are properties of an entry.
type Flags uint32

// The flags.
const (
	FlagHasParent     Flags = 1 << iota // Parent was recorded and is not null
	FlagError                           // a failed tool, a failed or aborted answer
	FlagHidden                          // custom message not meant for display, or a custom entry that repeats what others record
	FlagThinking                        // the answer holds thinking
	FlagImages                          // the content holds images
	FlagOn                              // Archive: hide (absent: show again). Label: a text was recorded, even if empty (absent: none or null)
	FlagNoContext                       // a message that is not in the model's context
	FlagBranchMark                      // a custom entry of the explorer that keeps a branch without words
	FlagSecondary                       // model change for a role other than the session's own. User: sent by an agent, not typed
	FlagText                            // the content has non-blank text, also beyond Preview
	FlagSystemMessage                   // Compaction: it records a system message itself
	FlagCommand                         // a command of the agent's prompt line, or its output: not conversation
	FlagAgent                           // starts the thread of an agent
	FlagSession                         // starts the thread of another session
	FlagArtifact                        // a recording artifact, folded under its recorded parent; Status says why
	FlagRetracted                       // starts lines that the agent retracted
	FlagContinuation                    // Assistant: continues the reply of the answer recorded before it
	FlagMetadata                        // a line without an id that only the agent's program reads: a row only under FilterAll, and never counted
	FlagAttached                        // Event: a file or a selection that the user attached to the prompt above
)

// Entry is one recorded line, reduced to what the tree needs. The body stays on
// disk; Span says where. A session has very many: what few kinds record is in Details.
type Entry struct {
	ID     string
	Parent string // as recorded; valid with FlagHasParent only ("" is a legal id)
	Role   string // the role of a message, else the entry type, as in the file; interned

	// Preview is the entry's own text for a row: content text cut at 200 UTF-16 units,
	// then newlines and tabs replaced by spaces, and trimmed. Shell: the command.
	// Label: the label ("" clears). Compaction: empty. BranchSummary and CustomMessage:
	// uncut up to 64 KiB.
	Preview string
	// Name: CustomMessage, Custom: custom type. ToolResult: tool. Model: model
	// id. Assistant: model id. Thinking: level. Name: the name, trimmed. Event: a
	// short text to show after the type. ContextEdit: "omit" or "replace". Usage:
	// what it was for. Shell: "bash", "python".
	Name string

	Details *Details // nil: none; the methods of its fields' names read it
	Extra   any      // further data for the format's Arrange, or nil

	Time        int64 // ms since the epoch, or NoTime
	SortTime    int64 // ms by which an arranged tree sorts siblings: Time or, if the line has none, the SortTime of the line before it
	MessageTime int64 // time of the message if it is recorded separately, else Time
	Span        Span
	Flags       Flags
	Kind        Kind
	Copied      bool // from another session, where it counts
}

// ToolCall is one tool call in an assistant entry, reduced to what a row shows.
type ToolCall struct {
	ID          string
	Name        string
	Arg         string // the most informative argument, cut: "theme.ts:1-20", "npm run build"
	CommandLine string // a command on one line, cut at 160 UTF-16 units; "" if Arg has all of it
	// Outcome is the result of the call if the line of the answer records it, else nil.
	Outcome *Outcome
}

// Outcome is the result of a tool call, as a row shows it.
type Outcome struct {
	Failed    bool
	Status    string // short, such as "failed", or ""
	Unsent    bool   // the model is sent neither the call nor its result
	HasImages bool   // the result holds images
}

// HasFlag reports whether all of f's bits are set.
func (e *Entry) HasFlag(f Flags) bool { return e.Flags&f == f }

// Note is something that viewers should know about a file: a line that could not be
// read, or a decision that differs from what was recorded.
type Note struct {
	Code  string // a stable word, see the note codes
	Line  int    // counted from 1 in its file, or 0
	File  int    // index into the session's files
	Entry string // id, or ""
	Text  string // for people
}

// Note codes that all formats share. A format may have further ones.
const (
	NoteBadLine     = "bad-line"      // a complete line that is not a JSON object
	NoteTornLine    = "torn-line"     // a last line without a newline
	NoteOrphan      = "orphan"        // the recorded parent is not in the file
	NoteCycle       = "cycle"         // a cycle of parents, which was cut
	NoteDuplicateID = "duplicate-id"  // an id recorded again; the last line is used
	NoteBadFile     = "bad-file"      // one of the session's files that cannot be read
	NoteCopy        = "copy"          // a line that records an entry again
	NoteDeadEnd     = "dead-end-leaf" // the last line is on an abandoned branch
	NoteNewer       = "newer-version" // the file has a version newer than the known ones
)
