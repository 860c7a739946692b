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

// maxSerialSize is how many bytes are not worth a second goroutine.
const maxSerialSize = 512 << 10

// fileReader takes the lines of one file through its format, from the start or from
// where an earlier part ended.
type fileReader struct {
	format    *session.Format
	home      string
	path      string // canonical; names the session where its lines do not
	dec       session.Decoder
	sharedCwd string // the working directory by other files, for a header that records none

	maxLineSize int // line, in bytes

	off          int64        // after the last accepted line
	lastSortTime int64        // Order of the last entry
	line         int32        // line ends before off
	open         bool         // the last accepted line has no end yet
	head         []byte       // the first bytes of the file that were read, at most edge
	tail         []byte       // the bytes before off, at most edge
	history      *lineHistory // all that was read; nil where nobody asks for it

	// What the last part gave.
	entries [][]session.Entry // in one part a block
	notes   []session.Note
	checks  []lineCheck
	torn    *session.Note // about a last line without its end
	headers int
	weight  int64 // bytes the entries take in memory
}

func (l *Library) newFileReader(f *session.Format, path string) *fileReader {
	return &fileReader{format: f, home: l.home, path: path, dec: f.NewDecoder(), maxLineSize: l.maxLineSize, lastSortTime: session.NoTime}
}

// completedHeader is what is known of the session so far.
func (r *fileReader) completedHeader() (session.Header, bool) {
	h, ok := r.dec.Header()
	if ok && h.Cwd == "" && r.sharedCwd != "" {
		h.Cwd, h.CwdInferred = r.sharedCwd, true
	}
	if ok && r.format.CompleteHeader != nil {
		r.format.CompleteHeader(&h, filepath.ToSlash(r.path))
	}
	if ok && r.format.CompleteHeaderFromDir != nil {
		r.readSiblingHeader(&h)
	}
	return h, ok
}

// readSiblingHeader lets the format read what stands beside the file. What cannot be read says
// nothing.
func (r *fileReader) readSiblingHeader(h *session.Header) {
	dir, err := os.OpenRoot(filepath.Dir(r.path))
	if err != nil {
		return
	}
	defer dir.Close()
	r.format.CompleteHeaderFromDir(h, regularFS{dir}, filepath.Base(r.path))
}

// readTo reads from r.off to end. What an earlier part gave is forgotten.
func (r *fileReader) readTo(ctx context.Context, f io.ReaderAt, end int64) error {
	r.entries, r.notes, r.checks, r.torn, r.headers, r.weight = nil, nil, nil, nil, 0, 0
	src := &blockSource{f: f, off: r.off, end: end, maxLineSize: r.maxLineSize}
	if end-r.off <= maxSerialSize {
		return r.readSerial(ctx, src, end)
	}
	return r.readParallel(ctx, src, end)
}

func (r *fileReader) readSerial(ctx context.Context, src *blockSource, end int64) error {
	b := blockPool.Get().(*block)
	defer b.returnToPool()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch err := src.nextBlock(ctx, b); {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("read at byte %d: %w", src.off, err)
		}
		b.scanLines(r.format, r.home)
		r.decodeBlock(b, end)
	}
}

