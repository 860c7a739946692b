package session

import (
	"io/fs"
	"slices"
)

// Kin is by what a file hangs together with others: hashes of ids, in order, the same
// in every run.
type Kin struct {
	Own  []uint64 // of the entries it holds
	Refs []uint64 // of those it names and does not hold
	Said []Said   // titles of sessions that it tells by one of their entries
}

// Said is a title of the session that holds an entry.
type Said struct {
	Entry uint64
	Title string
}

// With is k with what was added to the file.
func (k Kin) With(added Kin) Kin {
	join := func(a, b []uint64) []uint64 {
		all := slices.Concat(a, b)
		slices.Sort(all)
		return slices.Clip(slices.Compact(all))
	}
	own := join(k.Own, added.Own)
	refs := slices.DeleteFunc(join(k.Refs, added.Refs), func(id uint64) bool {
		_, held := slices.BinarySearch(own, id)
		return held
	})
	return Kin{own, refs, slices.Concat(k.Said, added.Said)}
}

// Unit is the files that are shown as one session.
type Unit struct {
	Names   []string // by Span.File, with slashes, within their directory
	Session string   // id of the session that is shown, as far as it is known
	Whole   bool     // all sessions of a directory, none of them the main one
	Extra   any      // what the format's Arrange needs of other files
	// Side are the files beside the session files that Gather read: when one of them
	// changes, Gather may find more. Names as in Names.
	Side []string
	// Unsettled: which files belong to the session depends on what the files of the
	// directory hold, so that it can change whenever one of them does.
	Unsettled bool
	// Rewound are files of the explorer's own that hold what the agent took back.
	Rewound []Rewound
}

// Rewound is lines that an agent took back by writing its file anew, as the
// explorer kept them.
type Rewound struct {
	File  int32  // by Span.File
	After string // id of the entry they stood behind, "" at the start of the file
}

