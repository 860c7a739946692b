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
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/session/store"
)

// Request describes a share to create.
type Request struct {
	Session *store.Session
	// Options select what is shared. Their kind is ignored; a nil Redactor is replaced by
	// that of the Config.
	Options   export.Options
	Title     string        // "" for the snapshot's name or its first prompt
	Note      string        // a line under the title
	SharedBy  string        // name of the person who shares
	Lifetime  time.Duration // 0 for a share that never expires
	Live      bool          // update the snapshot with the session
	ShowNames bool          // show the session's name and its project's directory
}

// Create creates a share and returns its token, which is not stored. It leaves nothing
// behind if it fails or ctx ends. Errors: session.ErrInvalid, ErrNotFound, those of
// redaction, fs errors.
func (s *Shares) Create(ctx context.Context, q Request) (token string, made Share, err error) {
	m := &shareCreation{Shares: s, request: q}
	if err = m.prepareShare(ctx); err != nil {
		return "", Share{}, err
	}
	if err = m.createDir(); err != nil {
		return "", Share{}, fmt.Errorf("the share cannot be saved: %w", err)
	}
	token, m.record.Token = newShareToken()
	if err = m.writeShare(ctx); err != nil {
		return "", Share{}, errors.Join(fmt.Errorf("the share cannot be created: %w", err), s.lib.Sidecars().Delete(m.record.Format, m.record.Session), os.RemoveAll(s.sharePath(m.record.ID)))
	}
	return token, m.record.Share, nil
}

// shareCreation is a share that is being created.
type shareCreation struct {
	*Shares
	request Request
	record  shareRecord
	job     *export.Job

	titleRedactor export.Redactor // without hiding names
	names         export.Names
}

// prepareShare resolves what is shared. It returns an error if that is impossible.
func (m *shareCreation) prepareShare(ctx context.Context) error {
	now := m.now()
	o := &m.request.Options
	if o.Redactor == nil {
		o.Redactor = m.redactor
	}
	m.record = shareRecord{Part: o.Part, Share: Share{ID: m.unusedID(), SharedBy: m.request.SharedBy, Created: now, Live: m.request.Live, ShowNames: m.request.ShowNames, Classes: o.Classes, Without: o.Omit}}
	if m.request.Lifetime > 0 {
		m.record.Expires = now.Add(m.request.Lifetime)
	}
	if err := m.pinEntry(ctx); err != nil {
		return err
	}
	m.titleRedactor = o.Redactor
	*o = m.record.exportOptions(o.Redactor, m.names)
	if err := checkRedactor(m.record.Classes, m.titleRedactor); err != nil {
		return err
	}
	if m.request.Live { // updates use the redactor of the Config
		if err := checkRedactor(m.record.Classes, m.redactor); err != nil {
			return err
		}
	}
	var err error
	if m.job, err = export.Prepare(ctx, m.request.Session, *o); err != nil {
		return err
	}
	m.record.Format, m.record.Session = m.request.Session.Format().Name, m.job.SessionID()
	m.request.Session.ReadTree(func(t *session.Tree, _ store.Revision) { m.describeSource(t) })
	return nil
}

// pinEntry replaces an implicit leaf by its id, because the leaf may move before the next
// update.
func (m *shareCreation) pinEntry(ctx context.Context) (err error) {
	if _, err := m.request.Session.Refresh(ctx); err != nil {
		return err
	}
	m.request.Session.ReadTree(func(t *session.Tree, _ store.Revision) {
		p := &m.record.Part
		if p.Entry == "" && p.Scope != export.Tree && t.Leaf() != session.NoPos {
			p.Entry = t.At(t.Leaf()).ID
		}
		m.names = export.FindNames(t)
		if m.record.Live && t.Len() > 0 {
			*p, err = p.ExtendToTip(t)
		}
	})
	return err
}