// readParallel reads and scans blocks in several goroutines and takes their records
// in order here. The blocks that go round bound the memory.
func (r *fileReader) readParallel(ctx context.Context, src *blockSource, end int64) error {
	workers := runtime.GOMAXPROCS(0)
	free := make(chan *block, 2*workers+2)
	order := make(chan *block, cap(free))
	for range cap(free) {
		free <- blockPool.Get().(*block)
	}
	var g errgroup.Group
	var turn sync.Mutex // of the source: blocks are read one after the other
	for range workers {
		g.Go(func() error {
			for {
				b, err := readNextBlock(ctx, src, &turn, free, order)
				if b == nil || err != nil {
					return err
				}
				b.scanLines(r.format, r.home)
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
		r.decodeBlock(b, end)
		free <- b
	}
	close(free)
	for b := range free {
		b.returnToPool()
	}
	return <-failed
}

// readNextBlock reads the next block; nil at the end. The goroutine that reads a block scans
// it, while its bytes are near. Whoever reads a block puts it in order.
func readNextBlock(ctx context.Context, src *blockSource, turn *sync.Mutex, free <-chan *block, order chan<- *block) (*block, error) {
	b := <-free
	turn.Lock()
	defer turn.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := src.nextBlock(ctx, b); err == io.EOF {
		b.returnToPool()
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("read at byte %d: %w", src.off, err)
	}
	order <- b
	return b, nil
}

// decodeBlock gives the block's records to the decoder. end is where the file was meant
// to end; by it the number of entries is guessed.
func (r *fileReader) decodeBlock(b *block, end int64) {
	r.reserveChecks(b, end)
	base := r.line
	part := make([]session.Entry, 0, len(b.records))
	for i := range b.records {
		part = r.decodeLine(part, &b.records[i], base)
	}
	if len(part) > 0 {
		r.entries = append(r.entries, part)
	}
	r.line = base + b.lines
	r.off, r.open = b.endOffset(), false
	if n := len(b.records); n > 0 && b.records[n-1].torn {
		r.off = b.records[n-1].off // it waits for its end
	} else if n > 0 {
		r.open = b.records[n-1].open
	}
	if r.off == int64(len(bom)) {
		r.off = 0
	}
	switch {
	case b.gap == 0:
		read := b.buf[:max(r.off-b.off, 0)]
		r.rememberEdges(read)
		r.weight += r.history.addHistory(b.off, read)
	case r.off > b.off:
		r.rememberEdges(b.buf[:edgeSize])
		r.rememberEdges(b.buf[edgeSize:])
	}
}

// rememberEdges remembers the ends of what was read.
func (r *fileReader) rememberEdges(read []byte) {
	r.head = append(r.head, read[:min(len(read), edgeSize-len(r.head))]...)
	if len(read) >= edgeSize {
		r.tail = r.tail[:0]
	}
	r.tail = append(r.tail, read[max(len(read)-edgeSize, 0):]...)
	if over := len(r.tail) - edgeSize; over > 0 {
		r.tail = append(r.tail[:0], r.tail[over:]...)
	}
}

// decodeLine gives one record to the decoder. An entry is added to part.
func (r *fileReader) decodeLine(part []session.Entry, s *scannedLine, base int32) []session.Entry {
	span := session.Span{Off: s.off, Len: s.len, Line: base + s.line + 1}
	if s.open {
		r.torn = newTornNote(span, s.torn)
	}
	if s.torn {
		return part
	}
	if s.err != nil {
		r.dec.SkipBadLine(span, s.err.Error())
		r.notes = append(r.notes, session.Note{Code: session.NoteBadLine, Line: int(span.Line), Text: badLineText(s.err)})
		return part
	}
	if s.rec.Header != nil {
		r.headers++
	}
	s.rec.Entry.Span = span
	e, ok, notes := r.dec.DecodeRecord(s.rec)
	r.notes = append(r.notes, notes...)
	if ok {
		r.lastSortTime = e.SetSortTime(r.lastSortTime)
		part = append(part, e)
		r.checks = append(r.checks, lineCheck{s.off, span.Line, s.sum})
		r.weight += estimateMemory(&e)
	}
	return part
}

func badLineText(err error) string { return "this line cannot be read: " + err.Error() }

func newTornNote(span session.Span, torn bool) *session.Note {
	n := &session.Note{Code: session.NoteTornLine, Line: int(span.Line)}
	n.Text = "the last line is not finished: its agent is still writing it, or was stopped while it did"
	if !torn {
		n.Text = "the last line has no line end yet; it is shown all the same"
	}
	return n
}

// reserveChecks makes room for the checks of all entries once the first block tells how
// long lines are. Entries come in parts: the collector would look through one
// large list of them again and again before it is filled, and growing it copies.
func (r *fileReader) reserveChecks(b *block, end int64) {
	if r.checks != nil || len(b.buf) == 0 {
		return
	}
	left := float64(end-b.off) / float64(b.endOffset()-b.off)
	r.checks = make([]lineCheck, 0, int(float64(len(b.records))*min(left, 1<<12)*1.05)+1)
}

// allEntries lists the entries that the last part gave.
func (r *fileReader) allEntries() []session.Entry {
	if len(r.entries) == 1 {
		return r.entries[0]
	}
	return slices.Concat(r.entries...)
}

// estimateMemory estimates the memory of an entry in its tree.
func estimateMemory(e *session.Entry) int64 {
	const links = 120 // positions, the index by id
	n := int64(unsafe.Sizeof(*e)) + links
	n += int64(len(e.ID) + len(e.Parent) + len(e.Preview) + len(e.Name))
	if e.Details == nil {
		return n
	}
	d := e.Details
	n += int64(unsafe.Sizeof(*d)) + int64(len(d.Target)+len(d.Call)+len(d.Error)+len(d.Status))
	for i := range d.Calls {
		c := &d.Calls[i]
		n += int64(unsafe.Sizeof(*c)) + int64(len(c.ID)+len(c.Name)+len(c.Arg)+len(c.CommandLine))
	}
	return n
}

// dropResults lets go of what the last part gave, after it was taken over.
func (r *fileReader) dropResults() {
	r.entries, r.notes, r.checks, r.torn = nil, nil, nil, nil
}
