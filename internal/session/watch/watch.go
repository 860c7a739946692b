// Package watch says "this path changed", nothing more: fsnotify per directory,
// and a stat poll as a safety net for file systems and events it misses.
package watch

import "context"

// Config wires a Watcher.
type Config struct {
	// Dirs answers the directories to watch, asked again when directories come
	// and go.
	Dirs func() []string
	// Changed is called with a changed path, at once for the first event of a
	// burst. It must not block for long.
	Changed func(path string)
}

// Watcher owns its goroutines until Close.
type Watcher struct{}

// New starts watching.
func New(ctx context.Context, c Config) (*Watcher, error) { panic("contract") }

// View marks a file as viewed: it is polled every 2 s until the function
// returned is called.
func (w *Watcher) View(path string) (unview func()) { panic("contract") }

// Close stops watching and waits.
func (w *Watcher) Close() error { panic("contract") }
