package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/sidecar"
)

// Migrated is the result of a migration.
type Migrated struct {
	File                   string
	Backup                 string // the original file; "" if it was current already
	FromVersion, ToVersion int    // versions
	// Unmatched are labels of the sidecar whose entries were not found. They remain in
	// the sidecar.
	Unmatched []string
}

// Migrate rewrites a file in the current version of its format and keeps the original
// next to it. Labels of the sidecar become lines of the file. A current file is left
// alone. Migrate refuses while the agent may be running. With ErrUnconfirmed the file
// was migrated.
func (s *Session) Migrate(ctx context.Context) (Migrated, error) {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	if _, err := s.Refresh(ctx); err != nil {
		return Migrated{}, err
	}
	if err := s.FileError(); err != nil {
		return Migrated{}, err
	}
	u := s.beginUpdate()
	m, old, err := u.checkMigratable()
	u.End()
	if err != nil || !old {
		return m, err
	}
	h, err := acquireWriteLock(ctx, s)
	if err != nil {
		return m, err
	}
	p := &writer{session: s, lock: h}
	p.update = s.beginUpdate()
	lost, err := p.writeMigratedFile(ctx, &m)
	p.update.End()
	h.releaseWriteLock()
	if err != nil && !errors.Is(err, safefile.ErrUnconfirmed) {
		return Migrated{}, err
	}
	return m, errors.Join(err, s.finishMigration(context.WithoutCancel(ctx), &m, lost))
}

// checkMigratable reports whether the file has an old version, and returns an error if
// it cannot be migrated.
func (u update) checkMigratable() (m Migrated, old bool, err error) {
	header := u.s.tree.Header()
	m = Migrated{File: u.s.at.Path, FromVersion: header.Version, ToVersion: header.Version}
	if why := u.s.lib.readOnlyReason(); why != "" {
		return m, false, newRefusal(session.ErrReadOnly, "%s", why)
	}
	if !header.Migrated && !header.IsNewerVersion {
		return m, false, nil
	}
	can := u.s.capabilitiesFor(header)
	info, err := u.s.at.StatFile()
	switch {
	case err != nil:
		return m, false, err
	case u.s.at.IsSymlink():
		return m, false, newRefusal(session.ErrInvalid, "%s is a link. Migrate the file it points to.", u.s.at.Path)
	case u.s.appendRefusedReason(info) != "":
		return m, false, newRefusal(session.ErrReadOnly, "%s", u.s.appendRefusedReason(info))
	case !can.Migrate.IsPossible():
		return m, false, newRefusal(session.ErrConflict, "%s", can.Migrate.Reason)
	case u.s.Format().Write == nil || u.s.Format().Write.NewMigrator == nil:
		return m, false, newRefusal(session.ErrInvalid, "Sessions of %s cannot be migrated.", u.s.Format().Title)
	}
	return m, true, nil
}

// writeMigratedFile writes the new file and replaces the old one. It returns the labels
// of the sidecar whose entries were not found.
func (p *writer) writeMigratedFile(ctx context.Context, m *Migrated) (lost []sidecar.Record, err error) {
	s := p.session
	size, err := p.refreshToEOF(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.checkAgentIdle(); err != nil {
		return nil, err
	}
	labels, lost, err := p.update.labelsByOffset()
	if err != nil {
		return nil, err
	}
	at := s.at
	var want int
	temp, err := safefile.WriteTempFile(at.Path, p.lock.dir, at.Rel, p.lock.info.Mode().Perm(), true, func(w *bufio.Writer) error {
		want, err = p.update.writeMigratedLines(ctx, w, io.NewSectionReader(p.lock.file, 0, size), labels)
		return err
	})
	if err != nil {
		return nil, refusalOf(err)
	}
	if err = p.verifyMigratedFile(ctx, temp, want, m); err == nil {
		m.Backup, err = p.swapInMigrated(temp, size)
	}
	if err != nil {
		return nil, errors.Join(err, safefile.IgnoreError(p.lock.dir.Remove(temp), fs.ErrNotExist))
	}
	s.needsReload = true
	if err := s.lib.disk.SyncNames(p.lock.dir, filepath.Dir(at.Rel)); err != nil {
		return lost, safefile.NewUnconfirmedError(at.Path, "the file was migrated", err)
	}
	return lost, nil
}

// checkAgentIdle returns an error if the agent may be running: the file is open in it,
// or grew within the last minute. A file that was created and written at once, such as
// a copy, did not grow.
func (p *writer) checkAgentIdle() error {
	s := p.session
	if pid, known := s.lib.disk.FindWriter(s.at.Path, p.lock.info); known && pid != 0 {
		return newRefusal(session.ErrConflict, "%s", openInAgentText(s.Format(), pid))
	}
	info, err := p.lock.file.Stat()
	if err != nil {
		return s.at.PathError(err)
	}
	now, written := s.lib.now(), info.ModTime()
	made, known := safefile.BirthTime(p.lock.file)
	grew := session.IsLive(written.UnixMilli(), now.UnixMilli()) && (!known || written.Sub(made) > time.Second)
	if grew || session.IsLive(s.lastGrowth.UnixMilli(), now.UnixMilli()) {
		return newRefusal(session.ErrConflict, "The session was written to within the last minute: its agent may be running. Close it first, or wait.")
	}
	return nil
}

// swapInMigrated renames the old file to a backup and the new one to its name. It
// reverts this if the old file was written to meanwhile.
func (p *writer) swapInMigrated(temp string, size int64) (backup string, err error) {
	at, dir := p.session.at, p.lock.dir
	bak := at.Rel + ".bak"
	var undo func() error
	for n := 2; ; n++ {
		if undo, err = p.session.lib.disk.BackUpAs(dir, at.Rel, bak); !errors.Is(err, fs.ErrExist) {
			break
		}
		bak = fmt.Sprintf("%s.%d.bak", at.Rel, n)
	}
	if err != nil {
		return "", writeDeniedError(at, "the directory", err)
	}
	if err := dir.Rename(temp, at.Rel); err != nil {
		return "", errors.Join(writeDeniedError(at, "the directory", err), undo())
	}
	now, err := p.lock.currentFileSize()
	if err == nil && now != size {
		err = newRefusal(session.ErrConflict, "The agent wrote to the session while it was migrated. The file is unchanged.")
	}
	if err != nil {
		return "", errors.Join(err, dir.Rename(bak, at.Rel))
	}
	return filepath.Join(at.Dir, bak), nil
}

// finishMigration records in the sidecar that its labels are in the file now, keeps the
// unmatched ones, and reads the new file.
func (s *Session) finishMigration(ctx context.Context, m *Migrated, lost []sidecar.Record) (err error) {
	for _, r := range lost {
		if *r.Label != "" {
			m.Unmatched = append(m.Unmatched, *r.Label)
		}
	}
	if s.sidecar.Exists() {
		moved := sidecar.Record{Format: s.Format().Name, Session: s.currentHeader().ID, Time: s.lib.now().UnixMilli(), Moved: true}
		err = s.lib.sidecars.AppendRecords(ctx, s.sidecar.Path(), append([]sidecar.Record{moved}, lost...)...)
	}
	if _, unread := s.Refresh(ctx); err == nil {
		err = unread
	}
	if err != nil {
		return safefile.NewUnconfirmedError(s.at.Path, "the file was migrated", err)
	}
	return nil
}

// currentHeader returns the session's header.
func (s *Session) currentHeader() (h session.Header) {
	s.ReadTree(func(t *session.Tree, _ Revision) { h = t.Header() })
	return h
}
