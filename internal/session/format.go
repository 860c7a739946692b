package session

import (
	"io/fs"
	"slices"
)

// Related is by what a file hangs together with others: hashes of ids, in order, the same
// in every run.
type Related struct {
	Held   []uint64     // of the entries it holds
	Refs   []uint64     // of those it names and does not hold
	Titles []TitleClaim // titles of sessions that it tells by one of their entries
}

// TitleClaim is a title of the session that holds an entry.
type TitleClaim struct {
	Entry uint64
	Title string
}

// MergeRelated is k with what was added to the file.
func (k Related) MergeRelated(added Related) Related {
	own := mergeIDs(k.Held, added.Held)
	refs := slices.DeleteFunc(mergeIDs(k.Refs, added.Refs), func(id uint64) bool {
		_, held := slices.BinarySearch(own, id)
		return held
	})
	return Related{own, refs, slices.Concat(k.Titles, added.Titles)}
}

// mergeIDs returns the hashes of a, which are in order, and of b, in order, each once. It
// does not sort a anew: a session may have a hundred thousand, and few are added.
func mergeIDs(a, b []uint64) []uint64 {
	b = slices.Sorted(slices.Values(b))
	all := make([]uint64, 0, len(a)+len(b))
	for _, id := range b {
		n, _ := slices.BinarySearch(a, id)
		all, a = append(append(all, a[:n]...), id), a[n:]
	}
	return slices.Clip(slices.Compact(append(all, a...)))
}

// FileGroup is the files that are shown as one session.
type FileGroup struct {
	Names    []string // by Span.File, with slashes, within their directory
	Session  string   // id of the session that is shown, as far as it is known
	WholeDir bool     // all sessions of a directory, none of them the main one
	Extra    any      // what the format's Arrange needs of other files
	// SideFiles are the files beside the session files that Gather read: when one of them
	// changes, Gather may find more. Names as in Names.
	SideFiles []string
	// DependsOnContent: which files belong to the session depends on what the files of the
	// directory hold, so that it can change whenever one of them does.
	DependsOnContent bool
	// Retracted are files of the explorer's own that hold what the agent took back.
	Retracted []RetractedLines
}

// RetractedLines is lines that an agent took back by writing its file anew, as the
// explorer kept them.
type RetractedLines struct {
	File  int32  // by Span.File
	After string // id of the entry they stood behind, "" at the start of the file
}

// Header describes a session as a whole.
type Header struct {
	Format      string // the format's name, for people and programs to read; no code branches on it
	ID          string
	Version     int
	Cwd         string
	CwdGuessed  bool // Cwd is a guess by the file's path
	CwdInferred bool // Cwd is recorded by other sessions of the same directory, not by this one
	// GitBranch is the branch that was checked out when the session began.
	GitBranch  string
	Name       string // trimmed; "" unnamed
	UserTitled bool   // the user gave the session its name, or took it away
	Parent     string // parent session: a path or an id, as recorded
	Time       int64  // ms, or NoTime
	Rules      Rules
	Resume     string // command that continues the session in its agent, "" when none
	// Migrated: the file holds an older version; entries are as the current
	// version would hold them.
	Migrated bool
	// HasTitleSlot: the name stands in a first line of fixed length, which the agent overwrites
	// in place, and so may we.
	HasTitleSlot bool
	// IsNewerVersion: the file has a version that is newer than the format package knows. It is
	// read as if it had the current one, and not written to.
	IsNewerVersion bool
}

// Rules are the points in which formats build a model's context, or a tree,
// differently.
type Rules struct {
	// PinnedModel: a recorded model change on the path beats later answers by
	// another model.
	PinnedModel bool
	// OmitsNoContext: a message with FlagNoContext is no part of a context.
	// Otherwise it is one that the agent leaves out when it sends the context.
	OmitsNoContext bool
	// ResultsReversed: the results that an answer records itself are sent in
	// reverse order of its calls.
	ResultsReversed bool
	// SkipFailed: answers that could not be sent again are left out, see
	// Tree.sendable. A failed one stays when a custom message of the type in Resumed
	// follows, which goes on with its thinking.
	SkipFailed   bool
	ResumingType string
}

