// Package catalog knows every session of every root: what a list shows of it
// and by which key it is found. It fills in the background and follows changes.
package catalog

import (
	"context"
	"time"

	"sessiontree/internal/session/store"
)

// Summary is what a list shows of a session.
type Summary struct {
	Key          string
	Format       string
	Path         string
	Root         string
	ID           string
	Cwd          string
	Name         string
	Parent       string // parent session as recorded
	FirstMessage string // first user text, cut at 200 runes
	Messages     int
	Entries      int
	Branches     int // branches to a reader, beside the one with the leaf
	Labels       int
	Leaf         string
	Created      time.Time // header's, else the file's
	Modified     time.Time // newest user or assistant message, by pi's rule
	FileTime     time.Time // the file's modification time: live when younger than a minute
	Model        string
	Cost         float64
	Size         int64
	Shape        []Lane // the tree in small
	Notes        int
}

// Lane is one branch of a Shape: it leaves lane From at X0 and runs to X1, in
// thousandths of the session's entries. The first is the spine (From -1).
type Lane struct {
	From, Lane int8
	X0, X1     int16
}

// Unreadable is a file that cannot be listed.
type Unreadable struct {
	Path   string
	Reason string
}

// Config wires a Catalog.
type Config struct {
	Library  *store.Library
	CacheDir string // "" = no cache on disk
	// Changed is called after the list changed, from any goroutine; it must not
	// block.
	Changed func()
}

// Catalog is safe for concurrent use.
type Catalog struct{}

// New makes an empty catalog.
func New(c Config) *Catalog { panic("contract") }

// Fill walks all roots and summarises what is new; it returns when the list is
// complete. The list can be read meanwhile.
func (c *Catalog) Fill(ctx context.Context) error { panic("contract") }

// Touch takes in a changed, new or removed path (a file or a directory).
func (c *Catalog) Touch(ctx context.Context, path string) { panic("contract") }

// Sessions lists all summaries, newest first. The slice is shared: do not change
// it.
func (c *Catalog) Sessions() []Summary { panic("contract") }

// Unreadable lists files that are no sessions or cannot be read, with reasons.
func (c *Catalog) Unreadable() []Unreadable { panic("contract") }

// Find answers the summary of a key. A moved file is found again by its id.
func (c *Catalog) Find(key string) (Summary, bool) { panic("contract") }

// Progress tells how far Fill is.
type Progress struct {
	Complete       bool
	Files          int
	BytesPresent   int64
	BytesScanned   int64
	BytesFromCache int64
}

// Progress answers the present state of Fill.
func (c *Catalog) Progress() Progress { panic("contract") }
