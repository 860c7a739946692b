package push

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
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
	src   *source
	at    progress  // of what the hub has, once that is known
	hash  hash.Hash // of the bytes before at.End
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
		t.at = known
		t.hash = sha256.New()
		if err := restoreHash(t.hash, known.Hash); err == nil {
			t.src = t.newSource(known.Read)
			return nil
		}
	}
	if t.head.Generation > 0 {
		if found, err := t.skipStored(ctx); err != nil || found {
			return err
		}
	}
	t.at, t.hash, t.src = progress{Generation: t.head.Generation + 1}, sha256.New(), t.newSource(0)
	return nil
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
	t.src, t.hash, t.at = t.newSource(0), sha256.New(), progress{Generation: t.head.Generation}
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
		t.hash.Write(data)
		t.at.End += int64(len(data))
	}
	return wire.FormatChain(archive.Chain(t.hash.Sum(nil))) == t.head.Chain, nil
}

// sendSegment sends bytes after those that the hub has.
func (t *transfer) sendSegment(ctx context.Context, data []byte) error {
	s := archive.Segment{Generation: t.at.Generation, Off: t.at.End, Before: archive.Chain(t.hash.Sum(nil)), Data: data, ModTime: t.info.ModTime()}
	end, chain, err := t.pusher.client.putSegment(ctx, t.head.ID, s)
	if err != nil {
		return err
	}
	t.hash.Write(data)
	t.at.End += int64(len(data))
	if end != t.at.End || chain != archive.Chain(t.hash.Sum(nil)) {
		return &conflictError{wire.FileHead{ID: t.head.ID, Generation: t.at.Generation, End: end, Chain: wire.FormatChain(chain)}}
	}
	t.pusher.pushed.Sent += int64(len(data))
	return nil
}

// remember stores how far the file was sent.
func (t *transfer) remember() error {
	for kind, n := range t.src.findings {
		t.pusher.pushed.Findings[kind] += n
	}
	state, err := saveHash(t.hash)
	if err != nil {
		return fmt.Errorf("state of the hash: %w", err)
	}
	t.at.Hash, t.at.Chain, t.at.Read = state, t.hash.Sum(nil), t.src.read
	return t.pusher.progress.put(t.file.path, t.at, t.in, t.info)
}