// Format is one agent's file format. Values are made by the format packages and
// listed in package format; nothing else knows which one it has.
type Format struct {
	Name  string // "pi", "omp"
	Title string // for people: "pi", "oh-my-pi"
	Glyph string // one character that stands for it in lists, "" = the name's first
	// Sniff reports whether a file that begins with head (its first 64 KiB, or
	// all of it) is of this format.
	Sniff func(head []byte) bool
	// ScanLine reads one line into a Record. It keeps no state, so lines can be
	// scanned in parallel. An error means that the line is no JSON object.
	// Strings of the record never alias line.
	ScanLine func(line []byte, home string) (Record, error)
	// SplitRecords finds the records of a file that is one JSON value and not lines: its
	// header, and where the value of each record stands; Span.Line is its number. Such
	// files are read whole, and anew whenever they change. nil: a record is a line.
	SplitRecords func(file []byte) (head *Header, records []Span, err error)
	// NewDecoder turns the records of one file, in order, into entries.
	NewDecoder func() Decoder
	// CompleteHeader completes a header by the path of the file, with slashes, where the agent
	// keeps the session's id or directory in it. nil: a header says all.
	CompleteHeader func(h *Header, path string)
	// CompleteHeaderFromDir completes a header by what the agent keeps beside the session file of
	// that name in dir. nil: nothing of it is.
	CompleteHeaderFromDir func(h *Header, dir fs.FS, name string)
	// InferCwd returns the working directory of the sessions in a directory of that
	// name, by what some of them record: for those that record none. "" unknown. nil:
	// sessions of one directory need not have worked in the same one.
	InferCwd func(name string, recorded []string) string
	// GatherFiles lists the files that belong to the session files of those names in
	// dir, with these first; no names ask for those of all sessions there. nil: a
	// session is one file.
	GatherFiles func(dir fs.FS, names []string) (FileGroup, error)
	// IsMember reports whether a file, by its path with slashes, belongs to the session
	// of another one and is none of its own. nil: every file is a session.
	IsMember func(path string) bool
	// OwnerPath is the path of the session file that a part belongs to, by its own path
	// with slashes and how it begins; "" unknown. A part whose session is gone is
	// listed by itself, so that it is not lost. nil: parts are never listed. Without
	// Part, OwnerPath alone decides: a file that has none is a session of its own.
	OwnerPath func(path string, head []byte) string
	// Related says which entries a file holds, and which others it names. nil: sessions
	// do not go on in one another.
	Related func(parts [][]Entry) Related
	// Arrange hangs all entries of a session, in the order in which they were read.
	// nil: the recorded parents stand.
	Arrange func(u FileGroup, given []*Entry) Arrangement
	// KeepsRecordedParents: in a session of one file the recorded parents stand, and Arrange is
	// asked of sessions of several files only.
	KeepsRecordedParents bool
	// RetractsLines: the agent takes lines back by writing its file anew without them. What
	// was seen of them is kept, and Arrange hangs it as Unit.Rewound says.
	RetractsLines bool
	// DecodeBody decodes a recorded line in full.
	DecodeBody func(line []byte) (Body, error)
	// DecodeSent decodes one message of a Context: lines are the recorded lines of its entry
	// and of those in item.With. nil: what Body has is sent.
	DecodeSent func(item ContextItem, lines [][]byte) ([]SentBlock, error)
	// FindRequest finds the recorded request that an answer was given to. ErrNotFound when
	// none is recorded. nil: the agent records none.
	FindRequest func(t *Tree, answer Pos) (RequestReader, error)
	// BlobDir names the directory, relative to the directory of sessions'
	// parents as store finds it, that holds blobs; "" when the format has none.
	BlobDir string
	// BlobNames names the blobs that a recorded line needs; nil: none does.
	BlobNames func(line []byte) []string
	// InlineBlobs puts blobs into a recorded line in the place of their names; ok is false
	// of one that is not there, which stays a name.
	InlineBlobs func(line []byte, blob func(name string) (data []byte, ok bool)) []byte
	// TitleSlotSize is how many bytes at the start of a file the agent may overwrite
	// in place without changing its size; 0 when it never does. They are the
	// first line, which the decoder is then given again.
	TitleSlotSize int

	// What follows says how sessions are changed; nil means that they cannot be.

	// Capabilities says what files with this header can hold. What the file's mode or the
	// program's flags forbid is added by store.
	Capabilities func(h Header) Capabilities
	// EncodeChange makes the lines that a change appends, in order, and where the file has a
	// Slot, the one that takes its place. It reads bodies through src and writes
	// nothing. ErrNotFound, ErrInvalid.
	EncodeChange func(t *Tree, c Change, src LineReader, m IDSource) ([]Line, error)
	// Fork makes a new session file of the path to leaf. from is the absolute path
	// of the source file. ErrInvalid when the agent could not open the result.
	Fork func(t *Tree, leaf Pos, from string, src LineReader, m IDSource) (NewFile, error)
	// Extract makes a session file of a part of a session for others to open. Each entry
	// is attached to the one of the part above it, and nothing names an entry that is
	// not in it. ErrInvalid when the format cannot hold the part.
	Extract func(t *Tree, part Selection, from string, src LineReader, m IDSource) (NewFile, error)
	// Strip answers a recorded line without what w names, so that the agent still
	// opens the file: thinking goes with its signature, an output and an image become
	// the texts LeftOut and ImageLeftOut. All other bytes stay; a line that has none of
	// it is answered as it is. nil: nothing can be left out.
	Strip func(line []byte, w Omissions) ([]byte, error)
	// NewMigrator starts rewriting a file of an old version.
	NewMigrator func(m IDSource) Migrator
	// TouchedFiles lists the files that an entry's tool calls read and changed.
	TouchedFiles func(b Body) (read, modified []string)
	// Fingerprint answers a hash of a recorded line that stays the same when the agent
	// gives the line an id, or another one.
	Fingerprint func(line []byte) uint64
	// LockFileName names the lock, beside a session file of that base name, that the
	// agent's own writers take; nil when they take none.
	LockFileName func(base string) string
	// KeepsFileOpen: a running agent keeps its file open and may write it anew from
	// memory, which would lose what was appended meanwhile.
	KeepsFileOpen bool
}

