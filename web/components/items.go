package components

import (
	"context"
	"io"

	"github.com/a-h/templ"
)

// Item is an item of the path. There is a type for each kind of item.
type Item interface{ templ.Component }

// ItemHead is what all items have in common.
type ItemHead struct {
	ID     string // DOM id
	Entry  string // id of the entry
	Target bool   // the viewed entry
}

// EntryHead is what items about an entry have in common.
type EntryHead struct {
	ItemHead
	Href   string // deep link
	Raw    string // href of the raw line
	Text   string // href of the text to copy, "" = the shown one
	Copy   string // "Copy prompt", "" = nothing to copy
	Change string // address below which changes of the entry are requested; "" = no changes
	Time   Time
	Label  string
	Edited string // "left out of the context from here on", "replaced in the context"
	Edit   *Link  // link to the entry that edits it
	Pairs  []Pair // further facts
}

// Pair is a named value.
type Pair struct{ Name, Value string }

// UserItem is a prompt.
type UserItem struct {
	EntryHead
	Who     string // "You"
	ByAgent bool   // an agent wrote it, not a user
	Detail  string // "not in the context"
	Blocks  []BlockModel
	Also    []string     // ids of entries that are images of the prompt
	Images  []BlockModel // shown as chips below the text
	Files   []NoteChip   // that the user attached
}

// AnswerItem is an answer without its tool calls.
type AnswerItem struct {
	EntryHead
	Also   []string // ids of earlier entries of the same reply
	Blocks []BlockModel
	Error  string // why it failed or was aborted, or ""
	Foot   *AnswerFoot
}

// AnswerFoot is what an answer cost.
type AnswerFoot struct {
	Model    string
	Duration string // "12s", "" unknown
	Input    string // tokens, cached ones included: "38k", "" none
	Output   string // "3,204"
	Cost     string // "$0.38", "no price", "" nothing
	Title    string // the tokens by kind
	Context  string // address of what the model was sent, "" for viewers of a snapshot
}

// ToolGroup is successive tool calls.
type ToolGroup struct {
	ItemHead
	Tools []ToolModel
}

// BranchSwitcher is the switcher before an entry that has siblings.
type BranchSwitcher struct {
	ItemHead
	SwitchModel
}

// SwitchModel is the branch switcher.
type SwitchModel struct {
	At, Of     int    // 1-based
	Prev, Next string // hrefs, "" at the ends
	NextText   string // first prompt of the next branch
	NextCount  string // "6 entries"
	Head       string // entry id of the branch's head
	Compare    string // href that compares the branches, "" if that is not possible
}

// CompactionItem is a compaction, with its summary folded.
type CompactionItem struct {
	EntryHead
	Title, Detail string
	Blocks        []BlockModel
}

// BranchSummaryItem is the summary of an abandoned branch.
type BranchSummaryItem struct {
	EntryHead
	Title, Detail string
	Blocks        []BlockModel
}

// NoteItem is a line about settings or state.
type NoteItem struct {
	EntryHead
	Icon          string // "model", "thinking", "name", "label", "usage", "edit", "reset", "event", "warn"
	Title, Detail string
	Also          []NotePart // notes merged into the line
	Blocks        []BlockModel
	Chips         []NoteChip // what was added without the user: if any, they take the place of the rest
}

// NoteChip is a chip in the row of a note: it opens to what an entry added. Successive entries of
// the same kind share a chip.
type NoteChip struct {
	Entries       []string // ids
	Icon          string   // of a block or a note
	Title, Detail string
	Blocks        []BlockModel
	Raw           []Link // to the raw lines
}

// NotePart is a note merged into the line of the note above it.
type NotePart struct {
	Entry, Title, Detail string
}

// ThreadLink marks the start of an agent or another session and links to the other side.
type ThreadLink struct {
	ItemHead
	Icon, Title, Detail string
	Relation            string // "continues from"; "" = Other is the thread that begins here
	Other               *Link  // to the other side, nil if unknown
	Within              string // title of the thread that contains the other side, or ""
	Warning             string
	Button              string // text of a button to the other side, or ""

	// A sub-agent is shown as a card with what it did and cost.
	Session           string   // in the card at the start of a sub-agent: the title of its session
	Facts, FactsAfter []string // "31 entries", "14 calls"; "41k tokens", "$0.38", "1m 12s"
	Failed            string   // "1 failed", "" none
	LastLine          string   // of its last answer, ""
}

// Card is what the items of other messages have in common.
type Card struct {
	EntryHead
	Who, Title, Detail string
	Folded             bool     // closed by default
	Also               []string // ids of entries shown in the card too
	Blocks             []BlockModel
}

// SystemItem is a system prompt.
type SystemItem struct{ Card }

// CustomItem is a message by an extension or by the agent's program.
type CustomItem struct{ Card }

// ShellItem is a command that the user ran.
type ShellItem struct{ Card }

// MessageItem is a message of another role.
type MessageItem struct{ Card }

// PathEnd is the item after the last entry.
type PathEnd struct {
	ItemHead
	Leaf          bool // the path ends at the session's leaf
	Title, Detail string
	Time          Time  // when a sub-agent returned its result, or zero
	Hidden        *Link // to the lines of the file that are neither on the path nor among its entries, nil if there are none
}

// Render implements templ.Component.
func (it *UserItem) Render(ctx context.Context, w io.Writer) error {
	return userItem(it).Render(ctx, w)
}

// Render implements templ.Component.
func (it *AnswerItem) Render(ctx context.Context, w io.Writer) error {
	return answerItem(it).Render(ctx, w)
}

// Render implements templ.Component.
func (it *ToolGroup) Render(ctx context.Context, w io.Writer) error {
	return toolGroup(it).Render(ctx, w)
}

// Render implements templ.Component.
func (it *BranchSwitcher) Render(ctx context.Context, w io.Writer) error {
	return branchSwitcher(it).Render(ctx, w)
}

// Render implements templ.Component.
func (it *CompactionItem) Render(ctx context.Context, w io.Writer) error {
	return compactionItem(it).Render(ctx, w)
}

// Render implements templ.Component.
func (it *BranchSummaryItem) Render(ctx context.Context, w io.Writer) error {
	return branchSummaryItem(it).Render(ctx, w)
}

// Render implements templ.Component.
func (it *NoteItem) Render(ctx context.Context, w io.Writer) error {
	return noteItem(it).Render(ctx, w)
}

// Render implements templ.Component.
func (it *ThreadLink) Render(ctx context.Context, w io.Writer) error {
	return threadLink(it).Render(ctx, w)
}

// Render implements templ.Component.
func (it *SystemItem) Render(ctx context.Context, w io.Writer) error {
	return card(&it.Card, "system", "chip").Render(ctx, w)
}

// Render implements templ.Component.
func (it *CustomItem) Render(ctx context.Context, w io.Writer) error {
	return card(&it.Card, "custom", "event").Render(ctx, w)
}

// Render implements templ.Component.
func (it *ShellItem) Render(ctx context.Context, w io.Writer) error {
	return card(&it.Card, "shell", "term").Render(ctx, w)
}

// Render implements templ.Component.
func (it *MessageItem) Render(ctx context.Context, w io.Writer) error {
	return card(&it.Card, "message", "event").Render(ctx, w)
}

// Render implements templ.Component.
func (it *PathEnd) Render(ctx context.Context, w io.Writer) error { return pathEnd(it).Render(ctx, w) }
