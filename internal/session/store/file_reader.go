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

	"golang.org/x/sync/errgroup"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
)

// maxSerialSize is how many bytes are read without starting more goroutines.
const maxSerialSize = 512 << 10

// fileReader reads the lines of one file through its format, from the start or from
// where it stopped.
type fileReader struct {
	format    *session.Format
	home      string
	path      string // canonical; some formats take the session's name from it
	dec       session.Decoder
	sharedCwd string // the working directory recorded by other files, for a header without one

	maxLineSize int // in bytes

	off          int64        // after the last accepted line
	lastSortTime int64        // SortTime of the last entry
	line         int32        // number of newlines before off
	open         bool         // the last accepted line has no newline yet
	head         []byte       // the first bytes of the file, at most edgeSize
	tail         []byte       // the bytes before off, at most edgeSize
	history      *lineHistory // all lines read; nil where retracted lines are not kept

	// What the last call of readTo or readWholeValue found.
	entries [][]session.Entry // one slice per block
	notes   []session.Note
	checks  []lineCheck
	torn    *session.Note // about a last line without a newline
	headers int
	weight  int64 // memory of all entries so far, in bytes
}

func (l *Library) newFileReader(f *session.Format, path string) *fileReader {
	return &fileReader{format: f, home: l.home, path: path, dec: f.NewDecoder(), maxLineSize: l.maxLineSize, lastSortTime: session.NoTime}
}

// completedHeader returns the header as far as it is known.
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

// readSiblingHeader lets the format complete the header from files next to the session
// file. Files that cannot be read are ignored.
func (r *fileReader) readSiblingHeader(h *session.Header) {
	dir, err := os.OpenRoot(filepath.Dir(r.path))
	if err != nil {
		return
	}
	defer dir.Close()
	r.format.CompleteHeaderFromDir(h, safefile.RegularFS{Dir: dir}, filepath.Base(r.path))
}

// readTo reads from r.off to end. It drops the results of the call before.
func (r *fileReader) readTo(ctx context.Context, f io.ReaderAt, end int64) error {
	r.entries, r.notes, r.checks, r.torn, r.headers = nil, nil, nil, nil, 0
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

// readParallel reads and scans blocks in several goroutines and decodes their records
// in order in this one. The fixed number of blocks bounds the memory.
func (r *fileReader) readParallel(ctx context.Context, src *blockSource, end int64) error {
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

// reserveChecks allocates the checks of all entries once the first block shows how long
// lines are. Entries are in several slices: growing one large slice would copy it, and
// the garbage collector would scan it again and again.
func (r *fileReader) reserveChecks(b *block, end int64) {
	if r.checks != nil || len(b.buf) == 0 {
		return
	}
	left := float64(end-b.off) / float64(b.endOffset()-b.off)
	r.checks = make([]lineCheck, 0, int(float64(len(b.records))*min(left, 1<<12)*1.05)+1)
}

// allEntries returns the entries of the last call of readTo.
func (r *fileReader) allEntries() []session.Entry {
	if len(r.entries) == 1 {
		return r.entries[0]
	}
	return slices.Concat(r.entries...)
}

// dropResults releases the results after the caller has taken them.
func (r *fileReader) dropResults() {
	r.entries, r.notes, r.checks, r.torn = nil, nil, nil, nil
}
