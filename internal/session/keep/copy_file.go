package keep

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/safefile"
)

// quietAge is how long a file must have rested before an unfinished last line is copied.
const quietAge = time.Minute

// maxSnapshots is how many generations are kept of a file that is no list of lines. Agents
// replace such files as a whole.
const maxSnapshots = 8

// maxCopyTries limits how often a file is tried that another process copies at the same time.
const maxCopyTries = 4

// knownFile is a file as it was when this process copied it.
type knownFile struct {
	info       fs.FileInfo
	chain      archive.Chain // of what is stored
	edges      [sha256.Size]byte
	format     *session.Format // nil if the file has none
	unverified bool            // earlier bytes were compared at the edges only
}

// KeepFile copies what is new in a file, which must be in a root. It costs as much as there
// are new bytes, unless the file was rewritten or this process has not copied it before. A
// file that does not exist, or is neither a session nor belongs to one, is skipped.
func (k *Keeper) KeepFile(ctx context.Context, path string) error {
	at, err := k.roots.Locate(path)
	if err != nil {
		return err
	}
	return k.copyPlace(ctx, at, false)
}

// copyPlace copies what is new in a file. With verify, bytes that were copied earlier are
// compared in full if that was not done before.
func (k *Keeper) copyPlace(ctx context.Context, at roots.Place, verify bool) error {
	defer k.paths.Lock(at.Path)()
	f, info, err := at.OpenOnDisk()
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, safefile.ErrNotRegular) {
		return nil
	}
	if err != nil {
		return copyError(at.Path, err)
	}
	defer f.Close()
	if !k.isWanted(at, f) {
		return nil
	}
	c := &fileCopy{keeper: k, path: at.Path, file: f, info: info, verify: verify}
	return c.run(ctx)
}

// knownOf returns what is known of a file.
func (k *Keeper) knownOf(path string) knownFile {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.known[path]
}

func (k *Keeper) setKnown(path string, f knownFile) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.known[path] = f
}

// fileCopy is the work on one open file.
type fileCopy struct {
	keeper *Keeper
	path   string
	file   *os.File
	info   fs.FileInfo // when it was opened
	verify bool
	edges  [sha256.Size]byte // of the file before any of it was compared
	known  knownFile
	// overlap is the end of the bytes that were searched for blobs.
	overlap []byte
}

// run copies what is new. If another process has just copied some of it, it starts again.
func (c *fileCopy) run(ctx context.Context) error {
	c.known = c.keeper.knownOf(c.path)
	var conflict *archive.ConflictError
	for try := 0; ; try++ {
		err := c.copyNew(ctx)
		if !errors.As(err, &conflict) || try == maxCopyTries {
			return err
		}
	}
}

// copyNew copies what is new since the stored head.
func (c *fileCopy) copyNew(ctx context.Context) error {
	heads, err := c.keeper.archive.Heads(ctx, c.path)
	if err != nil {
		return err
	}
	head := archive.Head{Chain: archive.EmptyChain}
	if len(heads) > 0 {
		head = heads[len(heads)-1]
	}
	complete := head.Generation > 0 && c.info.Size() == head.End && c.info.ModTime().Equal(head.ModTime)
	if complete && !(c.verify && c.known.unverified) {
		return nil
	}
	if c.edges, err = safefile.HashEdges(c.file, c.info.Size()); err != nil {
		return copyError(c.path, err)
	}
	same, full, err := c.continues(head)
	if err != nil {
		return copyError(c.path, err)
	}
	if complete && same {
		return c.remember(head, full)
	}
	if !same {
		head = archive.Head{Generation: head.Generation + 1, Chain: archive.EmptyChain}
	}
	end, err := c.copyEnd(head.End)
	if err != nil {
		return copyError(c.path, err)
	}
	if end == head.End && head.End == 0 {
		return nil // nothing is in the file yet
	}
	if head, err = c.appendUntil(ctx, head, end); errors.Is(err, archive.ErrDamaged) {
		head, err = c.appendUntil(ctx, archive.Head{Generation: head.Generation + 1, Chain: archive.EmptyChain}, end)
	}
	if err != nil {
		return err
	}
	if err := c.dropSnapshots(ctx, head.Generation); err != nil {
		return err
	}
	if same {
		c.keeper.noteGrowth(c.path)
	}
	return c.remember(head, full || !same)
}

// continues reports whether the file begins with the stored bytes, and whether all of them
// were compared. Generation 0 is continued by none.
func (c *fileCopy) continues(head archive.Head) (same, full bool, err error) {
	if head.Generation == 0 || c.info.Size() < head.End {
		return false, true, nil
	}
	if !c.verify && c.known.info != nil && os.SameFile(c.known.info, c.info) && c.known.chain == head.Chain {
		edges, err := safefile.HashEdges(c.file, head.End)
		if err != nil {
			return false, false, err
		}
		if edges == c.known.edges {
			return true, false, nil
		}
	}
	chain, err := archive.HashChain(c.file, head.End)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return false, true, nil // it has just become shorter
	}
	return chain == head.Chain, true, err
}

// isLines reports whether a file is a list of lines, which agents append to.
func isLines(path string) bool { return strings.HasSuffix(filepath.Base(path), roots.SessionSuffix) }

// copyEnd returns the offset up to which the file is copied: after its last whole line, or
// its end if it rests or has no lines.
func (c *fileCopy) copyEnd(from int64) (int64, error) {
	size := c.info.Size()
	if !isLines(c.path) || c.keeper.now().Sub(c.info.ModTime()) > quietAge {
		return size, nil
	}
	buf := make([]byte, 64<<10)
	for at := size; at > from; {
		n := min(int64(len(buf)), at-from)
		if err := safefile.ReadFull(c.file, buf[:n], at-n); err != nil {
			return from, safefile.IgnoreError(err, io.ErrUnexpectedEOF)
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return at - n + int64(i) + 1, nil
		}
		at -= n
	}
	return from, nil
}

// remember stores what the file is like now that it was copied up to a head. If it was
// rewritten meanwhile, the copy may be of neither content: nothing is stored, so that the next
// change compares all of it.
func (c *fileCopy) remember(head archive.Head, full bool) error {
	edges, err := safefile.HashEdges(c.file, head.End)
	rewritten, newErr := safefile.HasNewEdges(c.file, c.info.Size(), c.edges) // after what is stored was read
	if err := errors.Join(err, newErr); err != nil {
		return copyError(c.path, err)
	}
	c.known = knownFile{format: c.known.format}
	if !rewritten {
		c.known = knownFile{info: c.info, chain: head.Chain, edges: edges, format: c.known.format, unverified: !full}
	}
	c.keeper.setKnown(c.path, c.known)
	return nil
}

// dropSnapshots deletes the oldest generations of a file that is no list of lines.
func (c *fileCopy) dropSnapshots(ctx context.Context, newest int) error {
	if isLines(c.path) || newest <= maxSnapshots {
		return nil
	}
	heads, err := c.keeper.archive.Heads(ctx, c.path)
	for _, h := range heads {
		if err == nil && h.Generation <= newest-maxSnapshots {
			err = c.keeper.archive.DeleteGeneration(ctx, c.path, h.Generation)
		}
	}
	return err
}
