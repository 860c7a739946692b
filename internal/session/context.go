package session

import "slices"

// Context is a model's context: its messages in order, and the settings on the path.
type Context struct {
	Items    []ContextItem
	Thinking string // "off" unless the path says otherwise
	Provider string // of the model; "" if the path names none
	Model    string
	Tokens   int64 // tokens of the context as the last answer counted them; 0 unknown
}

// ContextItem is one message of a Context.
type ContextItem struct {
	Pos  Pos
	Role string // "user", "assistant", "compactionSummary", "branchSummary", "custom", ...
	// Edit is the context_edit entry that replaces the message's content, or NoPos.
	Edit Pos
	// SystemMessage: this is the system message inside a compaction entry.
	SystemMessage bool
	// MergedEntries are other entries whose content is appended to this message.
	MergedEntries []Pos
	// Untagged: texts are sent without the tags that are recorded around them.
	Untagged bool
	// Part is the part of an entry that is sent as several messages. For PartResult and
	// PartImages, Call is the index of the call.
	Part ContextPart
	Call int
}

// ContextPart is a part of an entry that is a message by itself in a Context.
type ContextPart uint8

// The parts of an entry.
const (
	PartMessage ContextPart = iota // the entry itself, without the other parts
	PartResult                     // the result of a call, recorded in the entry itself
	PartImages                     // the images of such a result
)

// Context returns what the model would be sent at leaf.
func (t *Tree) Context(leaf Pos) Context {
	if t.buildContext != nil {
		return t.buildContext(t, leaf)
	}
	path := t.Path(leaf)
	b := contextBuilder{entries: t.entries, rules: &t.header.Rules, context: t.pathState(path).Context}
	b.applyContextEdits(b.collectMessages(b.afterReset(b.ownPath(path))))
	if b.rules.SkipFailed {
		b.context.Items = b.sendableItems()
	}
	return b.context
}

// ContextState is Context without its items, which are the most expensive part.
func (t *Tree) ContextState(leaf Pos) Context {
	if t.buildContext != nil {
		c := t.buildContext(t, leaf)
		c.Items = nil
		return c
	}
	if leaf != NoPos && leaf == t.leaf {
		return t.leafTrail().State.Context
	}
	return t.pathState(t.Path(leaf)).Context
}

// contextBuilder builds a Context: it selects the messages of a path.
type contextBuilder struct {
	entries []*Entry
	rules   *Rules
	context Context
}

// ownPath returns the part of a path from the start of its last agent on: entries above
// are in the context of another agent.
func (b *contextBuilder) ownPath(path []Pos) []Pos {
	for i := len(path) - 1; i > 0; i-- {
		if b.entries[path[i]].HasFlag(FlagAgent) {
			return path[i:]
		}
	}
	return path
}

// afterReset returns the part of the path after the last reset. A compaction after the
// reset overrides it: the compaction chose what it keeps.
func (b *contextBuilder) afterReset(path []Pos) []Pos {
	for i := len(path) - 1; i >= 0; i-- {
		switch b.entries[path[i]].Kind {
		case KindReset:
			return path[i+1:]
		case KindCompaction:
			return path
		}
	}
	return path
}

// collectMessages adds the messages of a path, with the last compaction applied.
// It returns the part of the path that the messages are from.
func (b *contextBuilder) collectMessages(path []Pos) (selected []Pos) {
	at := b.lastCompaction(path)
	if at < 0 {
		b.addContextItems(path, false)
		return path
	}
	pack := b.entries[path[at]]
	if pack.HasFlag(FlagSystemMessage) {
		b.context.Items = append(b.context.Items, ContextItem{Pos: path[at], Role: "system", Edit: NoPos, SystemMessage: true})
	}
	b.context.Items = append(b.context.Items, ContextItem{Pos: path[at], Role: "compactionSummary", Edit: NoPos})
	selected = path[at:]
	for i, p := range path[:at] {
		if b.entries[p].ID == pack.FirstKeptID() {
			selected = path[i:]
			b.addContextItems(path[i:at], true)
			break
		}
	}
	b.addContextItems(path[at+1:], false)
	return selected
}

func (b *contextBuilder) lastCompaction(path []Pos) int {
	for i := len(path) - 1; i >= 0; i-- {
		if b.entries[path[i]].Kind == KindCompaction {
			return i
		}
	}
	return -1
}

// addContextItems adds the messages among ps. kept is set for messages that a
// compaction keeps: their system messages are in the compaction.
func (b *contextBuilder) addContextItems(ps []Pos, kept bool) {
	for _, p := range ps {
		if b.rules.OmitsNoContext && b.entries[p].HasFlag(FlagNoContext) {
			continue
		}
		if role := b.entries[p].contextRole(); role != "" && !(kept && role == "system") {
			b.context.Items = append(b.context.Items, ContextItem{Pos: p, Role: role, Edit: NoPos})
			b.addResultItems(p)
		}
	}
}

// addResultItems adds the results that the answer at p records itself: those of all its
// calls, then the images in them.
func (b *contextBuilder) addResultItems(p Pos) {
	var results, images []ContextItem
	for i, call := range b.entries[p].Calls() {
		if call.Outcome == nil || call.Outcome.Unsent {
			continue
		}
		results = append(results, ContextItem{Pos: p, Role: "toolResult", Edit: NoPos, Part: PartResult, Call: i})
		if call.Outcome.HasImages {
			images = append(images, ContextItem{Pos: p, Role: "user", Edit: NoPos, Part: PartImages, Call: i})
		}
	}
	if b.rules.ResultsReversed {
		slices.Reverse(results)
	}
	b.context.Items = append(append(b.context.Items, results...), images...)
}

// contextRole returns the role of e's message in the context, or "".
func (e *Entry) contextRole() string {
	switch e.Kind {
	case KindUser, KindAssistant, KindToolResult, KindShell, KindSystem, KindMessage:
		return e.Role
	case KindCustomMessage:
		if !e.HasFlag(FlagNoContext) {
			return "custom"
		}
	case KindBranchSummary:
		if e.Preview != "" {
			return "branchSummary"
		}
	}
	return ""
}

// editableRoles are the roles of messages whose content a context edit can replace. pi
// ignores edits of other messages, such as commands and summaries.
var editableRoles = map[string]bool{"user": true, "assistant": true, "toolResult": true, "custom": true}

// EditsContext reports whether the context edit e changes the message of target. An edit
// that omits a message always does; one that replaces its content only if that content
// can be edited.
func (e *Entry) EditsContext(target *Entry) bool {
	return e.OmitsTarget() || editableRoles[target.contextRole()]
}

// applyContextEdits applies the last context edit of each message among the selected
// entries.
func (b *contextBuilder) applyContextEdits(selected []Pos) {
	edits := map[string]Pos{}
	for _, p := range selected {
		if b.entries[p].Kind == KindContextEdit {
			edits[b.entries[p].Target()] = p
		}
	}
	if len(edits) == 0 {
		return
	}
	items := b.context.Items[:0]
	for _, item := range b.context.Items {
		by, edited := edits[b.entries[item.Pos].ID]
		if edited && b.entries[by].OmitsTarget() {
			continue
		}
		if edited && editableRoles[item.Role] {
			item.Edit = by
		}
		items = append(items, item)
	}
	b.context.Items = items
}
