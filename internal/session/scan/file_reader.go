package scan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
)

// maxSerialSize is how many bytes are read without starting more goroutines. These win a millisecond for
// such a file, and nothing while other files are read.
const maxSerialSize = 1 << 20

// Reader reads the lines of one file through its format, from the start or from
// where it stopped.
type Reader struct {
	Format    *session.Format
	options   Options
	scanLine  lineScanner
	path      string // canonical; some formats take the session's name from it
	dec       session.Decoder
	SharedCwd string // the working directory recorded by other files, for a header without one

	off          int64    // after the last accepted line
	lastSortTime int64    // SortTime of the last entry
	line         int32    // number of newlines before off
	open         bool     // the last accepted line has no newline yet
	head         []byte   // the first bytes of the file, at most edgeSize
	tail         []byte   // the bytes before off, at most edgeSize
	weight       int64    // memory of all entries so far, in bytes
	History      *History // all lines read; nil where retracted lines are not kept

	// What the last call of ReadTo or ReadWholeValue found.
	Entries [][]session.Entry // one slice per block
	Notes   []session.Note
	Checks  []LineCheck
	Torn    *session.Note // about a last line without a newline
	Headers int
}

// Options apply to all files.
type Options struct {
	Home        string // for "~" in row texts
	ForList     bool   // the entries are for a list: see session.Read.ScanListedLine
	MaxLineSize int    // in bytes; longer lines are skipped; 0 = 128 MiB
	// OpenDir opens the directory of a file, for formats that read files next to it; nil = on
	// the disk.
	OpenDir func(path string) (Dir, error)
}

// NewReader returns a reader of a file in a format. The path is canonical.
func NewReader(f *session.Format, path string, o Options) *Reader {
	if o.MaxLineSize == 0 {
		o.MaxLineSize = MaxLineSize
	}
	if o.OpenDir == nil {
		o.OpenDir = openDiskDir
	}
	r := &Reader{Format: f, options: o, scanLine: f.ScanLine, path: path, dec: f.NewDecoder(), lastSortTime: session.NoTime}
	if o.ForList && f.ScanListedLine != nil {
		r.scanLine = f.ScanListedLine
	}
	return r
}

// CompletedHeader returns the header as far as it is known.
func (r *Reader) CompletedHeader() (session.Header, bool) {
	h, ok := r.dec.Header()
	if ok && h.Cwd == "" && r.SharedCwd != "" {
		h.Cwd, h.CwdInferred = r.SharedCwd, true
	}
	if ok && r.Format.CompleteHeader != nil {
		r.Format.CompleteHeader(&h, filepath.ToSlash(r.path))
	}
	if ok && r.Format.CompleteHeaderFromDir != nil {
		r.readSiblingHeader(&h)
	}
	return h, ok
}

// RecordedHeader returns the header as the file records it.
func (r *Reader) RecordedHeader() (session.Header, bool) { return r.dec.Header() }

// IsOpen reports whether the last accepted line has no newline yet.
func (r *Reader) IsOpen() bool { return r.open }

// RehashEdges sets the hashes of a checkpoint again, after the slot may have changed.
func (r *Reader) RehashEdges(m *Checkpoint) { m.setEdgeHashes(r.head, r.tail) }

// ReadTo reads from r.off to end. It drops the results of the call before.
func (r *Reader) ReadTo(ctx context.Context, f io.ReaderAt, end int64) error {
	r.Entries, r.Notes, r.Checks, r.Torn, r.Headers = nil, nil, nil, nil, 0
	src := &blockSource{f: f, off: r.off, end: end, maxLineSize: r.options.MaxLineSize}
	if end-r.off <= maxSerialSize {
		return r.readSerial(ctx, src, end)
	}
	return r.readParallel(ctx, src, end)
}

func (r *Reader) readSerial(ctx context.Context, src *blockSource, end int64) error {
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
		b.scanLines(r.scanLine, r.options.Home)
		r.decodeBlock(b, end)
	}
}

// readParallel reads and scans blocks in several goroutines and decodes their records
// in order in this one. The fixed number of blocks bounds the memory.
func (r *Reader) readParallel(ctx context.Context, src *blockSource, end int64) error {
	workers := runtime.GOMAXPROCS(0)
	free := make(chan *block, 2*workers+2)
	order := make(chan *block, cap(free))
	for range cap(free) {
		free <- blockPool.Get().(*block)
	}
	var g errgroup.Group
	var mu sync.Mutex // guards the source: blocks are read one after the other
	for range workers {
		g.Go(func() error {
			for {
				b, err := readNextBlock(ctx, src, &mu, free, order)
				if b == nil || err != nil {
					return err
				}
				b.scanLines(r.scanLine, r.options.Home)
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

// readNextBlock reads the next block and sends it to order; it returns nil at the end.
// The goroutine that reads a block also scans it, while its bytes are in the CPU cache.
func readNextBlock(ctx context.Context, src *blockSource, mu *sync.Mutex, free <-chan *block, order chan<- *block) (*block, error) {
	b := <-free
	mu.Lock()
	defer mu.Unlock()
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

// rememberEdges keeps the first and the last bytes that were read.
func (r *Reader) rememberEdges(read []byte) {
	r.head = append(r.head, read[:min(len(read), edgeSize-len(r.head))]...)
	if len(read) >= edgeSize {
		r.tail = r.tail[:0]
	}
	r.tail = append(r.tail, read[max(len(read)-edgeSize, 0):]...)
	if over := len(r.tail) - edgeSize; over > 0 {
		r.tail = append(r.tail[:0], r.tail[over:]...)
	}
}

// reserveChecks allocates the checks of all entries once the first block shows how long
// lines are. Entries are in several slices: growing one large slice would copy it, and
// the garbage collector would scan it again and again.
func (r *Reader) reserveChecks(b *block, end int64) {
	if r.Checks != nil || len(b.buf) == 0 {
		return
	}
	left := float64(end-b.off) / float64(b.endOffset()-b.off)
	r.Checks = make([]LineCheck, 0, int(float64(len(b.records))*min(left, 1<<12)*1.05)+1)
}

// AllEntries returns the entries of the last call of ReadTo.
func (r *Reader) AllEntries() []session.Entry {
	if len(r.Entries) == 1 {
		return r.Entries[0]
	}
	return slices.Concat(r.Entries...)
}

// DropResults releases the results after the caller has taken them.
func (r *Reader) DropResults() {
	r.Entries, r.Notes, r.Checks, r.Torn = nil, nil, nil, nil
}

// ResumeAt lets the reader continue at a checkpoint.
func (r *Reader) ResumeAt(f io.ReaderAt, m Checkpoint) error {
	r.off, r.line, r.open = m.Off, m.Line, m.Open
	n := min(m.Off, edgeSize)
	r.head, r.tail = make([]byte, n), make([]byte, n)
	return errors.Join(safefile.ReadFull(f, r.head, 0), safefile.ReadFull(f, r.tail, m.Off-n))
}

// RereadSlot reads the slot of the given size at the start of the file again. It returns
// false if it is incomplete or not a slot any more.
func (r *Reader) RereadSlot(f io.ReaderAt, size int32) bool {
	slot := make([]byte, size)
	if err := safefile.ReadFull(f, slot, 0); err != nil {
		return false
	}
	line, _, ended := bytes.Cut(slot, newline)
	rec, err := r.scanLine(line, r.options.Home)
	if err != nil || !ended || !rec.Ignored {
		return false
	}
	rec.Entry.Span = session.Span{Len: int32(len(line)), Line: 1}
	r.dec.DecodeRecord(rec)
	copy(r.head, slot)
	return true
}
