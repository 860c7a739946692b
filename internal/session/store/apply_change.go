package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"sessiontree/internal/session"
	"sessiontree/internal/session/ids"
	"sessiontree/internal/session/safefile"
)

// Written is the result of a change.
type Written struct {
	Lines     []session.Line // as they are in the session's file
	File      string         // the file with the change: the session's own or the sidecar
	Leaf      string         // id of the leaf after the change
	Repaired  int            // how many of Lines restore the leaf of an agent that wrote at the same time
	InSidecar bool
}

// IsLive reports whether the session's agent may be running: see session.IsLive.
func (s *Session) IsLive() bool {
	return session.IsLive(s.LastAgentWrite().UnixMilli(), s.lib.now().UnixMilli())
}

// PreviewChange returns the lines that ApplyChange would append now, also if it would
// refuse. Their ids are examples.
func (s *Session) PreviewChange(ctx context.Context, c session.Change) ([]session.Line, error) {
	if err := checkSingleLine(c); err != nil {
		return nil, err
	}
	if _, err := s.Refresh(ctx); err != nil {
		return nil, err
	}
	u := s.beginUpdate()
	defer u.End()
	switch a := u.changeAbility(c); {
	case a.InSidecar && a.IsPossible():
		_, err := u.findLabelTarget(c)
		return nil, err
	case u.isInOtherFile(c) && !a.IsPossible():
		return nil, newRefusal(session.ErrInvalid, "%s", a.Reason)
	}
	f, _, err := s.at.OpenFile()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return u.encodeChange(c, f)
}

// ApplyChange makes a change: it locks the file, refreshes the session, checks the
// precondition, appends once, and refreshes again to verify the lines. A name in the
// title slot is then overwritten. On an error nothing was written unless the error says
// so. Errors: session.ErrReadOnly, ErrConflict, ErrNotFound, ErrInvalid, fs errors.
//
// If a change moves the leaf while another writer appends, ApplyChange returns the
// written lines together with ErrConflict.
func (s *Session) ApplyChange(ctx context.Context, c session.Change, seen Precondition) (Written, error) {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	if why := s.lib.readOnlyReason(); why != "" && s.lib.hub == nil { // its labels change, see Capabilities
		return Written{}, newRefusal(session.ErrReadOnly, "%s", why)
	}
	if err := checkSingleLine(c); err != nil {
		return Written{}, err
	}
	if _, err := s.Refresh(ctx); err != nil {
		return Written{}, err
	}
	if err := s.FileError(); err != nil {
		return Written{}, err
	}
	u := s.beginUpdate()
	ability, err := u.checkAbility(c)
	u.End()
	if err != nil {
		return Written{}, err
	}
	if ability.InSidecar {
		return s.applyInSidecar(ctx, c, seen)
	}
	for try := 1; ; try++ {
		w, err := s.tryApplyChange(ctx, c, seen)
		if (err == nil || errors.Is(err, safefile.ErrUnconfirmed)) && c.Op == session.OpName {
			err = errors.Join(err, s.clearSidecarName(context.WithoutCancel(ctx)))
		}
		if !errors.Is(err, errFileReplaced) || try == maxTries {
			return w, err
		}
	}
}

// checkSingleLine rejects labels and names with line breaks or control characters:
// lists and terminals show them as they are.
func checkSingleLine(c session.Change) error {
	what, text := "label", c.Label
	switch c.Op {
	case session.OpLabel:
		text = c.Text
	case session.OpName:
		what, text = "name", c.Text
	}
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp) }) {
		return newRefusal(session.ErrInvalid, "A %s is one line of text, without control characters.", what)
	}
	return nil
}

// CheckChange returns the error with which ApplyChange would refuse a change now, so
// that callers can check before they ask for input.
func (s *Session) CheckChange(c session.Change) error {
	u := s.beginUpdate()
	defer u.End()
	_, err := u.checkAbility(c)
	return err
}

