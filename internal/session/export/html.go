package export

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// HTML is one page that needs no server. It holds the session file too, and ReadPage
// finds it again.
const HTML Kind = "html"

// EmbeddedFileID is the id of the element in which a page holds its session file: gzip in
// base64, its name in data-name.
const EmbeddedFileID = "session-file"

// HTMLRenderer makes a page of a snapshot.
type HTMLRenderer func(ctx context.Context, w io.Writer, s *Snapshot) error

// Snapshot is the session file that a page shows and holds. It lasts as long as the
// call of a Painter.
type Snapshot struct {
	Session      *store.Session
	Path         string // where the file lies now
	Name         string // what it is called in the page
	TotalEntries int    // entries of the session it was made of
	Redacted     int    // values that were replaced
	// Progress is called now and then with how many entries are painted.
	Progress func(entries int)
}

// writeHTML writes a page. What it shows is read from the session file that it holds,
// not from the session: so nothing is in it that was left out or replaced there.
func (j *Job) writeHTML(ctx context.Context, out io.Writer, c *countingRedactor) (err error) {
	dir, err := os.MkdirTemp("", "session-export-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s := &Snapshot{
		Path: filepath.Join(dir, filepath.Base(j.file.NewFile.Name)), Name: strings.TrimSuffix(j.name, "."+string(HTML)) + "." + string(JSONL),
		Progress: func(n int) { j.reportProgress((j.total + n) / 2) },
	}
	if err := j.writeSnapshot(ctx, s.Path, c); err != nil {
		return err
	}
	for _, n := range c.sortedCounts() {
		s.Redacted += n.Count
	}
	j.s.ReadTree(func(t *session.Tree, _ store.Revision) { s.TotalEntries = t.Len() })
	if s.Session, err = j.s.OpenCopy(ctx, s.Path, j.SessionID(), j.Annotations()); err != nil {
		return fmt.Errorf("the session file for the page cannot be read: %w", err)
	}
	return j.o.RenderHTML(ctx, out, s)
}

// writeSnapshot writes the session file of a page.
func (j *Job) writeSnapshot(ctx context.Context, path string, c *countingRedactor) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 256<<10)
	if _, err = j.writeSessionLines(ctx, w, c); err == nil { // images stand in the lines
		err = w.Flush()
	}
	if info, bad := f.Stat(); err == nil && bad == nil && info.Size() > maxUnpacked {
		err = fmt.Errorf("%w: a page holds at most %d GiB; export it as jsonl, or leave something out", session.ErrInvalid, maxUnpacked>>30)
	}
	return errors.Join(err, f.Close())
}
