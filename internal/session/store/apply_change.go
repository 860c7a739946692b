package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/google/uuid"

	"sessiontree/internal/session"
)

// Precondition is what somebody who asks for a change looked at. What is not set is not
// checked.
type Precondition struct {
	Leaf     string // where the agent stood, for what moves the leaf or copies onto it
	HasLeaf  bool
	Label    string // of the entry to be labeled
	HasLabel bool
	// Rev, without HasLeaf: what moves the leaf or copies onto it is wanted of this
	// very state.
	Rev Revision
}

// Written is what a change became.
type Written struct {
	Lines     []session.Line // as they stand in the session's file
	File      string         // that holds the change: the session's own or, aside, the explorer's
	Leaf      string         // id of the leaf afterwards
	Repaired  int            // of Lines, how many give the leaf back to an agent that wrote at the same time
	InSidecar bool
}

// IsLive reports whether the session's agent may be running.
func (s *Session) IsLive() bool {
	return session.IsLive(s.LastAgentWrite().UnixMilli(), s.lib.now().UnixMilli())
}

// PreviewChange answers the lines that Apply would append now, also where it would be
// refused. Their ids are examples.
func (s *Session) PreviewChange(ctx context.Context, c session.Change) ([]session.Line, error) {
	if err := checkSingleLine(c); err != nil {
		return nil, err
	}
	if _, err := s.Refresh(ctx); err != nil {
		return nil, err
	}
	s.updateMu.Lock()
	defer s.updateMu.Unlock()
	switch a := s.changeAbility(c); {
	case a.InSidecar && a.IsPossible():
		_, err := s.findLabelTarget(c)
		return nil, err
	case s.isInOtherFile(c) && !a.IsPossible():
		return nil, newRefusal(session.ErrInvalid, "%s", a.Reason)
	}
	f, _, err := s.at.openFile()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return s.encodeChange(c, f)
}