// checkAbility returns the ability for a change, or the error that refuses it.
func (u update) checkAbility(c session.Change) (session.Ability, error) {
	a := u.changeAbility(c)
	if a.IsPossible() {
		return a, nil
	}
	kind := session.ErrConflict
	info, err := u.s.at.StatFile()
	switch {
	case err != nil:
		return a, err
	case u.s.appendRefusedReason(info) != "":
		kind = session.ErrReadOnly
	}
	return a, newRefusal(kind, "%s", a.Reason)
}

// changeAbility returns how a change can be made. An entry of another file can only be
// labeled, in the sidecar.
func (u update) changeAbility(c session.Change) session.Ability {
	can := u.s.capabilitiesFor(u.s.tree.Header())
	a := abilityFor(&can, c.Op)
	switch {
	case !a.IsPossible() || a.InSidecar || !u.isInOtherFile(c):
		return a
	case c.Op == session.OpLabel && u.s.lib.sidecars != nil:
		return session.Ability{InSidecar: true}
	}
	return session.Ability{Reason: "This entry is in a sub-agent's file. The session cannot continue there, and a sub-agent's file is never written to."}
}

// isInOtherFile reports whether a change is about an entry of a file other than the
// session's own.
func (u update) isInOtherFile(c session.Change) bool {
	return slices.ContainsFunc(append(slices.Clip(c.CopyIDs), c.Entry), func(id string) bool {
		p := u.s.tree.FindID(id)
		return p != session.NoPos && u.s.tree.At(p).Span.File != 0
	})
}

// tryApplyChange makes a change in the file that is at the path now.
func (s *Session) tryApplyChange(ctx context.Context, c session.Change, seen Precondition) (w Written, err error) {
	h, err := acquireWriteLock(ctx, s)
	if err != nil {
		return w, err
	}
	p := &writer{session: s, lock: h}
	defer func() {
		h.releaseWriteLock()
		for _, c := range p.changes {
			s.notifyChange(c)
		}
	}()
	p.update = s.beginUpdate()
	defer p.update.End()
	return p.writeChange(ctx, c, seen)
}

// encodeChange returns the lines of a change.
func (u update) encodeChange(c session.Change, f io.ReaderAt) ([]session.Line, error) {
	format := u.s.Format()
	if format.Write == nil || format.Write.EncodeChange == nil {
		return nil, newRefusal(session.ErrInvalid, "Sessions of %s cannot be changed.", format.Title)
	}
	lines, err := format.Write.EncodeChange(u.s.tree, c, u.lineReader(f), ids.NewRandomSource(u.s.lib.now()))
	if err != nil {
		return nil, err
	}
	for _, l := range lines {
		if bytes.IndexByte(l.Text, '\n') >= 0 || len(l.Text) == 0 || l.ReplacesSlot && len(l.Text)+1 != u.s.Format().TitleSlotSize {
			return nil, fmt.Errorf("%w: a change produced an invalid line", session.ErrInvalid)
		}
	}
	return lines, nil
}

// lineReader returns a function that reads recorded lines, those of the main file from
// f unless it is nil. The function is used during the update.
func (u update) lineReader(f io.ReaderAt) session.LineReader {
	return func(p session.Pos) ([]byte, error) {
		spots, _, err := u.s.locateLines([]session.Pos{p})
		if err != nil {
			return nil, err
		}
		from := f
		if file := spots[0].Span.File; file != 0 || f == nil {
			own, _, err := u.s.filePlace(file).OpenFile()
			if err != nil {
				return nil, err
			}
			defer own.Close()
			from = own
		}
		line, err := spots[0].ReadLine(from)
		if errors.Is(err, session.ErrStale) {
			u.s.needsReload = true
			return nil, newRefusal(session.ErrConflict, "%s was changed while it was read. Try again.", u.s.at.Path)
		}
		return line, err
	}
}
