package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"sessiontree/internal/session"
)

// maxRetriesWhileGrowing is how often a file that grows meanwhile is looked at again.
const maxRetriesWhileGrowing = 20

// writer writes one change to a file that is held. It has the session's turn.
type writer struct {
	session *Session
	lock    *writeLock
	changes []Change // found on the way, to be told afterwards
}

// appendOp is one append: its lines, and how the file was before.
type appendOp struct {
	lines      []session.Line
	slotLine   *session.Line // takes the place of the first line; nil: that stays
	sizeBefore int64
	start      int64 // of the lines; beyond before when another writer came first
}

// writeChange makes the change, and gives the leaf back when another writer came
// between.
func (p *writer) writeChange(ctx context.Context, c session.Change, seen Precondition) (w Written, err error) {
	w.File = p.session.at.path
	st, err := p.appendChange(ctx, c, func() error { return p.session.checkPrecondition(c, seen) })
	if err != nil && !errors.Is(err, ErrUnconfirmed) {
		return Written{}, err
	}
	unsure := err
	w.Lines, err = st.lines, nil
	if theirs := p.findInterleavedEntry(st); theirs != "" {
		err = p.repairLeaf(context.WithoutCancel(ctx), c, theirs, &w)
	}
	if err == nil && st.slotLine != nil {
		if err = p.overwriteSlot(context.WithoutCancel(ctx), st.slotLine); err == nil {
			w.Lines = append(w.Lines, *st.slotLine)
		}
	}
	w.Leaf = p.session.leafID()
	if err == nil {
		err = unsure
	}
	return w, err
}

// appendChange encodes the change for the state that the file is in and appends it.
func (p *writer) appendChange(ctx context.Context, c session.Change, check func() error) (st appendOp, err error) {
	for try := 1; ; try++ {
		if st.sizeBefore, err = p.refreshToEOF(ctx); err != nil {
			return st, err
		}
		if err := check(); err != nil {
			return st, err
		}
		if err := p.encodeLines(c, &st); err != nil || len(st.lines) == 0 {
			return st, err
		}
		p.session.lib.testHook("encoded")
		size, err := p.lock.currentFileSize()
		if err != nil {
			return st, err
		}
		if size == st.sizeBefore && (st.slotLine == nil || p.checkSlot() == nil) {
			break
		}
		if try == maxRetriesWhileGrowing {
			return st, newRefusal(session.ErrConflict, "The agent is writing to this session all the time. Try again.")
		}
	}
	if err := ctx.Err(); err != nil {
		return st, err
	}
	p.session.lib.testHook("checked")
	return st, p.appendLines(context.WithoutCancel(ctx), &st)
}

// encodeLines makes the lines of a change, and the one that takes the place of the first.
func (p *writer) encodeLines(c session.Change, st *appendOp) error {
	lines, err := p.session.encodeChange(c, p.lock.file)
	if err != nil {
		return err
	}
	st.lines, st.slotLine = nil, nil
	for i := range lines {
		if lines[i].ReplacesSlot {
			st.slotLine = &lines[i]
		} else {
			st.lines = append(st.lines, lines[i])
		}
	}
	return nil
}

// refreshToEOF takes in the file as it is now, all of it, and answers its size. The
// file must end with a line's end.
func (p *writer) refreshToEOF(ctx context.Context) (int64, error) {
	for try := 1; ; try++ {
		if err := p.refreshLockedFile(ctx); err != nil {
			return 0, err
		}
		size, err := p.lock.currentFileSize()
		if err != nil {
			return 0, err
		}
		switch {
		case p.session.checkpoint.Size != size:
			if try == maxRetriesWhileGrowing {
				return 0, newRefusal(session.ErrConflict, "The agent is writing to this session. Try again.")
			}
			continue
		case p.session.checkpoint.Off > size:
			return 0, errFileReplaced
		}
		whole, err := endsWithNewline(p.lock.file, size)
		if err != nil {
			return 0, p.session.at.pathError(err)
		}
		if !whole || p.session.checkpoint.Off < size {
			return 0, p.session.tornLineRefusal(p.lock.file)
		}
		return size, nil
	}
}

// refreshLockedFile takes in what is new, and makes sure that it was read from the file
// that is held.
func (p *writer) refreshLockedFile(ctx context.Context) error {
	c, err := p.session.refreshLocked(ctx, "")
	if c.Kind != Unchanged {
		p.changes = append(p.changes, c)
	}
	if err != nil {
		return err
	}
	if err := p.session.FileError(); err != nil {
		return err
	}
	if p.session.checkpoint.info != nil && !os.SameFile(p.session.checkpoint.info, p.lock.info) {
		return errFileReplaced
	}
	return nil
}

// tornLineRefusal tells why nothing is written after a line without its end.
func (s *Session) tornLineRefusal(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if s.lib.now().Sub(info.ModTime()) < tornLineTimeout {
		return newRefusal(session.ErrConflict, "The agent is writing: the last line of %s is not finished yet.", s.at.path)
	}
	return newRefusal(session.ErrConflict, "%s ends in an unfinished line left by a crash. End the line first.", s.at.path)
}

// tornLineTimeout is how long an unfinished line must stand still to be one that nobody
// will finish.
const tornLineTimeout = 10 * time.Second

// appendLines appends the lines and reads them back.
func (p *writer) appendLines(ctx context.Context, st *appendOp) (err error) {
	text, theirs := joinLines(st.lines), p.session.LastAgentWrite()
	st.start, err = appendOnce(p.lock.file, text, st.sizeBefore)
	if err != nil {
		_ = p.refreshLockedFile(ctx) // what there is of it must be seen
		return fmt.Errorf("%s: %w", p.session.at.path, err)
	}
	synced := p.lock.file.Sync()
	if err := p.refreshLockedFile(ctx); err != nil {
		return p.unread(err)
	}
	if err := p.verifyAppended(st, text); err != nil {
		return err
	}
	if st.start == st.sizeBefore && p.session.checkpoint.Size == st.start+int64(len(text)) {
		p.session.updateMeta(func(k *sessionMeta) { k.agentMtime = theirs })
	}
	if synced != nil {
		return unconfirmedError(p.session.at.path, "the change was written", synced)
	}
	return nil
}

// unread words that the lines were written and cannot be read back. Where the file was
// replaced under them, trying again would be right only if nothing of them was kept.
func (p *writer) unread(err error) error {
	if errors.Is(err, errFileReplaced) {
		return newWrittenRefusal("%s: The file was replaced while it was written to.", p.session.at.path)
	}
	return unconfirmedError(p.session.at.path, "the change was written", fmt.Errorf("it cannot be read back: %w", err))
}

// verifyAppended makes sure that the file and the tree hold the lines.
func (p *writer) verifyAppended(st *appendOp, text []byte) error {
	now := make([]byte, len(text))
	err := readFull(p.lock.file, now, st.start)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return p.unread(err)
	}
	if err == nil && bytes.Equal(now, text) {
		off := st.start
		for i, l := range st.lines {
			at := p.session.tree.FindID(l.ID)
			if l.ID == "" { // a line that says none is called by its place
				at = p.session.findEntryAtOffset(off)
			}
			if at == session.NoPos || p.session.tree.At(at).Span.Off != off {
				return newWrittenRefusal("%s: the change is lost: another writer had begun a line in the same moment, and the two became one that cannot be read. Try again.", p.session.at.path)
			}
			st.lines[i].ID = p.session.tree.At(at).ID
			off += int64(len(l.Text)) + 1
		}
		return nil
	}
	return newWrittenRefusal("%s: the file was changed while it was written to, and the change is not in it.", p.session.at.path)
}
