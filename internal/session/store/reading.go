package store

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"unsafe"

	"golang.org/x/sync/errgroup"

	"sessiontree/internal/session"
)

// small is how many bytes are not worth a second goroutine.
const small = blockSize / 2

// reading takes the lines of one file through its format, from the start or from
// where an earlier part ended.
type reading struct {
	format *session.Format
	home   string
	dec    session.Decoder

	longest int // line, in bytes

	off  int64  // after the last accepted line
	line int32  // line ends before off
	open bool   // the last accepted line has no end yet
	head []byte // the first bytes of the file that were read, at most edge
	tail []byte // the bytes before off, at most edge

	// What the last part gave.
	entries []session.Entry
	notes   []session.Note
	checks  []check
	torn    *session.Note // about a last line without its end
	headers int
	weight  int64 // bytes the entries take in memory
}

func (l *Library) newReading(f *session.Format) *reading {
	return &reading{format: f, home: l.home, dec: f.NewDecoder(), longest: l.longest}
}

// part reads from r.off to end. What an earlier part gave is forgotten.
func (r *reading) part(ctx context.Context, f io.ReaderAt, end int64) error {
	r.entries, r.notes, r.checks, r.torn, r.headers, r.weight = nil, nil, nil, nil, 0, 0
	src := &source{f: f, off: r.off, end: end, longest: r.longest}
	if end-r.off <= small {
		return r.serial(ctx, src, end)
	}
	return r.parallel(ctx, src, end)
}

func (r *reading) serial(ctx context.Context, src *source, end int64) error {
	b := blocks.Get().(*block)
	defer b.free()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch err := src.next(ctx, b); {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("read at byte %d: %w", src.off, err)
		}
		b.scan(r.format, r.home)
		r.take(b, end)
	}
}

// parallel reads blocks in one goroutine, scans them in several and takes their
// records in order here. The blocks that go round bound the memory.
func (r *reading) parallel(ctx context.Context, src *source, end int64) error {
	workers := runtime.GOMAXPROCS(0)
	free := make(chan *block, workers+2)
	work := make(chan *block, cap(free))
	order := make(chan *block, cap(free))
	for range cap(free) {
		free <- blocks.Get().(*block)
	}
	var g errgroup.Group
	g.Go(func() error {
		defer close(order)
		defer close(work)
		return cut(ctx, src, free, work, order)
	})
	for range workers {
		g.Go(func() error {
			for b := range work {
				b.scan(r.format, r.home)
				b.done <- struct{}{}
			}
			return nil
		})
	}
	for b := range order {
		<-b.done
		r.take(b, end)
		free <- b
	}
	err := g.Wait()
	close(free)
	for b := range free {
		b.free()
	}
	return err
}

// cut reads src block by block and hands each to both channels.
func cut(ctx context.Context, src *source, free <-chan *block, work, order chan<- *block) error {
	for b := range free {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := src.next(ctx, b); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("read at byte %d: %w", src.off, err)
		}
		order <- b
		work <- b
	}
	return nil
}

// take gives the block's records to the decoder. end is where the file was meant
// to end; by it the number of entries is guessed.
func (r *reading) take(b *block, end int64) {
	r.reserve(b, end)
	base := r.line
	for i := range b.recs {
		r.record(&b.recs[i], base)
	}
	r.line = base + b.lines
	r.off, r.open = b.end(), false
	if n := len(b.recs); n > 0 && b.recs[n-1].torn {
		r.off = b.recs[n-1].off // it waits for its end
	} else if n > 0 {
		r.open = b.recs[n-1].open
	}
	if r.off == int64(len(bom)) {
		r.off = 0
	}
	switch {
	case b.gap == 0:
		r.keep(b.buf[:max(r.off-b.off, 0)])
	case r.off > b.off:
		r.keep(b.buf[:edge])
		r.keep(b.buf[edge:])
	}
}

// keep remembers the ends of what was read.
func (r *reading) keep(read []byte) {
	r.head = append(r.head, read[:min(len(read), edge-len(r.head))]...)
	if len(read) >= edge {
		r.tail = r.tail[:0]
	}
	r.tail = append(r.tail, read[max(len(read)-edge, 0):]...)
	if over := len(r.tail) - edge; over > 0 {
		r.tail = append(r.tail[:0], r.tail[over:]...)
	}
}

// record gives one record to the decoder.
func (r *reading) record(s *scanned, base int32) {
	span := session.Span{Off: s.off, Len: s.len, Line: base + s.line + 1}
	if s.open {
		r.torn = tornNote(span, s.torn)
	}
	if s.torn {
		return
	}
	if s.bad != nil {
		r.dec.Bad(span, s.bad.Error())
		r.notes = append(r.notes, session.Note{Code: session.NoteBadLine, Line: int(span.Line), Text: badText(s.bad)})
		return
	}
	if s.rec.Header != nil {
		r.headers++
	}
	s.rec.Entry.Span = span
	e, ok, notes := r.dec.Next(s.rec)
	r.notes = append(r.notes, notes...)
	if ok {
		r.entries = append(r.entries, e)
		r.checks = append(r.checks, check{s.off, span.Line, s.sum})
		r.weight += weigh(&e)
	}
}

func badText(err error) string { return "this line cannot be read: " + err.Error() }

func tornNote(span session.Span, torn bool) *session.Note {
	n := &session.Note{Code: session.NoteTornLine, Line: int(span.Line)}
	n.Text = "the last line is not finished: its agent is still writing it, or was stopped while it did"
	if !torn {
		n.Text = "the last line has no line end yet; it is shown all the same"
	}
	return n
}

// reserve makes room for all entries once the first block tells how long lines
// are, so that a large file does not copy them over and over.
func (r *reading) reserve(b *block, end int64) {
	if r.entries != nil || len(b.buf) == 0 {
		return
	}
	left := float64(end-b.off) / float64(b.end()-b.off)
	n := int(float64(len(b.recs)) * min(left, 1<<12) * 1.05)
	r.entries = make([]session.Entry, 0, n+1)
	r.checks = make([]check, 0, n+1)
}

// weigh estimates the memory of an entry in its tree.
func weigh(e *session.Entry) int64 {
	const links = 120 // positions, the index by id
	n := int64(unsafe.Sizeof(*e)) + links
	n += int64(len(e.ID) + len(e.Parent) + len(e.Preview) + len(e.Name) + len(e.Target) + len(e.Call) + len(e.Error) + len(e.Status))
	for i := range e.Calls {
		c := &e.Calls[i]
		n += int64(unsafe.Sizeof(*c)) + int64(len(c.ID)+len(c.Name)+len(c.Arg)+len(c.Line))
	}
	return n
}

// forget lets go of what the last part gave, after it was taken over.
func (r *reading) forget() {
	r.entries, r.notes, r.checks, r.torn = nil, nil, nil, nil
}
