package htmlexport

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

// writePageData writes the data for the script. It builds pages, rows and the session file
// concurrently, but writes them in a fixed order.
func (m *pageRenderer) writePageData(ctx context.Context, out io.Writer) error {
	file, err := os.Create(m.snapshot.Path + ".part") // deleted with the snapshot's directory
	if err != nil {
		return err
	}
	defer file.Close()
	var rows bytes.Buffer
	g, running := errgroup.WithContext(ctx)
	g.Go(func() error { return runPartSteps(running, out, m.writePathPages) })
	g.Go(func() error { return runPartSteps(running, &rows, m.writeRows, m.writePathFacts) })
	g.Go(func() error { return runPartSteps(running, file, m.writeSnapshot) })
	if err := errors.Join(g.Wait(), ctx.Err()); err != nil {
		return err
	}
	tree := func(_ context.Context, p *partWriter) error { return p.writeJSONPart("tree", &m.tree) }
	if _, err := rows.WriteTo(out); err != nil {
		return err
	}
	if err := runPartSteps(ctx, out, tree); err != nil {
		return err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err = io.Copy(out, file)
	return err
}

// runPartSteps runs the steps in order with one partWriter.
func runPartSteps(ctx context.Context, out io.Writer, steps ...func(context.Context, *partWriter) error) error {
	p, err := newPartWriter(out)
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

// snapshotGzipLevel takes a fifth of the default level's time for nearly the same size.
const snapshotGzipLevel = 3

// writeSnapshot writes the session file.
func (m *pageRenderer) writeSnapshot(ctx context.Context, p *partWriter) error {
	f, err := os.Open(m.snapshot.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	fmt.Fprintf(p.w, "<script type=\"text/plain\" id=\"%s\" data-name=\"%s\">", export.EmbeddedFileID, html.EscapeString(m.snapshot.Name))
	b := base64.NewEncoder(base64.StdEncoding, p.w)
	z, err := gzip.NewWriterLevel(b, snapshotGzipLevel)
	if err != nil {
		return err
	}
	_, err = io.Copy(z, &contextReader{ctx, f})
	if err = errors.Join(err, z.Close(), b.Close()); err != nil {
		return err
	}
	_, err = p.w.WriteString("</script>\n")
	return err
}

// contextReader is a reader that fails when its context ends.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (r *contextReader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(b)
}
