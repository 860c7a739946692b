package export

import (
	"context"
	"io"
	"runtime"
	"slices"
)

// writeSessionLines writes a session file and returns the blobs that it refers to.
func (j *Job) writeSessionLines(ctx context.Context, out io.Writer, c *countingRedactor) (blobs []string, err error) {
	done, share := 0, 1
	if j.o.Kind == HTML {
		share = 2 // rendering is the other half
	}
	err = j.eachPreparedLine(ctx, c, func(l preparedLine) error {
		if l.err != nil {
			return l.err
		}
		c.addCounts(l.counts)
		blobs = append(blobs, l.blobs...)
		if done++; done%progressInterval == 0 {
			j.reportProgress(done / share)
		}
		_, err := out.Write(append(l.text, '\n'))
		return err
	})
	slices.Sort(blobs)
	return slices.Compact(blobs), err
}

// preparedLine is a recorded line as it is exported.
type preparedLine struct {
	text   []byte
	counts map[string]int // of replaced values
	blobs  []string       // blobs that the line refers to
	err    error
}

// prepareLine redacts a line and embeds its images.
func (j *Job) prepareLine(ctx context.Context, line []byte, c *countingRedactor) (l preparedLine) {
	if l.text, l.err = j.stripLine(line); l.err == nil {
		l.text, l.counts, l.err = c.redactLine(l.text)
	}
	blobs := j.s.Format().Blobs
	if blobs != nil && l.err == nil {
		l.blobs = blobs.Names(l.text)
	}
	if len(l.blobs) > 0 && !j.o.SidecarAnnotations {
		// The receiver has no other files, so embed the blobs. A blob that is missing in
		// the session too remains a name.
		l.text = blobs.Inline(l.text, func(name string) ([]byte, bool) {
			data, err := j.s.ReadBlob(ctx, name)
			return data, err == nil
		})
		l.blobs = nil
	}
	return l
}

// eachPreparedLine calls write with every line in order. It prepares several lines at
// once, because scanning takes most of the time.
func (j *Job) eachPreparedLine(ctx context.Context, c *countingRedactor, write func(preparedLine) error) error {
	if c.redactor == nil && !j.o.Omit.OmitsAny() {
		return j.file.eachLine(ctx, func(line []byte) error { return write(j.prepareLine(ctx, line, c)) })
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var read error
	queue := make(chan chan preparedLine, 4*runtime.GOMAXPROCS(0))
	go func() {
		defer close(queue)
		read = j.file.eachLine(ctx, func(line []byte) error {
			made := make(chan preparedLine, 1)
			select {
			case queue <- made:
				go func() { made <- j.prepareLine(ctx, line, c) }()
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	var failed error
	for made := range queue {
		if l := <-made; failed == nil {
			if failed = write(l); failed != nil {
				stop()
			}
		}
	}
	if failed != nil {
		return failed
	}
	return read
}

// stripLine removes omitted content from a line.
func (j *Job) stripLine(line []byte) ([]byte, error) {
	if !j.o.Omit.OmitsAny() {
		return line, nil
	}
	return j.s.Format().Export.Strip(line, j.o.Omit)
}
