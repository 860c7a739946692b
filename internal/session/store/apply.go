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
	"time"
	"unicode"

	"github.com/google/uuid"

	"sessiontree/internal/session"
)

// Seen is what somebody who asks for a change looked at. What is not set is not
// checked.
type Seen struct {
	Leaf     string // where the agent stood, for what moves the leaf or copies onto it
	HasLeaf  bool
	Label    string // of the entry to be labeled
	HasLabel bool
	// Rev, without HasLeaf: what moves the leaf or copies onto it is wanted of this
	// very state.
	Rev Rev
}

// Written is what a change became.
type Written struct {
	Lines    []session.Line // as they stand in the session's file
	File     string         // that holds the change: the session's own or, aside, the explorer's
	Leaf     string         // id of the leaf afterwards
	Repaired int            // of Lines, how many give the leaf back to an agent that wrote at the same time
	Aside    bool
}

// grain is how recently a file must have grown for its agent to be taken as
// running.
const grain = time.Minute

// Live reports whether the session's file grew within the last minute, and not by
// a change made here alone, so that its agent may be running.
func (s *Session) Live() bool {
	return s.lib.now().Sub(time.UnixMilli(s.AgentWrote())) < grain
}

// Preview answers the lines that Apply would append now, also where it would be
// refused. Their ids are examples.
func (s *Session) Preview(ctx context.Context, c session.Change) ([]session.Line, error) {
	if err := checkTexts(c); err != nil {
		return nil, err
	}
	if _, err := s.Refresh(ctx); err != nil {
		return nil, err
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	switch a := s.ability(c); {
	case a.Aside && a.Can():
		_, err := s.target(c)
		return nil, err
	case s.ofOthers(c) && !a.Can():
		return nil, refuse(session.ErrInvalid, "%s", a.Reason)
	}
	f, _, err := s.at.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return s.encode(c, f)
}

// Apply makes a change: lock, refresh, check, one append, and a refresh that
// reads it back. A name that stands in a slot at the start of the file is then
// overwritten there. When it fails nothing was written, unless the error says so.
// Errors: session.ErrReadOnly, ErrConflict, ErrNotFound, ErrInvalid, fs errors.
//
// A change that means to move the leaf and meets another writer in the very
// moment of writing is answered with what was written and ErrConflict.
func (s *Session) Apply(ctx context.Context, c session.Change, seen Seen) (Written, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	if why := s.lib.forbidden(); why != "" {
		return Written{}, refuse(session.ErrReadOnly, "%s", why)
	}
	if err := checkTexts(c); err != nil {
		return Written{}, err
	}
	if _, err := s.Refresh(ctx); err != nil {
		return Written{}, err
	}
	if err := s.Gone(); err != nil {
		return Written{}, err
	}
	s.turn.Lock()
	ability, err := s.able(c)
	s.turn.Unlock()
	if err != nil {
		return Written{}, err
	}
	if ability.Aside {
		return s.setAside(ctx, c, seen)
	}
	for try := 1; ; try++ {
		w, err := s.applyOnce(ctx, c, seen)
		if (err == nil || errors.Is(err, ErrUnconfirmed)) && c.Op == session.OpName {
			err = errors.Join(err, s.forgetAsideName(context.WithoutCancel(ctx)))
		}
		if !errors.Is(err, errMoved) || try == tries {
			return w, err
		}
	}
}

// checkTexts refuses labels and names that are no single line of text: lists and
// terminals show them as they are.
func checkTexts(c session.Change) error {
	what, text := "label", c.Label
	switch c.Op {
	case session.OpLabel:
		text = c.Text
	case session.OpName:
		what, text = "name", c.Text
	}
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp) }) {
		return refuse(session.ErrInvalid, "A %s is one line of text, without control characters.", what)
	}
	return nil
}

// Able reports why Apply would refuse a change as things are, so that nobody is
// asked about what cannot be done.
func (s *Session) Able(c session.Change) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	_, err := s.able(c)
	return err
}

// able answers the ability for a change, or why it is refused.
func (s *Session) able(c session.Change) (session.Ability, error) {
	a := s.ability(c)
	if a.Can() {
		return a, nil
	}
	kind := session.ErrConflict
	info, err := s.at.stat()
	switch {
	case err != nil:
		return a, err
	case s.sealed(info) != "":
		kind = session.ErrReadOnly
	}
	return a, refuse(kind, "%s", a.Reason)
}

// ability is how a change can be made: what the session's file can hold, but of an entry
// of another file. The caller has the turn.
func (s *Session) ability(c session.Change) session.Ability {
	can := s.abilities(s.tree.Header())
	a := of(&can, c.Op)
	switch {
	case !a.Can() || a.Aside || !s.ofOthers(c):
		return a
	case c.Op == session.OpLabel && s.lib.asides != nil:
		return session.Ability{Aside: true}
	}
	return session.Ability{Reason: "This entry is in the file of a sub-agent. The file of the session cannot continue there, and nothing is written to the other one."}
}

// ofOthers reports whether a change is about an entry that another file than the
// session's own holds. The caller has the turn.
func (s *Session) ofOthers(c session.Change) bool {
	return slices.ContainsFunc(append(slices.Clip(c.Copies), c.Entry), func(id string) bool {
		p := s.tree.Find(id)
		return p != session.NoPos && s.tree.At(p).Span.File != 0
	})
}

