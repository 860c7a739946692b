package session

import "math"

// Pos is an entry's place in a Tree, counted from 0 in file order. Links
// between entries are positions, not pointers: four bytes each, and nothing for
// the collector to chase. A position stays valid until the session is reloaded.
type Pos int32

// NoPos is the position of no entry: the parent of a root, the leaf before the
// first entry.
const NoPos Pos = -1

// NoTime is the Time of an entry whose timestamp is missing or cannot be read.
const NoTime int64 = math.MinInt64

// Span locates the recorded line of an entry.
type Span struct {
	Off  int64 // byte offset of the line's first byte in its file
	Len  int32 // bytes, without the line's end
	Line int32 // counted from 1
	File int32 // index into the session's files
}

// Kind says what an entry is to a reader.
type Kind uint8

// The kinds. Every recorded line has one; what no format knows is KindUnknown
// and is kept, shown raw, never dropped.
const (
	KindUnknown       Kind = iota
	KindUser               // a prompt
	KindAssistant          // an answer, with text, thinking, tool calls
	KindToolResult         // what a tool call returned
	KindShell              // a command run by the user and its output
	KindSystem             // a system prompt or a change of it
	KindMessage            // a message of any other role
	KindCustomMessage      // a message by an extension, which the model sees
	KindCompaction         // a summary that stands for older entries
	KindBranchSummary      // a summary of a branch left behind
	KindModel              // the model changed
	KindThinking           // the thinking level changed
	KindLabel              // a label set or cleared
	KindName               // the session named
	KindCustom             // state of an extension, never in the context
	KindUsage              // tokens spent outside the conversation; never a row
	KindContextEdit        // another entry edited or left out of later context
	KindReset              // the context starts anew after this entry
	KindArchive            // another entry hidden or shown again
	KindEvent              // other bookkeeping of the agent
)

// IsBookkeeping reports whether entries of kind k record settings and state, not
// conversation. A branch of nothing else is no branch to a reader.
func (k Kind) IsBookkeeping() bool {
	switch k {
	case KindModel, KindThinking, KindLabel, KindName, KindCustom, KindUsage, KindContextEdit, KindArchive, KindEvent:
		return true
	}
	return false
}

// isConversation reports whether e is part of a conversation, and so makes a branch.
func (e *Entry) isConversation() bool {
	return !e.Kind.IsBookkeeping() && e.Flags&(FlagArtifact|FlagCommand) == 0
}

// StartsThread reports whether e begins a line of its own, which is always a branch of
// the one it hangs on: an agent's, another session's, or what was taken back.
func (e *Entry) StartsThread() bool { return e.Flags&(FlagAgent|FlagSession|FlagRetracted) != 0 }

// Flags are yes-or-no facts of an entry.
type Flags uint32

// The flags.
const (
	FlagHasParent     Flags = 1 << iota // Parent was recorded and is not null
	FlagError                           // a failed tool, a failed or aborted answer
	FlagHidden                          // custom message not meant for display
	FlagThinking                        // the answer holds thinking
	FlagImages                          // the content holds images
	FlagOn                              // Archive: hide (absent: show again). Label: a text was recorded, be it empty (absent: none or null)
	FlagNoContext                       // a message kept out of the model's context
	FlagBranchMark                      // a custom entry of ours that keeps a branch without words
	FlagSecondary                       // model change of another role than the session's own. User: asked by an agent, typed by nobody
	FlagText                            // the content holds text that is not blank, also beyond what Preview shows
	FlagSystemMessage                   // Compaction: it records a system message of its own
	FlagCommand                         // a command of the agent's own prompt line, or its output: no conversation
	FlagAgent                           // begins the line of an agent
	FlagSession                         // begins the line of another session
	FlagArtifact                        // an artifact of recording, folded under its recorded parent; Status says why
	FlagRetracted                       // begins what the agent took back and the explorer keeps
	FlagContinuation                    // Assistant: goes on with the reply that the answer recorded before it began
	FlagMetadata                        // a line without an id that only the agent's program reads: a row under FilterAll alone, counted nowhere
)

// Entry is one recorded line, reduced to what the tree needs. The body stays on
// disk; Span says where. A session has very many: what few kinds record is in Details.
type Entry struct {
	ID     string
	Parent string // as recorded; counts only with FlagHasParent ("" is a legal id)
	Role   string // the file's own word: the role of a message, else the entry type; interned

	// Preview is the entry's own text as a row shows it: content text cut at
	// 200 UTF-16 units, then newlines and tabs to blanks and trimmed. Shell: the
	// command. Label: the label ("" clears). Compaction: empty. BranchSummary
	// and CustomMessage: uncut up to 64 KiB.
	Preview string
	// Name: CustomMessage, Custom: custom type. ToolResult: tool. Model: model
	// id. Assistant: model id. Thinking: level. Name: the name, trimmed. Event: a
	// short text to show after the type. ContextEdit: "omit" or "replace". Usage:
	// what it was for. Shell: "bash", "python".
	Name string

	Details *Details // nil: none; the methods of its fields' names read it
	Extra   any      // what the format's Arrange needs besides; nil where it has none

	Time        int64 // ms since the epoch, or NoTime
	SortTime    int64 // ms by which an arranged tree sorts siblings: Time, or where the line has none that of the line before it in its file
	MessageTime int64 // the message's own time where it records one beside Time, else Time
	Span        Span
	Flags       Flags
	Kind        Kind
	Copied      bool // from another session, where it counts
}

// ToolCall is one call of a tool in an assistant entry, reduced to a row.
type ToolCall struct {
	ID          string
	Name        string
	Arg         string // the argument that tells most, cut: "theme.ts:1-20", "npm run build"
	CommandLine string // a command on one line, cut at 160 UTF-16 units; "" when Arg holds all of it
	// Outcome is what came of the call where the answer's own line records it; nil
	// where another entry does, or none.
	Outcome *Outcome
}

// Outcome is what came of a tool call, as a row shows it.
type Outcome struct {
	Failed    bool
	Status    string // short, "failed"; "" when there is nothing to say
	Unsent    bool   // the model is sent neither the call nor its result
	HasImages bool   // the result holds images
}

// HasFlag reports whether all of f's bits are set.
func (e *Entry) HasFlag(f Flags) bool { return e.Flags&f == f }

// Note is something the reader should know about a file: a line that could not
// be read, or a decision that differs from what was recorded.
type Note struct {
	Code  string // a stable word: see the Note codes
	Line  int    // counted from 1 in its file; 0 when about no line
	File  int    // index into the session's files
	Entry string // id, "" when about no entry
	Text  string // for people
}

// Note codes that every format shares. A format may have its own.
const (
	NoteBadLine     = "bad-line"      // a complete line that is no JSON object
	NoteTornLine    = "torn-line"     // a last line without its end
	NoteOrphan      = "orphan"        // the recorded parent is not in the file
	NoteCycle       = "cycle"         // a parent chain that leads back to itself, cut
	NoteDuplicateID = "duplicate-id"  // an id recorded again; the last line counts
	NoteBadFile     = "bad-file"      // one of the session's files that cannot be read
	NoteCopy        = "copy"          // a line that records an entry again that stands elsewhere
	NoteDeadEnd     = "dead-end-leaf" // the last line stands on a branch that was left
	NoteNewer       = "newer-version" // the file has a version that is newer than known
)
