package session

// Op names an edit of a session.
type Op uint8

// The edits that append lines.
const (
	OpLabel  Op = iota + 1 // set the label of Entry to Text, "" clears
	OpName                 // name the session Text, "" clears
	OpBranch               // move the leaf to where Entry branches from: see Plan
	OpSwitch               // make the tip Entry the leaf by a neutral line under it
	OpCopy                 // copy Copies onto the leaf: cherry-pick and merge
	OpRepair               // make Entry, the newest of another writer, the leaf again
)

// Change is a requested edit of a session. Values of it say what is wanted;
// a Format's Encode says which lines hold it.
type Change struct {
	Op      Op
	Entry   string   // id of the entry it is about; Branch: "" = before the first entry
	Text    string   // Label, Name
	Label   string   // Branch: a label for Entry, or for the summary when there is one
	Summary *Summary // Branch: nil = none is written
	CopyIDs []string // Copy: ids in the order in which they are copied
}

// IsCopyable reports whether entries of kind k can be copied to another place:
// messages and summaries of branches. A system prompt belongs to what stands
// below it, and a compaction to what stands above; settings are not copied.
func (k Kind) IsCopyable() bool {
	switch k {
	case KindUser, KindAssistant, KindToolResult, KindShell, KindMessage, KindCustomMessage, KindBranchSummary:
		return true
	}
	return false
}

// Summary is what a branch's new beginning says of the one left behind.
type Summary struct {
	Text     string
	Program  bool     // a program wrote it
	Read     []string // files that the entries left behind have read, sorted
	Modified []string // and changed, sorted
}

// IDSource hands out what an encoder may not take from anywhere itself.
type IDSource struct {
	Now              int64         // ms since the epoch
	EntryID          func() string // a random id of 8 hex digits; the encoder asks again while it is taken
	SessionID        func() string // a random session id, a UUIDv7
	OrderedSessionID func() string // a session id whose names sort by time, a UUIDv6
}

// LineReader reads the recorded line of an entry.
type LineReader func(Pos) ([]byte, error)

// Line is a new line for a session file, without its end.
type Line struct {
	ID   string // of the entry it records; "" where such lines have none, until it is written
	Text []byte
	// ReplacesSlot: it is not appended, but takes the place of the file's first line, which
	// has the same length. It records no entry.
	ReplacesSlot bool
}

// Ability is whether a session can be changed in one way, and if not, why.
type Ability struct {
	// InSidecar: the file cannot hold it, the explorer keeps it in its own state.
	InSidecar bool
	// Reason says to people why it cannot be done; "" when it can.
	Reason string
}

// IsPossible reports whether the change is possible, in the file or aside.
func (a Ability) IsPossible() bool { return a.Reason == "" }

// Capabilities is what can be done to a session.
type Capabilities struct {
	Label, Name, Branch, Copy, Fork, Migrate Ability
	// Export is whether a session file can be made of it for others, which sharing
	// begins with.
	Export Ability
}

// Selection is the entries of a session that a new file is made of.
type Selection struct {
	Keep []Pos // in the order in which they are to stand in the file
	// Top is the entry that the part is about, NoPos of a whole session.
	Top Pos
	// Leaf is the entry at which the file is to be continued, NoPos: where the session
	// is, if that is in the part.
	Leaf Pos
	// AnnotationsInSidecar: labels and the name are kept outside of the file, which can then be
	// continued: lines of them would be its leaf.
	AnnotationsInSidecar bool
}

// NewFile is a session file to be made.
type NewFile struct {
	ID      string // the new session's
	Name    string // base name, as the agent names files
	Lines   []FileLine
	Trailer *Trailer // what stands behind them; nil: nothing does
	// Unordered are lines behind that, for which it does not matter where they stand.
	Unordered   []FileLine
	LossWarning string // for people: what the path has that the file does not, "" nothing
	// Annotations is the labels and the name that the file cannot hold, for whoever shows it.
	Annotations Annotations
}

// Trailer is what a new file says at its end that none of its lines does: what the
// session is called, its labels, and where the agent stands. Its lines are made for
// where they come to stand, so that a file can be gone on with.
type Trailer struct {
	Leaf        Pos     // where the agent stands, NoPos: that is not told
	ImpliedLeaf Pos     // where it would stand by the lines alone, NoPos: nowhere
	Name        *string // of the session; nil: it is not told here
	Labels      []LabelInfo
	// LastLineIsLeaf: the agent stands where the last line does, these included.
	LastLineIsLeaf bool
	// EncodeLine makes a line that says one thing. It hangs on the line of the id above, or
	// with "" on Leaf, where lines hang on others.
	EncodeLine func(id, above string, say TrailerItem) []byte
	// EncodeSiblingLine makes such a line for a branch beside Leaf, so that the line of Leaf stays
	// the last one: with "" above it hangs on what Leaf hangs on. nil: there is no such
	// place.
	EncodeSiblingLine func(id, above string, say TrailerItem) []byte
	// Annotations is the name and the labels where lines of them would be the leaf of a file
	// that is gone on with, for whoever keeps them beside it. Entries are called as in
	// the file.
	Annotations Annotations
}

// TrailerItem is what a line of a Tail says: a name, a label or, with neither, where the
// agent stands.
type TrailerItem struct {
	Name  *string
	Label *LabelInfo
}

// AppendTrailerLabels puts the labels behind the lines: it is the whole of a tail that says no
// name and moves no leaf.
func (f *NewFile) AppendTrailerLabels(id func() string) {
	above := ""
	for i := range f.Trailer.Labels {
		name := id()
		f.Lines = append(f.Lines, FileLine{Pos: NoPos, Text: f.Trailer.EncodeLine(name, above, TrailerItem{Label: &f.Trailer.Labels[i]})})
		above = name
	}
	f.Trailer = nil
}

// FileLine is one line of a new file: Text as it is, or when that is nil, the
// recorded line of the entry at Pos as Edit makes it, without Edit byte for byte.
type FileLine struct {
	Pos  Pos
	Text []byte
	Edit func(line []byte) ([]byte, error)
	// EditInput is what Edit puts in that is not in the line: with the same, the same comes
	// of it.
	EditInput string
	// AddsEntry: Text is read as an entry, which the session does not have.
	AddsEntry bool
}