// checkRedactor returns an error if something is to be replaced and there is no redactor.
func checkRedactor(classes map[string]bool, redactor export.Redactor) error {
	if redactor == nil && slices.Contains(slices.Collect(maps.Values(classes)), true) {
		return fmt.Errorf("%w: no redaction is available", session.ErrInvalid)
	}
	return nil
}

// unusedID returns an id that no share has.
func (s *Shares) unusedID() string {
	for {
		id := newShareID()
		if _, err := os.Lstat(s.sharePath(id)); err != nil {
			return id
		}
	}
}

// describeSource records the source of the share for its owner.
func (m *shareCreation) describeSource(t *session.Tree) {
	h, src := t.Header(), m.request.Session
	m.record.SessionEntries = SnapshotSize(t)
	m.record.Source = Source{Key: src.Key(), Path: src.Path(), Session: h.ID, Name: m.redactTitle(h.Name), Project: m.redactTitle(h.Cwd),
		Format: h.Format, Entry: m.record.Part.Entry, To: m.record.Part.To, Scope: m.record.Part.Scope}
	m.record.Note = m.redactTitle(strings.TrimSpace(m.request.Note))
	m.record.Title = m.redactTitle(strings.TrimSpace(m.request.Title))
}

// SnapshotSize returns the number of entries that a snapshot of the whole session has.
// Label lines do not count, because the current labels are stored in the sidecar.
func SnapshotSize(t *session.Tree) (n int) {
	for p := range session.Pos(t.Len()) {
		if t.At(p).Kind != session.KindLabel {
			n++
		}
	}
	return n
}

// redactTitle redacts a text like the snapshot.
func (m *shareCreation) redactTitle(text string) string {
	if m.titleRedactor == nil {
		return text
	}
	text, _ = m.titleRedactor.RedactText(text, m.record.Classes)
	return text
}

// createDir creates the share's directory.
func (m *shareCreation) createDir() error {
	if err := os.MkdirAll(m.dir, 0o700); err != nil {
		return err
	}
	return os.Mkdir(m.sharePath(m.record.ID), 0o700)
}

// writeShare writes the snapshot and then the record, with which the share begins to
// exist.
func (m *shareCreation) writeShare(ctx context.Context) error {
	result, err := m.writeSnapshot(ctx)
	if err != nil {
		return err
	}
	m.record.Entries, m.record.Bytes = m.job.WrittenEntries(), result.Bytes
	m.record.setRedacted(result.Redacted, result.SidecarRedacted)
	if err := m.writeSidecar(ctx, &m.record, m.request.Session, m.job, result.Blobs); err != nil {
		return err
	}
	snapshot, err := m.lib.Open(ctx, m.snapshotPath(&m.record))
	if err != nil {
		return err
	}
	if m.record.Title == "" {
		snapshot.ReadTree(func(t *session.Tree, _ store.Revision) { m.record.Title = snapshotTitle(t, m.record.ShowNames) })
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	k := &cachedShare{}
	if m.record.Live {
		m.record.Copied, k.epoch = m.job.CopiedState(), m.job.Epoch()
	}
	if err := m.saveRecord(k, m.record, true); err != nil {
		return err
	}
	return syncDir(m.dir)
}

// writeSnapshot writes the snapshot's file durably.
func (m *shareCreation) writeSnapshot(ctx context.Context) (r export.Result, err error) {
	m.record.File = filepath.Base(m.job.AgentFileName())
	f, err := os.OpenFile(m.snapshotPath(&m.record), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
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

// titleRunes limits the characters of a prompt in a title.
const titleRunes = 79

// snapshotTitle returns the default title of a snapshot: its name if names are shown, or
// its first prompt.
func snapshotTitle(t *session.Tree, names bool) string {
	h := t.Header()
	if h.Name != "" && names {
		return h.Name
	}
	for p := range session.Pos(t.Len()) {
		if e := t.At(p); e.Kind == session.KindUser && e.Preview != "" {
			return rowtext.Cut(e.Preview, titleRunes)
		}
	}
	return ""
}
