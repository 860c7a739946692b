package session

import "slices"

// Op is a kind of change of a session.
type Op uint8

// The changes that append lines.
const (
	OpLabel  Op = iota + 1 // set the label of Entry to Text, "" clears
	OpName                 // name the session Text, "" clears
	OpBranch               // move the leaf to where Entry branches from, see BranchPlan
	OpSwitch               // make the tip Entry the leaf, by a neutral line below it
	OpCopy                 // copy the entries CopyIDs to the leaf: cherry-pick and merge
	OpRepair               // make Entry, the newest activity of another writer, the leaf again
)

// Change is a requested change of a session. It says what to do; Format.EncodeChange
// makes the lines that do it.
type Change struct {
	Op      Op
	Entry   string   // id of the entry; Branch: "" = before the first entry
	Text    string   // Label, Name
	Label   string   // Branch: a label for Entry, or for the summary when there is one
	Summary *Summary // Branch: nil = none
	CopyIDs []string // Copy: ids in the order of copying
}

// IsCopyable reports whether entries of kind k can be copied to another place. Messages
// and summaries of branches can. A system prompt belongs to the entries below it and a
// compaction to those above; settings are not copied.
func (k Kind) IsCopyable() bool {
	switch k {
	case KindUser, KindAssistant, KindToolResult, KindShell, KindMessage, KindCustomMessage, KindBranchSummary:
		return true
	}
	return false
}

// Summary is what a new branch says about the branch that it leaves.
type Summary struct {
	Text     string
	Program  bool     // a program wrote it
	Read     []string // files that the abandoned entries have read, sorted
	Modified []string // files that they have changed, sorted
}

// IDSource provides ids and the time to encoders.
type IDSource struct {
	Now              int64         // ms since the epoch
	EntryID          func() string // a random id of 8 hex digits; the encoder calls it again if the id exists
	SessionID        func() string // a random session id, a UUIDv7
	OrderedSessionID func() string // a session id that sorts by time, a UUIDv6
}

// LineReader returns the recorded line of an entry.
type LineReader func(Pos) ([]byte, error)

// Line is a new line for a session file, without its newline.
type Line struct {
	ID   string // of the entry; "" until the line is written, where lines have no ids
	Text []byte
	// ReplacesSlot: the line is not appended but replaces the first line of the file,
	// which has the same length. It is not an entry.
	ReplacesSlot bool
}

// Ability says whether a change is possible, and if not, why.
type Ability struct {
	// InSidecar: the file cannot hold the change, so it goes to the sidecar.
	InSidecar bool
	// Reason tells people why the change is not possible; "" if it is.
	Reason string
}

// IsPossible reports whether the change is possible, in the file or in the sidecar.
func (a Ability) IsPossible() bool { return a.Reason == "" }

// Capabilities says which changes of a session are possible.
type Capabilities struct {
	Label, Name, Branch, Copy, Fork, Migrate Ability
	// Export is whether a session file can be made of it for others, as for sharing.
	Export Ability
}

// NoExportReason returns why session files of the format cannot be exported, "" if they
// can.
func (f *Format) NoExportReason() string {
	if f.Export != nil && f.Export.Extract != nil {
		return ""
	}
	return "Files in the format of " + f.Title + " can no longer be created: export Markdown."
}

// Selection is the entries of a session for a new file.
type Selection struct {
	Keep []Pos // in the order of the new file
	// Top is the entry that the selection is about, NoPos for a whole session.
	Top Pos
	// Leaf is the entry to continue the file from. NoPos: the session's leaf, if it is
	// selected.
	Leaf Pos
	// AnnotationsInSidecar keeps labels and the name out of the file, so that entries
	// can be appended to it: a label line would be its leaf.
	AnnotationsInSidecar bool
}

// NewFile is a session file to be written.
type NewFile struct {
	ID      string // id of the new session
	Name    string // base name, by the agent's scheme
	Lines   []FileLine
	Trailer *Trailer // lines after Lines, or nil
	// Unordered are lines after the trailer whose order does not matter.
	Unordered   []FileLine
	LossWarning string // says what the path has that the file lacks, "" for nothing
	// Annotations are the labels and the name that the file cannot hold.
	Annotations Annotations
}

