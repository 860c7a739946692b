package onepage

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/sync/errgroup"

	"sessiontree/internal/session/export"
)

// data writes what the script reads. Pages, rows and the session file are made at the
// same time; they are written in the same order whichever is ready first.
func (m *maker) data(ctx context.Context, out io.Writer) error {
	file, err := os.Create(m.snap.Path + ".part") // it goes with the snapshot's directory
	if err != nil {
		return err
	}
	defer file.Close()
	var rows bytes.Buffer
	g, running := errgroup.WithContext(ctx)
	g.Go(func() error { return writeParts(running, out, m.pages) })
	g.Go(func() error { return writeParts(running, &rows, m.rows, m.tipFacts) })
	g.Go(func() error { return writeParts(running, file, m.snapshot) })
	if err := errors.Join(g.Wait(), ctx.Err()); err != nil {
		return err
	}
	tree := func(_ context.Context, p *parts) error { return p.json("tree", &m.tree) }
	if _, err := rows.WriteTo(out); err != nil {
		return err
	}
	if err := writeParts(ctx, out, tree); err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err = io.Copy(out, file)
	return err
}

// writeParts writes what the steps make, one after the other.
func writeParts(ctx context.Context, out io.Writer, steps ...func(context.Context, *parts) error) error {
	p, err := newParts(out)
	if err != nil {
		return err
	}
	for _, step := range steps {
		if err := step(ctx, p); err != nil {
			return err
		}
	}
	return p.w.Flush()
}

// snapshotLevel compresses a session file in a fifth of the time of the default
// level and to nearly the same size.
const snapshotLevel = 3

// snapshot writes the session file.
func (m *maker) snapshot(ctx context.Context, p *parts) error {
	f, err := os.Open(m.snap.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	fmt.Fprintf(p.w, "<script type=\"text/plain\" id=\"%s\" data-name=\"%s\">", export.SnapshotID, html.EscapeString(m.snap.Name))
	b := base64.NewEncoder(base64.StdEncoding, p.w)
	z, err := gzip.NewWriterLevel(b, snapshotLevel)
	if err != nil {
		return err
	}
	_, err = io.Copy(z, &reading{ctx, f})
	if err = errors.Join(err, z.Close(), b.Close()); err != nil {
		return err
	}
	_, err = p.w.WriteString("</script>\n")
	return err
}

// reading ends with a context.
type reading struct {
	ctx context.Context
	r   io.Reader
}

func (r *reading) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(b)
}
