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

// HTML is a page that needs no server. It embeds the session file, which ReadHTML finds.
const HTML Kind = "html"

// EmbeddedFileID is the id of the element with the embedded session file: gzip in base64,
// with the file name in data-name.
const EmbeddedFileID = "session-file"

// HTMLRenderer writes the HTML page of a snapshot.
type HTMLRenderer func(ctx context.Context, w io.Writer, s *Snapshot) error

// Snapshot is the session file that an HTML page shows and embeds. It is valid during the
// call of an HTMLRenderer.
type Snapshot struct {
	Session      *store.Session
	Path         string // temporary location of the file
	Name         string // file name in the page
	TotalEntries int    // entries of the source session
	Redacted     int    // number of replaced values
	// Progress is called now and then with the number of rendered entries.
	Progress func(entries int)
}

// writeHTML writes an HTML page. It renders the exported session file instead of the
// session, so that the page contains nothing that is omitted or replaced there.
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

// writeSnapshot writes the session file of an HTML page.
func (j *Job) writeSnapshot(ctx context.Context, path string, c *countingRedactor) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 256<<10)
	if _, err = j.writeSessionLines(ctx, w, c); err == nil { // the lines contain the images
		err = w.Flush()
	}
	if info, bad := f.Stat(); err == nil && bad == nil && info.Size() > maxUnpacked {
		err = fmt.Errorf("%w: a page holds at most %d GiB; export it as jsonl, or leave something out", session.ErrInvalid, maxUnpacked>>30)
	}
	return errors.Join(err, f.Close())
}