// applyOnce makes a change in the file that stands at the path now.
func (s *Session) applyOnce(ctx context.Context, c session.Change, seen Seen) (w Written, err error) {
	h, err := s.hold(ctx)
	if err != nil {
		return w, err
	}
	p := &pen{s: s, hold: h}
	defer func() {
		h.release()
		for _, c := range p.changes {
			s.tell(c)
		}
	}()
	s.turn.Lock()
	defer s.turn.Unlock()
	return p.apply(ctx, c, seen)
}

// encode makes the lines of a change. The caller has the turn.
func (s *Session) encode(c session.Change, f *os.File) ([]session.Line, error) {
	if s.Format().Encode == nil {
		return nil, refuse(session.ErrInvalid, "Sessions of %s cannot be changed.", s.Format().Title)
	}
	lines, err := s.Format().Encode(s.tree, c, s.source(f), s.lib.mint())
	if err != nil {
		return nil, err
	}
	for _, l := range lines {
		if bytes.IndexByte(l.Text, '\n') >= 0 || len(l.Text) == 0 || l.Head && len(l.Text)+1 != s.Format().HeadBytes {
			return nil, fmt.Errorf("%w: a change made a line that is none", session.ErrInvalid)
		}
	}
	return lines, nil
}

// source reads recorded lines from the open file, and those of other files from there.
// The caller has the turn as long as it is used.
func (s *Session) source(f *os.File) session.Source {
	return func(p session.Pos) ([]byte, error) {
		spots, _, err := s.spots([]session.Pos{p})
		if err != nil {
			return nil, err
		}
		from := f
		if file := spots[0].span.File; file != 0 {
			if from, _, err = s.placeOf(file).open(); err != nil {
				return nil, err
			}
			defer from.Close()
		}
		line, err := spots[0].read(from)
		if errors.Is(err, session.ErrStale) {
			s.distrust = true
			return nil, refuse(session.ErrConflict, "%s was changed while it was read. Try again.", s.at.path)
		}
		return line, err
	}
}

// mint hands out ids and the time.
func (l *Library) mint() session.Mint {
	return session.Mint{Now: l.now().UnixMilli(), ID: newID, Session: func() string { return uuid.Must(uuid.NewV7()).String() },
		Ordered: orderedID}
}

// orderedID makes a UUIDv6. Its time is put in here: uuid.NewV6 of version 1.6.0 puts
// it four bits too low, so that such names sort before all others.
func orderedID() string {
	id := uuid.New() // random where there is no time
	now, seq, err := uuid.GetTime()
	if err != nil {
		return uuid.Must(uuid.NewV7()).String() // sorts by time too
	}
	return uuidV6(id, now, seq)
}

func uuidV6(id uuid.UUID, now uuid.Time, seq uint16) string {
	binary.BigEndian.PutUint32(id[0:], uint32(now>>28))
	binary.BigEndian.PutUint16(id[4:], uint16(now>>12))
	binary.BigEndian.PutUint16(id[6:], 0x6000|uint16(now&0xfff))
	binary.BigEndian.PutUint16(id[8:], 0x8000|seq&0x3fff)
	return id.String()
}

func newID() string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// check compares what was looked at with what is there. The caller has the turn.
func (s *Session) check(c session.Change, seen Seen) error {
	switch c.Op {
	case session.OpLabel:
		return s.checkLabel(c, seen)
	case session.OpRepair: // it must not take the leaf away from an agent that goes on
		if p := s.tree.Elsewhere(); p == session.NoPos || s.tree.At(p).ID != c.Entry {
			return refuse(session.ErrConflict, "The session has gone on since you looked: entry %s is not its newest activity on another branch.", c.Entry)
		}
	case session.OpBranch, session.OpSwitch, session.OpCopy:
		leaf := s.leafID()
		switch {
		case seen.HasLeaf && leaf != seen.Leaf:
			return refuse(session.ErrConflict, "The session has gone on since you looked: it now ends at entry %s.", or(leaf, "none"))
		case !seen.HasLeaf && seen.Rev != (Rev{}) && seen.Rev != s.revision():
			return refuse(session.ErrConflict, "The session has changed since you looked.")
		}
	}
	return nil
}

func (s *Session) checkLabel(c session.Change, seen Seen) error {
	if !seen.HasLabel {
		return nil
	}
	p := s.tree.Find(c.Entry)
	if p == session.NoPos {
		return nil // the encoder says so
	}
	l, ok := s.tree.Label(p)
	switch {
	case l.Text == seen.Label || !ok && seen.Label == "":
		return nil
	case !ok:
		return refuse(session.ErrConflict, "The label was removed since you looked.")
	}
	return refuse(session.ErrConflict, "The label has become %q since you looked.", l.Text)
}

// neutral reports whether a change leaves the agent where it stands.
func neutral(op session.Op) bool {
	return slices.Contains([]session.Op{session.OpLabel, session.OpName, session.OpRepair}, op)
}

// leafID is the id of the leaf, "" when there is none. The caller has the turn.
func (s *Session) leafID() string {
	if p := s.tree.Leaf(); p != session.NoPos {
		return s.tree.At(p).ID
	}
	return ""
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