// Trailer is what a new file says at its end: the name of the session, its labels, and
// the leaf. Its lines are encoded when they are written, for the place where they will
// be, so that a file can be extended later.
type Trailer struct {
	Leaf        Pos     // the leaf, or NoPos to say nothing
	ImpliedLeaf Pos     // the leaf without a trailer, or NoPos
	Name        *string // of the session, or nil to say nothing
	Labels      []LabelInfo
	// LastLineIsLeaf: the last line is the leaf, also if it is one of the trailer.
	LastLineIsLeaf bool
	// EncodeLine encodes a line for one item. Its parent is the line of the id above,
	// or Leaf if above is "", where lines have parents.
	EncodeLine func(id, above string, say TrailerItem) []byte
	// EncodeSiblingLine encodes such a line on a branch next to Leaf, so that the line
	// of Leaf stays the last one. If above is "", its parent is that of Leaf. nil: the
	// format has no such place.
	EncodeSiblingLine func(id, above string, say TrailerItem) []byte
	// Annotations are the name and the labels in case entries will be appended to the
	// file: their lines would be its leaf. Entry ids are those in the file.
	Annotations Annotations
}

// TrailerItem is the content of a trailer line: a name, a label, or with neither the
// leaf.
type TrailerItem struct {
	Name  *string
	Label *LabelInfo
}

// AppendTrailerLabels appends the labels to Lines. It is for a trailer with neither a
// name nor a leaf.
func (f *NewFile) AppendTrailerLabels(id func() string) {
	above := ""
	for i := range f.Trailer.Labels {
		name := id()
		f.Lines = append(f.Lines, FileLine{Pos: NoPos, Text: f.Trailer.EncodeLine(name, above, TrailerItem{Label: &f.Trailer.Labels[i]})})
		above = name
	}
	f.Trailer = nil
}

// FileLine is one line of a new file: Text, or if Text is nil the recorded line of the
// entry at Pos, changed by Edit unless that is nil.
type FileLine struct {
	Pos  Pos
	Text []byte
	Edit func(line []byte) ([]byte, error)
	// EditInput is everything that Edit adds to the line: equal inputs give equal
	// lines.
	EditInput string
	// AddsEntry: Text is an entry that the session does not have.
	AddsEntry bool
}

// BranchPlan is what a branch in place would do. The rules are those of pi's
// navigateTree.
type BranchPlan struct {
	Target    Pos   // the chosen entry, NoPos = before the first entry
	OldLeaf   Pos   // the leaf before the branch
	Ancestor  Pos   // the deepest entry on both paths, or NoPos
	Abandoned []Pos // entries that are left behind, oldest first
	NewLeaf   Pos   // the entry to branch from, NoPos = before the first entry
	Prefill   bool  // the next prompt starts with the target's text
	IsNoop    bool  // the target is the leaf: there is nothing to write
}

// PlanBranch returns what branching from target does if leaf is the leaf. A prompt or a
// message by an extension branches from its parent and offers its text again; any other
// entry branches from itself.
func PlanBranch(t *Tree, target, leaf Pos) BranchPlan {
	p := BranchPlan{Target: target, OldLeaf: leaf, NewLeaf: target, IsNoop: target == leaf}
	p.Ancestor = commonAncestor(t, target, leaf)
	for at := leaf; at != p.Ancestor; at = t.parent[at] {
		p.Abandoned = append(p.Abandoned, at)
	}
	slices.Reverse(p.Abandoned)
	if target == NoPos || p.IsNoop {
		return p
	}
	switch t.entries[target].Kind {
	case KindUser, KindCustomMessage:
		p.NewLeaf, p.Prefill = t.parent[target], true
	}
	return p
}

// commonAncestor returns the deepest entry on the paths to a and b.
func commonAncestor(t *Tree, a, b Pos) Pos {
	on := t.MarkPath(b)
	for a != NoPos && !on[a] {
		a = t.parent[a]
	}
	return a
}
