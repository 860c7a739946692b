package export

import (
	"context"
	"io"
	"runtime"
	"slices"
)

// lines writes a session file, and answers which blobs it needs.
func (j *Job) lines(ctx context.Context, out io.Writer, c *cleaner) (blobs []string, err error) {
	done, share := 0, 1
	if j.o.As == HTML {
		share = 2 // rendering is the other half
	}
	err = j.each(ctx, c, func(l ready) error {
		if l.err != nil {
			return l.err
		}
		c.add(l.counts)
		blobs = append(blobs, l.blobs...)
		if done++; done%progressStep == 0 {
			j.progress(done / share)
		}
		_, err := out.Write(append(l.text, '\n'))
		return err
	})
	slices.Sort(blobs)
	return slices.Compact(blobs), err
}

// ready is what is told of a recorded line.
type ready struct {
	text   []byte
	counts map[string]int // of values that were replaced
	blobs  []string       // that it needs
	err    error
}

// tell makes of a line what is told of it.
func (j *Job) tell(ctx context.Context, line []byte, c *cleaner) (l ready) {
	if l.text, l.err = j.strip(line); l.err == nil {
		l.text, l.counts, l.err = c.line(l.text)
	}
	if find := j.s.Format().Blobs; l.err == nil && find != nil {
		l.blobs = find(l.text)
	}
	if put := j.s.Format().Inline; len(l.blobs) > 0 && put != nil && !j.o.Beside {
		// Who opens the file elsewhere has no other files. What the session does not
		// have either stays a name.
		l.text = put(l.text, func(name string) ([]byte, bool) {
			data, err := j.s.Blob(ctx, name)
			return data, err == nil
		})
		l.blobs = nil
	}
	return l
}

// each calls write with every line in order. Looking through lines takes the time, so
// several are looked through at once.
func (j *Job) each(ctx context.Context, c *cleaner, write func(ready) error) error {
	if c.redactor == nil && !j.o.Without.Any() {
		return j.file.Each(ctx, func(line []byte) error { return write(j.tell(ctx, line, c)) })
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var read error
	queue := make(chan chan ready, 4*runtime.GOMAXPROCS(0))
	go func() {
		defer close(queue)
		read = j.file.Each(ctx, func(line []byte) error {
			made := make(chan ready, 1)
			select {
			case queue <- made:
				go func() { made <- j.tell(ctx, line, c) }()
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

// strip leaves out of a line what is not wanted.
func (j *Job) strip(line []byte) ([]byte, error) {
	if !j.o.Without.Any() {
		return line, nil
	}
	return j.s.Format().Strip(line, j.o.Without)
}
