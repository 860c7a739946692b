package session

import "io/fs"

// Header describes a session.
type Header struct {
	Format      string // name of the format, for output only: no code branches on it
	ID          string
	Version     int
	Cwd         string
	CwdGuessed  bool // Cwd is derived from the file's path
	CwdInferred bool // Cwd was recorded by other sessions of the same directory
	// GitBranch is the branch that was checked out when the session started.
	GitBranch  string
	Name       string // trimmed; "" if there is none
	UserTitled bool   // the user set or cleared the name
	Parent     string // parent session, a path or an id as recorded
	Time       int64  // ms, or NoTime
	Rules      Rules
	Resume     string // command that continues the session in its agent, or ""
	// Migrated: the file has an older version; its entries are converted to the current
	// one.
	Migrated bool
	// HasTitleSlot: the name is in a first line of fixed length, which is overwritten
	// in place.
	HasTitleSlot bool
	// IsNewerVersion: the version of the file is newer than the known ones. The file is
	// read as if it had the current version, and never written to.
	IsNewerVersion bool
}

// Rules are the differences between formats in building a model's context or a tree.
type Rules struct {
	// PinnedModel: a recorded model change on the path overrides a later answer by
	// another model.
	PinnedModel bool
	// OmitsNoContext: messages with FlagNoContext are not in a context. Otherwise they
	// are in it, and the agent omits them when it sends the context.
	OmitsNoContext bool
	// ResultsReversed: the results that an answer records itself are sent in reverse
	// order of its calls.
	ResultsReversed bool
	// SkipFailed: an answer that could not be sent again is omitted, see
	// Tree.sendableItems. A failed one stays if a custom message of the type
	// ResumingType follows, which continues its thinking.
	SkipFailed   bool
	ResumingType string
}

// Format is one agent's file format. The format packages make the values, and package
// format lists them; no other code depends on a specific format. A group that is nil
// says that the format cannot do any of it.
type Format struct {
	Info
	Read
	Graph  *Graph  // nil: every file is one session, with its recorded parents
	Write  *Write  // nil: sessions cannot be changed
	Export *Export // nil: session files cannot be made for others
	Blobs  *Blobs  // nil: lines contain all their data
}

// Info names a format.
type Info struct {
	Name  string // "pi", "omp"
	Title string // for people: "pi", "oh-my-pi"
	Glyph string // one character for lists, "" = the first one of Name
	// Activity are the rules by which a file shows what the agent does.
	Activity ActivityRules
	// CleanUp is the rule by which the agent deletes its old session files. nil: it
	// deletes none.
	CleanUp *CleanUp
}

// Read reads session files. Sniff, ScanLine, NewDecoder and DecodeBody are required.
type Read struct {
	// Sniff reports whether a file that starts with head (its first 64 KiB, or all of
	// it) has this format. It decides by at most 64 lines, see scan.SniffLines.
	Sniff func(head []byte) bool
	// ScanLine reads one line into a Record. It keeps no state, so lines can be scanned
	// in parallel. It returns an error if the line is not a JSON object. Strings of the
	// record never alias line.
	ScanLine func(line []byte, home string) (Record, error)
	// ScanListedLine is ScanLine for a list of sessions, which shows no tool output: the
	// Preview of tool results stays empty. nil: it is ScanLine.
	ScanListedLine func(line []byte, home string) (Record, error)
	// SplitRecords splits a file that is one JSON value into its header and the spans
	// of its records; Span.Line is the number of a record. Such files are read in full
	// whenever they change. nil: every line is a record.
	SplitRecords func(file []byte) (head *Header, records []Span, err error)
	// NewDecoder returns a decoder for the records of one file, in order.
	NewDecoder func() Decoder
	// CompleteHeader completes a header from the path of the file, slash-separated, if
	// the agent keeps the session's id or directory there. nil: headers are complete.
	CompleteHeader func(h *Header, path string)
	// CompleteHeaderFromDir completes a header from other files in the directory of the
	// session file. nil: there are none.
	CompleteHeaderFromDir func(h *Header, dir fs.FS, name string)
	// InferCwd returns the working directory of the sessions in a directory, given its
	// name and what some of them record, "" if unknown. nil: sessions of one directory
	// may have different working directories.
	InferCwd func(name string, recorded []string) string
	// TitleSlotSize is how many bytes at the start of a file the agent may overwrite in
	// place without changing its size, or 0. They are the first line, which is then
	// decoded again.
	TitleSlotSize int
	// DecodeBody decodes a recorded line in full.
	DecodeBody func(line []byte) (Body, error)
	// DecodeSent decodes one message of a Context: lines are the recorded lines of its
	// entry and of item.MergedEntries. nil: the message is what DecodeBody returns.
	DecodeSent func(item ContextItem, lines [][]byte) ([]SentBlock, error)
	// FindRequest finds the recorded request of an answer. It returns ErrNotFound if
	// none is recorded. nil: the agent records none.
	FindRequest func(t *Tree, answer Pos) (RequestReader, error)
	// Fingerprint returns a hash of a recorded line that does not depend on the ids in
	// it. nil: ids never change.
	Fingerprint func(line []byte) uint64
}