// ApplyChange makes a change: lock, refresh, check, one append, and a refresh that
// reads it back. A name that stands in a slot at the start of the file is then
// overwritten there. When it fails nothing was written, unless the error says so.
// Errors: session.ErrReadOnly, ErrConflict, ErrNotFound, ErrInvalid, fs errors.
//
// A change that means to move the leaf and meets another writer in the very
// moment of writing is answered with what was written and ErrConflict.
func (s *Session) ApplyChange(ctx context.Context, c session.Change, seen Precondition) (Written, error) {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	if why := s.lib.readOnlyReason(); why != "" {
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
	s.updateMu.Lock()
	ability, err := s.checkAbility(c)
	s.updateMu.Unlock()
	if err != nil {
		return Written{}, err
	}
	if ability.InSidecar {
		return s.applyInSidecar(ctx, c, seen)
	}
	for try := 1; ; try++ {
		w, err := s.tryApplyChange(ctx, c, seen)
		if (err == nil || errors.Is(err, ErrUnconfirmed)) && c.Op == session.OpName {
			err = errors.Join(err, s.clearSidecarName(context.WithoutCancel(ctx)))
		}
		if !errors.Is(err, errFileReplaced) || try == maxTries {
			return w, err
		}
	}
}

// checkSingleLine refuses labels and names that are no single line of text: lists and
// terminals show them as they are.
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

// CheckChange reports why Apply would refuse a change as things are, so that nobody is
// asked about what cannot be done.
func (s *Session) CheckChange(c session.Change) error {
	s.updateMu.Lock()
	defer s.updateMu.Unlock()
	_, err := s.checkAbility(c)
	return err
}

// checkAbility answers the ability for a change, or why it is refused.
func (s *Session) checkAbility(c session.Change) (session.Ability, error) {
	a := s.changeAbility(c)
	if a.IsPossible() {
		return a, nil
	}
	kind := session.ErrConflict
	info, err := s.at.statFile()
	switch {
	case err != nil:
		return a, err
	case s.appendRefusedReason(info) != "":
		kind = session.ErrReadOnly
	}
	return a, newRefusal(kind, "%s", a.Reason)
}

// changeAbility is how a change can be made: what the session's file can hold, but of an entry
// of another file. The caller has the turn.
func (s *Session) changeAbility(c session.Change) session.Ability {
	can := s.capabilitiesFor(s.tree.Header())
	a := abilityFor(&can, c.Op)
	switch {
	case !a.IsPossible() || a.InSidecar || !s.isInOtherFile(c):
		return a
	case c.Op == session.OpLabel && s.lib.sidecars != nil:
		return session.Ability{InSidecar: true}
	}
	return session.Ability{Reason: "This entry is in the file of a sub-agent. The file of the session cannot continue there, and nothing is written to the other one."}
}

// isInOtherFile reports whether a change is about an entry that another file than the
// session's own holds. The caller has the turn.
func (s *Session) isInOtherFile(c session.Change) bool {
	return slices.ContainsFunc(append(slices.Clip(c.CopyIDs), c.Entry), func(id string) bool {
		p := s.tree.FindID(id)
		return p != session.NoPos && s.tree.At(p).Span.File != 0
	})
}

// tryApplyChange makes a change in the file that stands at the path now.
func (s *Session) tryApplyChange(ctx context.Context, c session.Change, seen Precondition) (w Written, err error) {
	h, err := s.acquireWriteLock(ctx)
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
	s.updateMu.Lock()
	defer s.updateMu.Unlock()
	return p.writeChange(ctx, c, seen)
}

// encodeChange makes the lines of a change. The caller has the turn.
func (s *Session) encodeChange(c session.Change, f *os.File) ([]session.Line, error) {
	if s.Format().EncodeChange == nil {
		return nil, newRefusal(session.ErrInvalid, "Sessions of %s cannot be changed.", s.Format().Title)
	}
	lines, err := s.Format().EncodeChange(s.tree, c, s.lineReader(f), s.lib.newIDSource())
	if err != nil {
		return nil, err
	}
	for _, l := range lines {
		if bytes.IndexByte(l.Text, '\n') >= 0 || len(l.Text) == 0 || l.ReplacesSlot && len(l.Text)+1 != s.Format().TitleSlotSize {
			return nil, fmt.Errorf("%w: a change made a line that is none", session.ErrInvalid)
		}
	}
	return lines, nil
}

// lineReader reads recorded lines from the open file, and those of other files from there.
// The caller has the turn as long as it is used.
func (s *Session) lineReader(f *os.File) session.LineReader {
	return func(p session.Pos) ([]byte, error) {
		spots, _, err := s.locateLines([]session.Pos{p})
		if err != nil {
			return nil, err
		}
		from := f
		if file := spots[0].span.File; file != 0 {
			if from, _, err = s.filePlace(file).openFile(); err != nil {
				return nil, err
			}
			defer from.Close()
		}
		line, err := spots[0].readLocatedLine(from)
		if errors.Is(err, session.ErrStale) {
			s.needsReload = true
			return nil, newRefusal(session.ErrConflict, "%s was changed while it was read. Try again.", s.at.path)
		}
		return line, err
	}
}

// newIDSource hands out ids and the time.
func (l *Library) newIDSource() session.IDSource {
	return session.IDSource{Now: l.now().UnixMilli(), EntryID: randomEntryID, SessionID: func() string { return uuid.Must(uuid.NewV7()).String() },
		OrderedSessionID: newOrderedID}
}

// newOrderedID makes a UUIDv6. Its time is put in here: uuid.NewV6 of version 1.6.0 puts
// it four bits too low, so that such names sort before all others.
func newOrderedID() string {
	id := uuid.New() // random where there is no time
	now, seq, err := uuid.GetTime()
	if err != nil {
		return uuid.Must(uuid.NewV7()).String() // sorts by time too
	}
	return formatUUIDv6(id, now, seq)
}

func formatUUIDv6(id uuid.UUID, now uuid.Time, seq uint16) string {
	binary.BigEndian.PutUint32(id[0:], uint32(now>>28))
	binary.BigEndian.PutUint16(id[4:], uint16(now>>12))
	binary.BigEndian.PutUint16(id[6:], 0x6000|uint16(now&0xfff))
	binary.BigEndian.PutUint16(id[8:], 0x8000|seq&0x3fff)
	return id.String()
}

func randomEntryID() string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// checkPrecondition compares what was looked at with what is there. The caller has the turn.
func (s *Session) checkPrecondition(c session.Change, seen Precondition) error {
	switch c.Op {
	case session.OpLabel:
		return s.checkExpectedLabel(c, seen)
	case session.OpRepair: // it must not take the leaf away from an agent that goes on
		if p := s.tree.NewerActivity(); p == session.NoPos || s.tree.At(p).ID != c.Entry {
			return newRefusal(session.ErrConflict, "The session has gone on since you looked: entry %s is not its newest activity on another branch.", c.Entry)
		}
	case session.OpBranch, session.OpSwitch, session.OpCopy:
		leaf := s.leafID()
		switch {
		case seen.HasLeaf && leaf != seen.Leaf:
			return newRefusal(session.ErrConflict, "The session has gone on since you looked: it now ends at entry %s.", orDefault(leaf, "none"))
		case !seen.HasLeaf && seen.Rev != (Revision{}) && seen.Rev != s.currentRevision():
			return newRefusal(session.ErrConflict, "The session has changed since you looked.")
		}
	}
	return nil
}

func (s *Session) checkExpectedLabel(c session.Change, seen Precondition) error {
	if !seen.HasLabel {
		return nil
	}
	p := s.tree.FindID(c.Entry)
	if p == session.NoPos {
		return nil // the encoder says so
	}
	l, ok := s.tree.Label(p)
	switch {
	case l.Text == seen.Label || !ok && seen.Label == "":
		return nil
	case !ok:
		return newRefusal(session.ErrConflict, "The label was removed since you looked.")
	}
	return newRefusal(session.ErrConflict, "The label has become %q since you looked.", l.Text)
}

// keepsLeaf reports whether a change leaves the agent where it stands.
func keepsLeaf(op session.Op) bool {
	return slices.Contains([]session.Op{session.OpLabel, session.OpName, session.OpRepair}, op)
}

// leafID is the id of the leaf, "" when there is none. The caller has the turn.
func (s *Session) leafID() string {
	if p := s.tree.Leaf(); p != session.NoPos {
		return s.tree.At(p).ID
	}
	return ""
}

func orDefault(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