// Header describes a session as a whole.
type Header struct {
	Format  string // the format's name, for people and programs to read; no code branches on it
	ID      string
	Version int
	Cwd     string
	Guessed bool // Cwd is a guess by the file's path
	Shared  bool // Cwd is recorded by other sessions of the same directory, not by this one
	// GitBranch is the branch that was checked out when the session began.
	GitBranch string
	Name      string // trimmed; "" unnamed
	Titled    bool   // the user gave the session its name, or took it away
	Parent    string // parent session: a path or an id, as recorded
	Time      int64  // ms, or NoTime
	Rules     Rules
	Resume    string // command that continues the session in its agent, "" when none
	// Migrated: the file holds an older version; entries are as the current
	// version would hold them.
	Migrated bool
	// Slot: the name stands in a first line of fixed length, which the agent overwrites
	// in place, and so may we.
	Slot bool
	// Newer: the file has a version that is newer than the format package knows. It is
	// read as if it had the current one, and not written to.
	Newer bool
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
	SkipFailed bool
	Resumed    string
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
	// Scan reads one line into a Record. It keeps no state, so lines can be
	// scanned in parallel. An error means that the line is no JSON object.
	// Strings of the record never alias line.
	Scan func(line []byte, home string) (Record, error)
	// Split finds the records of a file that is one JSON value and not lines: its
	// header, and where the value of each record stands; Span.Line is its number. Such
	// files are read whole, and anew whenever they change. nil: a record is a line.
	Split func(file []byte) (head *Header, records []Span, err error)
	// NewDecoder turns the records of one file, in order, into entries.
	NewDecoder func() Decoder
	// Named completes a header by the path of the file, with slashes, where the agent
	// keeps the session's id or directory in it. nil: a header says all.
	Named func(h *Header, path string)
	// NamedBeside completes a header by what the agent keeps beside the session file of
	// that name in dir. nil: nothing of it is.
	NamedBeside func(h *Header, dir fs.FS, name string)
	// SharedCwd returns the working directory of the sessions in a directory of that
	// name, by what some of them record: for those that record none. "" unknown. nil:
	// sessions of one directory need not have worked in the same one.
	SharedCwd func(name string, recorded []string) string
	// Gather lists the files that belong to the session files of those names in
	// dir, with these first; no names ask for those of all sessions there. nil: a
	// session is one file.
	Gather func(dir fs.FS, names []string) (Unit, error)
	// Part reports whether a file, by its path with slashes, belongs to the session
	// of another one and is none of its own. nil: every file is a session.
	Part func(path string) bool
	// Home is the path of the session file that a part belongs to, by its own path
	// with slashes and how it begins; "" unknown. A part whose session is gone is
	// listed by itself, so that it is not lost. nil: parts are never listed. Without
	// Part, Home alone decides: a file that has none is a session of its own.
	Home func(path string, head []byte) string
	// Kin says which entries a file holds, and which others it names. nil: sessions
	// do not go on in one another.
	Kin func(parts [][]Entry) Kin
	// Arrange hangs all entries of a session, in the order in which they were read.
	// nil: the recorded parents stand.
	Arrange func(u Unit, given []*Entry) Arranged
	// Recorded: in a session of one file the recorded parents stand, and Arrange is
	// asked of sessions of several files only.
	Recorded bool
	// Rewinds: the agent takes lines back by writing its file anew without them. What
	// was seen of them is kept, and Arrange hangs it as Unit.Rewound says.
	Rewinds bool
	// Body decodes a recorded line in full.
	Body func(line []byte) (Body, error)
	// Sent decodes one message of a Context: lines are the recorded lines of its entry
	// and of those in item.With. nil: what Body has is sent.
	Sent func(item ContextItem, lines [][]byte) ([]SentBlock, error)
	// Request finds the recorded request that an answer was given to. ErrNotFound when
	// none is recorded. nil: the agent records none.
	Request func(t *Tree, answer Pos) (RequestReader, error)
	// BlobDir names the directory, relative to the directory of sessions'
	// parents as store finds it, that holds blobs; "" when the format has none.
	BlobDir string
	// Blobs names the blobs that a recorded line needs; nil: none does.
	Blobs func(line []byte) []string
	// Inline puts blobs into a recorded line in the place of their names; ok is false
	// of one that is not there, which stays a name.
	Inline func(line []byte, blob func(name string) (data []byte, ok bool)) []byte
	// HeadBytes is how many bytes at the start of a file the agent may overwrite
	// in place without changing its size; 0 when it never does. They are the
	// first line, which the decoder is then given again.
	HeadBytes int

	// What follows says how sessions are changed; nil means that they cannot be.

	// Can says what files with this header can hold. What the file's mode or the
	// program's flags forbid is added by store.
	Can func(h Header) Capabilities
	// Encode makes the lines that a change appends, in order, and where the file has a
	// Slot, the one that takes its place. It reads bodies through src and writes
	// nothing. ErrNotFound, ErrInvalid.
	Encode func(t *Tree, c Change, src Source, m Mint) ([]Line, error)
	// Fork makes a new session file of the path to leaf. from is the absolute path
	// of the source file. ErrInvalid when the agent could not open the result.
	Fork func(t *Tree, leaf Pos, from string, src Source, m Mint) (NewFile, error)
	// Extract makes a session file of a part of a session for others to open. Each entry
	// is attached to the one of the part above it, and nothing names an entry that is
	// not in it. ErrInvalid when the format cannot hold the part.
	Extract func(t *Tree, part Part, from string, src Source, m Mint) (NewFile, error)
	// Strip answers a recorded line without what w names, so that the agent still
	// opens the file: thinking goes with its signature, an output and an image become
	// the texts LeftOut and ImageLeftOut. All other bytes stay; a line that has none of
	// it is answered as it is. nil: nothing can be left out.
	Strip func(line []byte, w Without) ([]byte, error)
	// NewMigrator starts rewriting a file of an old version.
	NewMigrator func(m Mint) Migrator
	// Touched lists the files that an entry's tool calls read and changed.
	Touched func(b Body) (read, modified []string)
	// Print answers a hash of a recorded line that stays the same when the agent
	// gives the line an id, or another one.
	Print func(line []byte) uint64
	// LockFile names the lock, beside a session file of that base name, that the
	// agent's own writers take; nil when they take none.
	LockFile func(base string) string
	// Holds: a running agent keeps its file open and may write it anew from
	// memory, which would lose what was appended meanwhile.
	Holds bool
}

// Migrator rewrites the lines of one file in the current version, in order.
type Migrator interface {
	// Next answers what stands for a line. A line that cannot be read is kept.
	Next(line []byte) (out []byte, id string, err error)
	// Label makes the line that holds a label, for the end of the file.
	Label(target, text string, time int64) Line
}

// Record is one scanned line before the lines around it are known: an entry, a
// header, or neither.
type Record struct {
	Entry  Entry
	Header *Header // set on header lines only
	Skip   bool    // a line that is neither entry nor header by design (a title slot)
	Extra  any     // what the format's own decoder needs besides
}

// Decoder turns scanned lines into entries. Methods are called for every line of
// the file in order; it is not safe for concurrent use.
type Decoder interface {
	// Next takes the record of the next line, its Entry.Span set by the caller.
	// ok is false when the line is no entry (a header, a title). notes are about
	// this line.
	Next(r Record) (e Entry, ok bool, notes []Note)
	// Bad tells of a line that could not be scanned; the note about it is the
	// caller's.
	Bad(span Span, reason string)
	// Header is what is known so far. ok is false until a valid header was seen;
	// a file that ends without one is no session.
	Header() (h Header, ok bool)
}
