package push

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/push/wire"
	"sessiontree/internal/session/safefile"
)

// transfer sends what the hub lacks of one file.
type transfer struct {
	pusher *Pusher
	file   *localFile
	head   wire.FileHead // what the hub has

	in    *os.File
	info  fs.FileInfo
	edges [sha256.Size]byte // of the file as it was opened
	src   *source
	at    progress // of what the hub has, once that is known
	chain archive.Chain
	state archive.ChainState // of chain
	blobs map[string]bool
}

// run sends the bytes. After an error, what is known of the file is forgotten.
func (t *transfer) run(ctx context.Context) (err error) {
	defer func() {
		if err != nil {
			t.pusher.progress.forget(t.file.path)
		}
	}()
	if t.in, t.info, err = safefile.OpenRegular(t.file.path); err != nil {
		return err
	}
	defer t.in.Close()
	if t.edges, err = safefile.HashEdges(t.in, t.info.Size()); err != nil {
		return err
	}
	t.blobs = map[string]bool{}
	if err := t.findStart(ctx); err != nil {
		return err
	}
	for {
		data, err := t.src.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := t.sendSegment(ctx, data); err != nil {
			return err
		}
	}
	if t.at.End == 0 && t.head.Generation < t.at.Generation { // an empty file
		if err := t.sendSegment(ctx, nil); err != nil {
			return err
		}
	}
	return t.remember()
}

// findStart makes the source begin where the hub is: where this process knows it to be, or
// after the bytes whose chain the hub has, or with a new generation.
func (t *transfer) findStart(ctx context.Context) error {
	known, ok, err := t.pusher.progress.resume(t.file.path, t.in, t.info)
	if err != nil {
		return err
	}
	if ok && known.Generation == t.head.Generation && known.End == t.head.End && wire.FormatChain(archive.Chain(known.Chain)) == t.head.Chain {
		t.at, t.chain, t.state = known, archive.Chain(known.Chain), archive.ChainState(known.Hash)
		t.src = t.newSource(known.Read)
		return nil
	}
	if t.head.Generation > 0 {
		if found, err := t.skipStored(ctx); err != nil || found {
			return err
		}
	}
	t.begin(t.head.Generation + 1)
	return nil
}

// begin makes the source begin with the file, for a generation of which nothing is known.
func (t *transfer) begin(generation int) {
	t.at, t.chain, t.state = progress{Generation: generation}, archive.EmptyChain, archive.NewChainState()
	t.src = t.newSource(0)
}

// advance continues the chain with bytes that the hub has.
func (t *transfer) advance(data []byte) (err error) {
	t.state, t.chain, err = t.state.Extend(data)
	t.at.End += int64(len(data))
	return err
}

func (t *transfer) newSource(from int64) *source {
	p := t.pusher
	s := &source{
		in: bufio.NewReaderSize(io.NewSectionReader(t.in, from, t.info.Size()-from), 64<<10), redactor: p.redactor, classes: p.classes,
		isLines: t.file.isLines(), findings: map[string]int{}, read: from,
	}
	if f := t.file.format; f != nil && f.Blobs != nil {
		s.onLine = func(line []byte) {
			for _, name := range f.Blobs.Names(line) {
				t.blobs[name] = true
			}
		}
	}
	return s
}

// skipStored reads the file up to where the hub is. It reports whether the file begins with
// the bytes that the hub has.
func (t *transfer) skipStored(ctx context.Context) (found bool, err error) {
	t.begin(t.head.Generation)
	for t.at.End < t.head.End {
		data, err := t.src.next()
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err := errors.Join(err, ctx.Err()); err != nil {
			return false, err
		}
		if rest := t.head.End - t.at.End; int64(len(data)) > rest {
			t.src.unread(data[rest:])
			data = data[:rest]
		}
		if err := t.advance(data); err != nil {
			return false, err
		}
	}
	return wire.FormatChain(t.chain) == t.head.Chain, nil
}

// sendSegment sends bytes after those that the hub has.
func (t *transfer) sendSegment(ctx context.Context, data []byte) error {
	s := archive.Segment{Generation: t.at.Generation, Off: t.at.End, Before: t.chain, Data: data, ModTime: t.info.ModTime()}
	end, chain, err := t.pusher.client.putSegment(ctx, t.head.ID, s)
	if err != nil {
		return err
	}
	if err := t.advance(data); err != nil {
		return err
	}
	if end != t.at.End || chain != t.chain {
		return t.newConflict(end, chain)
	}
	t.pusher.pushed.Sent += int64(len(data))
	return nil
}

// newConflict returns the error after which the file is compared with what the hub has.
func (t *transfer) newConflict(end int64, chain archive.Chain) error {
	return &conflictError{wire.FileHead{ID: t.head.ID, Generation: t.at.Generation, End: end, Chain: wire.FormatChain(chain)}}
}

// remember stores how far the file was sent. If the file was rewritten meanwhile, what was sent
// may be neither of its contents.
func (t *transfer) remember() error {
	for kind, n := range t.src.findings {
		t.pusher.pushed.Findings[kind] += n
	}
	t.at.Hash, t.at.Chain, t.at.Read = t.state[:], t.chain[:], t.src.read
	if err := t.pusher.progress.put(t.file.path, t.at, t.in, t.info); err != nil {
		return err
	}
	rewritten, err := safefile.HasNewEdges(t.in, t.info.Size(), t.edges) // after put, which reads the file, too
	if err == nil && rewritten {
		err = t.newConflict(t.at.End, t.chain)
	}
	return err
}