// Migrator rewrites the lines of one file in the current version, in order.
type Migrator interface {
	// MigrateLine answers what stands for a line. A line that cannot be read is kept.
	MigrateLine(line []byte) (out []byte, id string, err error)
	// EncodeLabel makes the line that holds a label, for the end of the file.
	EncodeLabel(target, text string, time int64) Line
}

// Record is one scanned line before the lines around it are known: an entry, a
// header, or neither.
type Record struct {
	Entry   Entry
	Header  *Header // set on header lines only
	Ignored bool    // a line that is neither entry nor header by design (a title slot)
	Extra   any     // what the format's own decoder needs besides
}

// Decoder turns scanned lines into entries. Methods are called for every line of
// the file in order; it is not safe for concurrent use.
type Decoder interface {
	// DecodeRecord takes the record of the next line, its Entry.Span set by the caller.
	// ok is false when the line is no entry (a header, a title). notes are about
	// this line.
	DecodeRecord(r Record) (e Entry, ok bool, notes []Note)
	// SkipBadLine tells of a line that could not be scanned; the note about it is the
	// caller's.
	SkipBadLine(span Span, reason string)
	// Header is what is known so far. ok is false until a valid header was seen;
	// a file that ends without one is no session.
	Header() (h Header, ok bool)
}
