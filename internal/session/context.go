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
	c, path := t.contextStateAt(leaf)
	path = t.afterReset(path)
	t.applyContextEdits(t.collectMessages(path, &c), &c)
	if t.header.Rules.SkipFailed {
		c.Items = t.sendableItems(c.Items)
	}
	return c
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
	c, _ := t.contextStateAt(leaf)
	return c
}

// contextStateAt returns a context without items, and the path to the leaf.
func (t *Tree) contextStateAt(leaf Pos) (c Context, path []Pos) {
	c.Thinking = "off"
	path = t.ownPath(t.Path(leaf))
	t.readContextState(path, &c)
	return c, path
}

// readContextState applies the settings on a path: the thinking level, the model and
// the tokens.
func (t *Tree) readContextState(path []Pos, c *Context) {
	pinned := false
	for _, p := range path {
		t.applyToContext(t.At(p), c, &pinned)
	}
}

// applyToContext applies one entry of the path to c. If pinned is set, a recorded model
// overrides those of answers.
func (t *Tree) applyToContext(e *Entry, c *Context, pinned *bool) {
	switch e.Kind {
	case KindThinking:
		c.Thinking = e.ThinkingLevel()
	case KindModel:
		if !e.HasFlag(FlagSecondary) {
			c.Provider, c.Model = e.Provider(), e.ModelID()
			*pinned = t.header.Rules.PinnedModel
		}
	case KindAssistant:
		if !*pinned {
			c.Provider, c.Model = e.Provider(), e.ModelID()
		}
		if e.Tokens() > 0 {
			c.Tokens = e.Tokens()
		}
	case KindCompaction, KindReset:
		c.Tokens = 0
	}
}

// afterReset returns the part of the path after the last reset. A compaction after the
// reset overrides it: the compaction chose what it keeps.
func (t *Tree) afterReset(path []Pos) []Pos {
	for i := len(path) - 1; i >= 0; i-- {
		switch t.entries[path[i]].Kind {
		case KindReset:
			return path[i+1:]
		case KindCompaction:
			return path
		}
	}
	return path
}

// collectMessages adds the messages of a path to c, with the last compaction applied.
// It returns the part of the path that the messages are from.
func (t *Tree) collectMessages(path []Pos, c *Context) (selected []Pos) {
	at := t.lastCompaction(path)
	if at < 0 {
		t.addContextItems(path, false, c)
		return path
	}
	pack := t.At(path[at])
	if pack.HasFlag(FlagSystemMessage) {
		c.Items = append(c.Items, ContextItem{Pos: path[at], Role: "system", Edit: NoPos, SystemMessage: true})
	}
	c.Items = append(c.Items, ContextItem{Pos: path[at], Role: "compactionSummary", Edit: NoPos})
	selected = path[at:]
	for i, p := range path[:at] {
		if t.entries[p].ID == pack.FirstKeptID() {
			selected = path[i:]
			t.addContextItems(path[i:at], true, c)
			break
		}
	}
	t.addContextItems(path[at+1:], false, c)
	return selected
}

func (t *Tree) lastCompaction(path []Pos) int {
	for i := len(path) - 1; i >= 0; i-- {
		if t.entries[path[i]].Kind == KindCompaction {
			return i
		}
	}
	return -1
}

// addContextItems adds the messages among ps. kept is set for messages that a
// compaction keeps: their system messages are in the compaction.
func (t *Tree) addContextItems(ps []Pos, kept bool, c *Context) {
	for _, p := range ps {
		if t.header.Rules.OmitsNoContext && t.entries[p].HasFlag(FlagNoContext) {
			continue
		}
		if role := t.entries[p].contextRole(); role != "" && !(kept && role == "system") {
			c.Items = append(c.Items, ContextItem{Pos: p, Role: role, Edit: NoPos})
			t.addResultItems(p, c)
		}
	}
}

// addResultItems adds the results that the answer at p records itself: those of all its
// calls, then the images in them.
func (t *Tree) addResultItems(p Pos, c *Context) {
	var results, images []ContextItem
	for i, call := range t.entries[p].Calls() {
		if call.Outcome == nil || call.Outcome.Unsent {
			continue
		}
		results = append(results, ContextItem{Pos: p, Role: "toolResult", Edit: NoPos, Part: PartResult, Call: i})
		if call.Outcome.HasImages {
			images = append(images, ContextItem{Pos: p, Role: "user", Edit: NoPos, Part: PartImages, Call: i})
		}
	}
	if t.header.Rules.ResultsReversed {
		slices.Reverse(results)
	}
	c.Items = append(append(c.Items, results...), images...)
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

// EditsContext reports whether the context edit e changes the message of target: it
// omits it, or the content can be replaced.
func (e *Entry) EditsContext(target *Entry) bool {
	return e.OmitsTarget() || editableRoles[target.contextRole()]
}

// applyContextEdits applies the last context edit of each message among the selected
// entries.
func (t *Tree) applyContextEdits(selected []Pos, c *Context) {
	edits := map[string]Pos{}
	for _, p := range selected {
		if t.entries[p].Kind == KindContextEdit {
			edits[t.entries[p].Target()] = p
		}
	}
	if len(edits) == 0 {
		return
	}
	items := c.Items[:0]
	for _, item := range c.Items {
		by, edited := edits[t.entries[item.Pos].ID]
		if edited && t.entries[by].OmitsTarget() {
			continue
		}
		if edited && editableRoles[item.Role] {
			item.Edit = by
		}
		items = append(items, item)
	}
	c.Items = items
}
