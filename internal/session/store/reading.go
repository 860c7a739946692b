package store

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"golang.org/x/sync/errgroup"

	"sessiontree/internal/session"
)

// small is how many bytes are not worth a second goroutine.
const small = 512 << 10

// reading takes the lines of one file through its format, from the start or from
// where an earlier part ended.
type reading struct {
	format *session.Format
	home   string
	path   string // canonical; names the session where its lines do not
	dec    session.Decoder
	shared string // the working directory by other files, for a header that records none

	longest int // line, in bytes

	off  int64   // after the last accepted line
	last int64   // Order of the last entry
	line int32   // line ends before off
	open bool    // the last accepted line has no end yet
	head []byte  // the first bytes of the file that were read, at most edge
	tail []byte  // the bytes before off, at most edge
	seen *recall // all that was read; nil where nobody asks for it

	// What the last part gave.
	entries [][]session.Entry // in one part a block
	notes   []session.Note
	checks  []check
	torn    *session.Note // about a last line without its end
	headers int
	weight  int64 // bytes the entries take in memory
}

func (l *Library) newReading(f *session.Format, path string) *reading {
	return &reading{format: f, home: l.home, path: path, dec: f.NewDecoder(), longest: l.longest, last: session.NoTime}
}

// header is what is known of the session so far.
func (r *reading) header() (session.Header, bool) {
	h, ok := r.dec.Header()
	if ok && h.Cwd == "" && r.shared != "" {
		h.Cwd, h.Shared = r.shared, true
	}
	if ok && r.format.Named != nil {
		r.format.Named(&h, filepath.ToSlash(r.path))
	}
	if ok && r.format.NamedBeside != nil {
		r.beside(&h)
	}
	return h, ok
}

// beside lets the format read what stands beside the file. What cannot be read says
// nothing.
func (r *reading) beside(h *session.Header) {
	dir, err := os.OpenRoot(filepath.Dir(r.path))
	if err != nil {
		return
	}
	defer dir.Close()
	r.format.NamedBeside(h, regularFS{dir}, filepath.Base(r.path))
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

// parallel reads and scans blocks in several goroutines and takes their records
// in order here. The blocks that go round bound the memory.
func (r *reading) parallel(ctx context.Context, src *source, end int64) error {
	workers := runtime.GOMAXPROCS(0)
	free := make(chan *block, 2*workers+2)
	order := make(chan *block, cap(free))
	for range cap(free) {
		free <- blocks.Get().(*block)
	}
	var g errgroup.Group
	var turn sync.Mutex // of the source: blocks are read one after the other
	for range workers {
		g.Go(func() error {
			for {
				b, err := cut(ctx, src, &turn, free, order)
				if b == nil || err != nil {
					return err
				}
				b.scan(r.format, r.home)
				b.done <- struct{}{}
			}
		})
	}
	failed := make(chan error, 1)
	go func() {
		failed <- g.Wait()
		close(order)
	}()
	for b := range order {
		<-b.done
		r.take(b, end)
		free <- b
	}
	close(free)
	for b := range free {
		b.free()
	}
	return <-failed
}

// cut reads the next block; nil at the end. The goroutine that reads a block scans
// it, while its bytes are near. Whoever reads a block puts it in order.
func cut(ctx context.Context, src *source, turn *sync.Mutex, free <-chan *block, order chan<- *block) (*block, error) {
	b := <-free
	turn.Lock()
	defer turn.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := src.next(ctx, b); err == io.EOF {
		b.free()
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("read at byte %d: %w", src.off, err)
	}
	order <- b
	return b, nil
}

// take gives the block's records to the decoder. end is where the file was meant
// to end; by it the number of entries is guessed.
func (r *reading) take(b *block, end int64) {
	r.reserve(b, end)
	base := r.line
	part := make([]session.Entry, 0, len(b.recs))
	for i := range b.recs {
		part = r.record(part, &b.recs[i], base)
	}
	if len(part) > 0 {
		r.entries = append(r.entries, part)
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
		read := b.buf[:max(r.off-b.off, 0)]
		r.keep(read)
		r.weight += r.seen.add(b.off, read)
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

// record gives one record to the decoder. An entry is added to part.
func (r *reading) record(part []session.Entry, s *scanned, base int32) []session.Entry {
	span := session.Span{Off: s.off, Len: s.len, Line: base + s.line + 1}
	if s.open {
		r.torn = tornNote(span, s.torn)
	}
	if s.torn {
		return part
	}
	if s.bad != nil {
		r.dec.Bad(span, s.bad.Error())
		r.notes = append(r.notes, session.Note{Code: session.NoteBadLine, Line: int(span.Line), Text: badText(s.bad)})
		return part
	}
	if s.rec.Header != nil {
		r.headers++
	}
	s.rec.Entry.Span = span
	e, ok, notes := r.dec.Next(s.rec)
	r.notes = append(r.notes, notes...)
	if ok {
		r.last = e.OrderAfter(r.last)
		part = append(part, e)
		r.checks = append(r.checks, check{s.off, span.Line, s.sum})
		r.weight += weigh(&e)
	}
	return part
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

// reserve makes room for the checks of all entries once the first block tells how
// long lines are. Entries come in parts: the collector would look through one
// large list of them again and again before it is filled, and growing it copies.
func (r *reading) reserve(b *block, end int64) {
	if r.checks != nil || len(b.buf) == 0 {
		return
	}
	left := float64(end-b.off) / float64(b.end()-b.off)
	r.checks = make([]check, 0, int(float64(len(b.recs))*min(left, 1<<12)*1.05)+1)
}

// all lists the entries that the last part gave.
func (r *reading) all() []session.Entry {
	if len(r.entries) == 1 {
		return r.entries[0]
	}
	return slices.Concat(r.entries...)
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