// Graph combines files to sessions and decides the parents of their entries. GatherFiles
// and Arrange are required.
type Graph struct {
	// GatherFiles lists the files of the sessions names in dir, these first; no names: of all.
	GatherFiles func(dir fs.FS, names []string) (FileGroup, error)
	// IsMember reports whether the file at a path, with slashes, belongs to the session of
	// another file. nil: every file is a session.
	IsMember func(path string) bool
	// OwnerPath returns the path of the session file that a member file belongs to, by its
	// path and first bytes, "" if unknown. A member whose session is gone is listed by
	// itself. nil: members are never listed. Without IsMember others are sessions.
	OwnerPath func(path string, head []byte) string
	// FindOwners is OwnerPath, for all members in dir by name, where it depends on other files.
	FindOwners func(dir fs.FS) map[string]string
	// Related returns which entries a file has and which others it references. nil:
	// sessions are not related.
	Related func(parts [][]Entry) Related
	// Arrange decides the parents of all entries of a session, which are in the order
	// of reading.
	Arrange func(u FileGroup, given []*Entry) Arrangement
	// KeepsRecordedParents: a session of one file has its recorded parents, and Arrange
	// is only called for sessions of several files.
	KeepsRecordedParents bool
	// RetractsLines: the agent removes lines by rewriting its file. The explorer saves
	// the removed lines, and Arrange attaches them as FileGroup.Retracted says.
	RetractsLines bool
}

// Write changes sessions. Capabilities is required; any other function is nil if the
// format cannot do it.
type Write struct {
	// Capabilities returns what files with this header can hold. Package store adds
	// what the file's mode or the program's flags forbid.
	Capabilities func(h Header) Capabilities
	// EncodeChange returns the lines that a change appends, in order, and the one that
	// replaces the title slot if there is one. It reads recorded lines with src and
	// writes nothing. Errors: ErrNotFound, ErrInvalid.
	EncodeChange func(t *Tree, c Change, src LineReader, m IDSource) ([]Line, error)
	// Fork makes a new session file of the path to leaf. from is the absolute path of
	// the source file. It returns ErrInvalid if the agent could not open the result.
	Fork func(t *Tree, leaf Pos, from string, src LineReader, m IDSource) (NewFile, error)
	// NewMigrator returns a Migrator for a file of an old version.
	NewMigrator func(m IDSource) Migrator
	// TouchedFiles returns the files that an entry's tool calls read and changed, which
	// the agent's summaries of branches list.
	TouchedFiles func(b Body) (read, modified []string)
	// LockFileName returns the name of the lock file that the agent's writers use for a
	// session file of that base name; nil: they use none.
	LockFileName func(base string) string
	// KeepsFileOpen: a running agent keeps its file open and may rewrite it from
	// memory, which would lose lines appended by others.
	KeepsFileOpen bool
}

// Export makes session files for others to open. Strip is required.
type Export struct {
	// Extract makes a session file of a selection. The parent of each entry is the
	// nearest selected one above it, and no line references an entry that is not
	// selected. It returns ErrInvalid if the format cannot hold the selection. nil:
	// files of the format can no longer be created.
	Extract func(t *Tree, part Selection, from string, src LineReader, m IDSource) (NewFile, error)
	// Strip returns a recorded line without what w names, so that the agent still opens
	// the file: thinking is removed with its signature, outputs and images become the
	// texts OmittedText and OmittedImageText. All other bytes stay the same.
	Strip func(line []byte, w Omissions) ([]byte, error)
}

// Blobs are data that lines name and that other files contain.
type Blobs struct {
	// Dir is the directory of blobs, relative to an ancestor of the session's directory.
	Dir string
	// Names returns the names of the blobs that a recorded line needs.
	Names func(line []byte) []string
	// Inline replaces the names of blobs in a recorded line by their data. A blob for
	// which ok is false remains a name.
	Inline func(line []byte, blob func(name string) (data []byte, ok bool)) []byte
}

// ArrangesEveryFile reports whether Graph.Arrange decides the parents of every session,
// also of those with one file.
func (f *Format) ArrangesEveryFile() bool { return f.Graph != nil && !f.Graph.KeepsRecordedParents }

// IsMember reports whether a file, by its slash-separated path, belongs to the session
// of another file.
func (f *Format) IsMember(path string) bool {
	return f.Graph != nil && f.Graph.IsMember != nil && f.Graph.IsMember(path)
}

// RelatesSessions reports whether sessions of the format can be related.
func (f *Format) RelatesSessions() bool { return f.Graph != nil && f.Graph.Related != nil }

// Migrator converts the lines of one file to the current version, in order.
type Migrator interface {
	// MigrateLine returns the converted line. Lines that cannot be read stay as they
	// are.
	MigrateLine(line []byte) (out []byte, id string, err error)
	// EncodeLabel encodes a label line for the end of the file.
	EncodeLabel(target, text string, time int64) Line
}

// Record is one scanned line, independent of the lines around it: an entry, a header,
// or neither.
type Record struct {
	Entry   Entry
	Header  *Header // only for header lines
	Ignored bool    // neither entry nor header by design, such as a title slot
	Extra   any     // data for the format's own decoder
}

// Decoder converts scanned lines to entries. Its methods are called for every line of
// the file in order. It is not safe for concurrent use.
type Decoder interface {
	// DecodeRecord decodes the record of the next line, whose Entry.Span is set. ok is
	// false if the line is not an entry. notes are about this line.
	DecodeRecord(r Record) (e Entry, ok bool, notes []Note)
	// SkipBadLine is called for a line that could not be scanned. The caller adds the
	// note about it.
	SkipBadLine(span Span, reason string)
	// Header returns what is known of the header. ok is false before a valid header; a
	// file without one is not a session.
	Header() (h Header, ok bool)
}
