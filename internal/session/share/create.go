package share

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/store"
)

// Request is what somebody wants to share.
type Request struct {
	Session *store.Session
	// Options say what is shared. What it is made as is a session file; Redactor nil
	// is that of the Config.
	Options export.Options
	Title   string        // "" is the snapshot's name or its first prompt
	Note    string        // a line under the title
	By      string        // who shares it
	Keep    time.Duration // 0 = it never expires
	Live    bool          // the snapshot goes on with the session
	Names   bool          // show the session's name and its project's directory
}

// Create makes a share. The token is told here and nowhere else. Nothing is left
// behind when it fails or ctx ends. Errors: session.ErrInvalid, ErrNotFound, those
// of redaction, fs errors.
func (s *Shares) Create(ctx context.Context, q Request) (token string, made Share, err error) {
	m := &making{Shares: s, q: q}
	if err = m.prepare(ctx); err != nil {
		return "", Share{}, err
	}
	if err = m.place(); err != nil {
		return "", Share{}, fmt.Errorf("the share cannot be kept: %w", err)
	}
	token, m.r.Token = newToken()
	if err = m.make(ctx); err != nil {
		return "", Share{}, errors.Join(fmt.Errorf("the share cannot be made: %w", err), s.lib.Unkeep(m.r.Format, m.r.Session), os.RemoveAll(s.path(m.r.ID)))
	}
	return token, m.r.Share, nil
}

// making is a share that is being made.
type making struct {
	*Shares
	q   Request
	r   record
	job *export.Job

	redact export.Redactor // without the hiding of names
	hidden export.Names
}

// prepare finds out what is shared, and why it cannot be.
func (m *making) prepare(ctx context.Context) error {
	now := m.now()
	o := &m.q.Options
	if o.Redactor == nil {
		o.Redactor = m.redactor
	}
	m.r = record{Part: o.Part, Share: Share{ID: m.freeID(), By: m.q.By, Created: now, Live: m.q.Live, Names: m.q.Names, Classes: o.Classes, Without: o.Without}}
	if m.q.Keep > 0 {
		m.r.Expires = now.Add(m.q.Keep)
	}
	if err := m.pin(ctx); err != nil {
		return err
	}
	m.redact = o.Redactor
	*o = m.r.options(o.Redactor, m.hidden)
	if err := blind(m.r.Classes, m.redact); err != nil {
		return err
	}
	if m.q.Live { // what comes later is looked through by ours
		if err := blind(m.r.Classes, m.redactor); err != nil {
			return err
		}
	}
	var err error
	if m.job, err = export.Prepare(ctx, m.q.Session, *o); err != nil {
		return err
	}
	m.r.Format, m.r.Session = m.q.Session.Format().Name, m.job.ID()
	m.q.Session.Read(func(t *session.Tree, _ store.Rev) { m.about(t) })
	return nil
}

// pin names the entry that the part is about: where the leaf is now it may not be
// when the share is made anew.
func (m *making) pin(ctx context.Context) (err error) {
	if _, err := m.q.Session.Refresh(ctx); err != nil {
		return err
	}
	m.q.Session.Read(func(t *session.Tree, _ store.Rev) {
		p := &m.r.Part
		if p.Entry == "" && p.Scope != export.Tree && t.Leaf() != session.NoPos {
			p.Entry = t.At(t.Leaf()).ID
		}
		m.hidden = export.NamesOf(t)
		if m.r.Live && t.Len() > 0 {
			*p, err = p.Onward(t)
		}
	})
	return err
}

// blind is an error where something is to be replaced and nothing can find it.
func blind(classes map[string]bool, redactor export.Redactor) error {
	if redactor == nil && slices.Contains(slices.Collect(maps.Values(classes)), true) {
		return fmt.Errorf("%w: there is nothing here that could find what is to be replaced", session.ErrInvalid)
	}
	return nil
}

// freeID is an id that no share has.
func (s *Shares) freeID() string {
	for {
		id := newID()
		if _, err := os.Lstat(s.path(id)); err != nil {
			return id
		}
	}
}

// about notes what is shared, for whoever shares it.
func (m *making) about(t *session.Tree) {
	h, src := t.Header(), m.q.Session
	m.r.Of = Size(t)
	m.r.Source = Source{Key: src.Key(), Path: src.Path(), Session: h.ID, Name: m.clean(h.Name), Project: m.clean(h.Cwd),
		Format: h.Format, Entry: m.r.Part.Entry, To: m.r.Part.To, Scope: m.r.Part.Scope}
	m.r.Note = m.clean(strings.TrimSpace(m.q.Note))
	m.r.Title = m.clean(strings.TrimSpace(m.q.Title))
}

// Size counts the entries of a session that a snapshot of it has: lines that set
// labels are not, the labels in force are kept beside it.
func Size(t *session.Tree) (n int) {
	for p := range session.Pos(t.Len()) {
		if t.At(p).Kind != session.KindLabel {
			n++
		}
	}
	return n
}

// clean takes a text through what the snapshot goes through.
func (m *making) clean(text string) string {
	if m.redact == nil {
		return text
	}
	text, _ = m.redact.Replace(text, m.r.Classes)
	return text
}

// place makes the share's directory.
func (m *making) place() error {
	if err := os.MkdirAll(m.dir, 0o700); err != nil {
		return err
	}
	return os.Mkdir(m.path(m.r.ID), 0o700)
}

// make writes the snapshot, and the record when all is well: a share is there from
// then on.
func (m *making) make(ctx context.Context) error {
	result, err := m.write(ctx)
	if err != nil {
		return err
	}
	m.r.Entries, m.r.Bytes = m.job.Held(), result.Bytes
	m.r.counted(result.Redacted, result.Beside)
	if err := m.beside(ctx, &m.r, m.q.Session, m.job, result.Blobs); err != nil {
		return err
	}
	snapshot, err := m.lib.Open(ctx, m.snapshot(&m.r))
	if err != nil {
		return err
	}
	if m.r.Title == "" {
		snapshot.Read(func(t *session.Tree, _ store.Rev) { m.r.Title = titleOf(t, m.r.Names) })
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	k := &kept{}
	if m.r.Live {
		m.r.Copied, k.epoch = m.job.Copied(), m.job.Epoch()
	}
	if err := m.save(k, m.r, true); err != nil {
		return err
	}
	return syncDir(m.dir)
}

// write makes the snapshot's file, durably.
func (m *making) write(ctx context.Context) (r export.Result, err error) {
	m.r.File = filepath.Base(m.job.FileName())
	f, err := os.OpenFile(m.snapshot(&m.r), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return r, err
	}
	w := bufio.NewWriterSize(f, 256<<10)
	if r, err = m.job.Write(ctx, w); err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	return r, errors.Join(err, f.Close())
}

// longTitle is how many characters of a prompt make a title.
const longTitle = 80

// titleOf returns what a snapshot is called when nobody says: its name, if names are
// shown, or its first prompt.
func titleOf(t *session.Tree, names bool) string {
	h := t.Header()
	if h.Name != "" && names {
		return h.Name
	}
	for p := range session.Pos(t.Len()) {
		if e := t.At(p); e.Kind == session.KindUser && e.Preview != "" {
			r := []rune(e.Preview)
			if len(r) > longTitle {
				return string(r[:longTitle-1]) + "…"
			}
			return e.Preview
		}
	}
	return ""
}
