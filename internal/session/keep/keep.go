// Package keep copies the session files of agents, and the files that belong to them, to an
// archive, because agents delete and rewrite their files. It follows the files while the
// explorer serves them, keeps the copies below a limit, and restores them.
package keep

import (
	"cmp"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/pathlock"
	"sessiontree/internal/session/roots"
)

// Config configures a Keeper.
type Config struct {
	StateDir string
	Roots    *roots.Set
	Formats  []*session.Format
	Log      *slog.Logger     // nil discards logs
	Clock    func() time.Time // nil = time.Now
	// FlushDelay is how long changed files wait before they are copied, and how often at
	// most; 0 = half a second.
	FlushDelay time.Duration
	// OnChange, if set, is called when the State has changed. It must not block.
	OnChange func()
}

// Keeper copies files to the archive in a state directory. Its methods may be called by
// several goroutines, and several processes may copy to one archive.
type Keeper struct {
	archive    *archive.Dir
	settings   settingsFile
	report     reportFile
	roots      *roots.Set
	formats    []*session.Format
	log        *slog.Logger
	now        func() time.Time
	flushDelay time.Duration
	onChange   func()
	cleanUps   cleanUpCache

	paths pathlock.Locks // held while a file is copied

	mu      sync.Mutex
	known   map[string]knownFile // files that were copied by this process
	pending map[string]bool      // changed paths
	wake    chan struct{}        // holds a token while there are some
	growing map[string]time.Time // files whose copies grew since they were compacted
	full    limitReached
	failure *Failure // of the last attempt of this process, nil before the first
}

// ArchiveDir returns the directory of the archive in a state directory.
func ArchiveDir(stateDir string) string { return filepath.Join(stateDir, "archive") }

// New returns a Keeper. It copies nothing by itself before Run.
func New(c Config) *Keeper {
	k := &Keeper{
		archive:    archive.NewDir(ArchiveDir(c.StateDir)),
		settings:   settingsFile{path: filepath.Join(c.StateDir, settingsName)},
		report:     reportFile{path: filepath.Join(c.StateDir, reportName)},
		roots:      c.Roots,
		formats:    c.Formats,
		log:        cmp.Or(c.Log, slog.New(slog.DiscardHandler)),
		now:        c.Clock,
		flushDelay: cmp.Or(c.FlushDelay, flushDelay),
		onChange:   c.OnChange,
		known:      map[string]knownFile{},
		pending:    map[string]bool{},
		growing:    map[string]time.Time{},
		wake:       make(chan struct{}, 1),
	}
	if k.now == nil {
		k.now = time.Now
	}
	if k.onChange == nil {
		k.onChange = func() {}
	}
	return k
}

// Archive returns the archive with the copies.
func (k *Keeper) Archive() *archive.Dir { return k.archive }

// copyError says which file could not be copied.
func copyError(path string, err error) error { return fmt.Errorf("copying %s: %w", path, err) }
