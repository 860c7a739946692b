package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"sessiontree/internal/session"
)

// restless is how often a file that grows meanwhile is looked at again.
const restless = 20

// pen writes one change to a file that is held. It has the session's turn.
type pen struct {
	s       *Session
	hold    *hold
	changes []Change // found on the way, to be told afterwards
}

// stroke is one append: its lines, and how the file was before.
type stroke struct {
	lines  []session.Line
	head   *session.Line // takes the place of the first line; nil: that stays
	before int64
	start  int64 // of the lines; beyond before when another writer came first
}

// apply makes the change, and gives the leaf back when another writer came
// between.
func (p *pen) apply(ctx context.Context, c session.Change, seen Seen) (w Written, err error) {
	w.File = p.s.at.path
	st, err := p.append(ctx, c, func() error { return p.s.check(c, seen) })
	if err != nil {
		return Written{}, err
	}
	w.Lines = st.lines
	if theirs := p.between(st); theirs != "" {
		err = p.repair(context.WithoutCancel(ctx), c, theirs, &w)
	}
	if err == nil && st.head != nil {
		if err = p.overwriteHead(context.WithoutCancel(ctx), st.head); err == nil {
			w.Lines = append(w.Lines, *st.head)
		}
	}
	w.Leaf = p.s.leafID()
	return w, err
}

// append encodes the change for the state that the file is in and appends it.
func (p *pen) append(ctx context.Context, c session.Change, check func() error) (st stroke, err error) {
	for try := 1; ; try++ {
		if st.before, err = p.settle(ctx); err != nil {
			return st, err
		}
		if err := check(); err != nil {
			return st, err
		}
		if err := p.encode(c, &st); err != nil || len(st.lines) == 0 {
			return st, err
		}
		p.s.lib.pause("encoded")
		size, err := p.hold.size()
		if err != nil {
			return st, err
		}
		if size == st.before && (st.head == nil || p.checkHead() == nil) {
			break
		}
		if try == restless {
			return st, refuse(session.ErrConflict, "The agent is writing to this session all the time. Try again.")
		}
	}
	if err := ctx.Err(); err != nil {
		return st, err
	}
	p.s.lib.pause("checked")
	return st, p.write(context.WithoutCancel(ctx), &st)
}

// encode makes the lines of a change, and the one that takes the place of the first.
func (p *pen) encode(c session.Change, st *stroke) error {
	lines, err := p.s.encode(c, p.hold.file)
	if err != nil {
		return err
	}
	st.lines, st.head = nil, nil
	for i := range lines {
		if lines[i].Head {
			st.head = &lines[i]
		} else {
			st.lines = append(st.lines, lines[i])
		}
	}
	return nil
}

// settle takes in the file as it is now, all of it, and answers its size. The
// file must end with a line's end.
func (p *pen) settle(ctx context.Context) (int64, error) {
	for try := 1; ; try++ {
		if err := p.refresh(ctx); err != nil {
			return 0, err
		}
		size, err := p.hold.size()
		if err != nil {
			return 0, err
		}
		switch {
		case p.s.mark.Size != size:
			if try == restless {
				return 0, refuse(session.ErrConflict, "The agent is writing to this session. Try again.")
			}
			continue
		case p.s.mark.Off > size:
			return 0, errMoved
		}
		whole, err := ended(p.hold.file, size)
		if err != nil {
			return 0, p.s.at.failed(err)
		}
		if !whole || p.s.mark.Off < size {
			return 0, p.s.unfinished(p.hold.file)
		}
		return size, nil
	}
}

// refresh takes in what is new, and makes sure that it was read from the file
// that is held.
func (p *pen) refresh(ctx context.Context) error {
	c, err := p.s.refresh(ctx, "")
	if c.Kind != Unchanged {
		p.changes = append(p.changes, c)
	}
	if err != nil {
		return err
	}
	if err := p.s.Gone(); err != nil {
		return err
	}
	if p.s.mark.info != nil && !os.SameFile(p.s.mark.info, p.hold.info) {
		return errMoved
	}
	return nil
}

// unfinished tells why nothing is written after a line without its end.
func (s *Session) unfinished(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if s.lib.now().Sub(info.ModTime()) < crashed {
		return refuse(session.ErrConflict, "The agent is writing: the last line of %s is not finished yet.", s.at.path)
	}
	return refuse(session.ErrConflict, "%s ends in an unfinished line left by a crash. End the line first.", s.at.path)
}

// crashed is how long an unfinished line must stand still to be one that nobody
// will finish.
const crashed = 10 * time.Second

// write appends the lines and reads them back.
func (p *pen) write(ctx context.Context, st *stroke) (err error) {
	text, theirs := join(st.lines), p.s.AgentWrote()
	st.start, err = appendOnce(p.hold.file, text, st.before)
	if err != nil {
		_ = p.refresh(ctx) // what there is of it must be seen
		return fmt.Errorf("%s: %w", p.s.at.path, err)
	}
	synced := p.hold.file.Sync()
	if err := p.refresh(ctx); err != nil {
		return fmt.Errorf("%s: the change was written, but cannot be read back: %w", p.s.at.path, lost(err))
	}
	if err := p.readBack(st, text); err != nil {
		return err
	}
	if st.start == st.before && p.s.mark.Size == st.start+int64(len(text)) {
		p.s.know(func(k *known) { k.theirs = theirs })
	}
	if synced != nil {
		return unconfirmed(p.s.at.path, "the change was written", synced)
	}
	return nil
}

// lost words that the file was replaced under our line: trying again would be
// right only if nothing of it was kept.
func lost(err error) error {
	if errors.Is(err, errMoved) {
		return tooLate("The file was replaced while it was written to.")
	}
	return err
}

// readBack makes sure that the file and the tree hold the lines.
func (p *pen) readBack(st *stroke, text []byte) error {
	now := make([]byte, len(text))
	err := readFull(p.hold.file, now, st.start)
	if err == nil && bytes.Equal(now, text) {
		off := st.start
		for i, l := range st.lines {
			at := p.s.tree.Find(l.ID)
			if l.ID == "" { // a line that says none is called by its place
				at = p.s.recordedAt(off)
			}
			if at == session.NoPos || p.s.tree.At(at).Span.Off != off {
				return tooLate("%s: the change is lost: another writer had begun a line in the same moment, and the two became one that cannot be read. Try again.", p.s.at.path)
			}
			st.lines[i].ID = p.s.tree.At(at).ID
			off += int64(len(l.Text)) + 1
		}
		return nil
	}
	return tooLate("%s: the file was changed while it was written to, and the change is not in it.", p.s.at.path)
}
