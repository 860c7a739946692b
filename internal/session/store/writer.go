package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/scan"
)

// maxRetriesWhileGrowing is how often a write is tried again because the file has
// grown.
const maxRetriesWhileGrowing = 20

// writer writes one change to a locked file. update is the right to refresh the session.
type writer struct {
	session *Session
	update  update
	lock    *writeLock
	changes []Change // found by refreshes, to be reported later
}

// appendOp is one append: its lines, and the state of the file before it.
type appendOp struct {
	lines      []session.Line
	slotLine   *session.Line // replaces the first line, or nil
	sizeBefore int64
	start      int64 // offset of the lines; greater than sizeBefore if another writer came first
}

// writeChange makes the change. If another writer interleaved it restores the leaf.
func (p *writer) writeChange(ctx context.Context, c session.Change, seen Precondition) (w Written, err error) {
	w.File = p.session.at.Path
	st, err := p.appendChange(ctx, c, func() error { return p.update.checkPrecondition(c, seen) })
	if err != nil && !errors.Is(err, safefile.ErrUnconfirmed) {
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
	w.Leaf = p.update.leafID()
	if err == nil {
		err = unsure
	}
	return w, err
}

// appendChange encodes the change for the current state of the file and appends it.
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

// encodeLines encodes the lines of a change, and the line that replaces the slot.
func (p *writer) encodeLines(c session.Change, st *appendOp) error {
	lines, err := p.update.encodeChange(c, p.lock.file)
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

// refreshToEOF refreshes the session until it has read the whole file, and returns the
// file's size. The file must end with a newline.
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
		whole, err := safefile.EndsWithNewline(p.lock.file, size)
		if err != nil {
			return 0, p.session.at.PathError(err)
		}
		if !whole || p.session.checkpoint.Off < size {
			return 0, p.tornLineRefusal()
		}
		return size, nil
	}
}

// refreshLockedFile refreshes the session, and returns an error unless it was read from
// the locked file.
func (p *writer) refreshLockedFile(ctx context.Context) error {
	c, err := p.update.refreshLocked(ctx, "")
	if c.Kind != Unchanged {
		p.changes = append(p.changes, c)
	}
	if err != nil {
		return err
	}
	if err := p.session.FileError(); err != nil {
		return err
	}
	if p.session.checkpoint.IsOtherFile(p.lock.info) {
		return errFileReplaced
	}
	return nil
}

// tornLineRefusal returns the error for an append after an unfinished line.
func (p *writer) tornLineRefusal() error {
	s := p.session
	info, err := p.lock.file.Stat()
	if err != nil {
		return err
	}
	if !session.IsTornByCrash(info.ModTime().UnixMilli(), s.lib.now().UnixMilli()) {
		return newRefusal(session.ErrConflict, "The agent is writing: the last line of %s is not finished yet.", s.at.Path)
	}
	return newRefusal(session.ErrConflict, "%s ends in an unfinished line left by a crash. End the line first.", s.at.Path)
}

// appendLines appends the lines and verifies them.
func (p *writer) appendLines(ctx context.Context, st *appendOp) (err error) {
	text := joinLines(st.lines)
	p.session.lib.own.Begin(p.session.at.Path, p.session.LastAgentWrite())
	var after *scan.Checkpoint
	defer func() { p.session.lib.own.End(p.session.at.Path, after) }()
	st.start, err = safefile.AppendOnce(p.lock.file, text, st.sizeBefore)
	if err != nil {
		_ = p.refreshLockedFile(ctx) // to show what was written
		return fmt.Errorf("%s: %w", p.session.at.Path, err)
	}
	synced := p.lock.file.Sync()
	if err := p.refreshLockedFile(ctx); err != nil {
		return p.unreadError(err)
	}
	if err := p.verifyAppended(st, text); err != nil {
		return err
	}
	if st.start == st.sizeBefore && p.session.checkpoint.Size == st.start+int64(len(text)) {
		after = &p.session.checkpoint
	}
	if synced != nil {
		return safefile.NewUnconfirmedError(p.session.at.Path, "the change was written", synced)
	}
	return nil
}

// unreadError returns the error for lines that were written but cannot be read back. If
// the file was replaced meanwhile it is unknown whether they are in it.
func (p *writer) unreadError(err error) error {
	if errors.Is(err, errFileReplaced) || errors.Is(p.lock.checkReplaced(p.session.at), errFileReplaced) {
		return newWrittenRefusal("%s: The file was replaced while it was written to.", p.session.at.Path)
	}
	return safefile.NewUnconfirmedError(p.session.at.Path, "the change was written", fmt.Errorf("it cannot be read back: %w", err))
}

// verifyAppended returns an error unless the file and the tree have the lines.
func (p *writer) verifyAppended(st *appendOp, text []byte) error {
	now := make([]byte, len(text))
	err := safefile.ReadFull(p.lock.file, now, st.start)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return p.unreadError(err)
	}
	if err == nil && bytes.Equal(now, text) {
		off := st.start
		for i, l := range st.lines {
			at := p.session.tree.FindID(l.ID)
			if l.ID == "" { // a line without an id is named by its position
				at = p.update.findEntryAtOffset(off)
			}
			if at == session.NoPos || p.session.tree.At(at).Span.Off != off {
				return newWrittenRefusal("%s: the change is lost: another program began a line at the same moment, and the two became one unreadable line. Try again.", p.session.at.Path)
			}
			st.lines[i].ID = p.session.tree.At(at).ID
			off += int64(len(l.Text)) + 1
		}
		return nil
	}
	return newWrittenRefusal("%s: the file was changed while it was written to, and the change is not in it.", p.session.at.Path)
}

// joinLines returns the lines as one text, each with a newline.
func joinLines(lines []session.Line) []byte {
	var text []byte
	for _, l := range lines {
		text = append(append(text, l.Text...), '\n')
	}
	return text
}

// findEntryAtOffset returns the entry of the session's own file whose line starts at
// off, NoPos if there is none.
func (u update) findEntryAtOffset(off int64) session.Pos {
	for p := session.Pos(u.s.tree.Len()) - 1; p >= 0; p-- {
		if span := u.s.tree.At(p).Span; span.File == 0 && span.Off == off {
			return p
		}
	}
	return session.NoPos
}
