package store

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"sessiontree/internal/session"
)

// Migrated is what became of a file in an old version.
type Migrated struct {
	File     string
	Backup   string // the file as it was; "" when it was current already
	From, To int    // versions
	// Unmatched are labels kept aside whose entries were not found: they stay there.
	Unmatched []string
}

// Migrate rewrites a file in the current version of its format and keeps the old
// one beside it. Labels kept aside become lines of the file. A file that is
// current is left alone. It is refused while the agent may be running. With
// ErrUnconfirmed it was migrated.
func (s *Session) Migrate(ctx context.Context) (Migrated, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	if _, err := s.Refresh(ctx); err != nil {
		return Migrated{}, err
	}
	if err := s.Gone(); err != nil {
		return Migrated{}, err
	}
	m, old, err := s.migratable()
	if err != nil || !old {
		return m, err
	}
	h, err := s.hold(ctx)
	if err != nil {
		return m, err
	}
	p := &pen{s: s, hold: h}
	s.turn.Lock()
	lost, err := p.migrate(ctx, &m)
	s.turn.Unlock()
	h.release()
	if err != nil && !errors.Is(err, ErrUnconfirmed) {
		return Migrated{}, err
	}
	return m, errors.Join(err, s.migrated(context.WithoutCancel(ctx), &m, lost))
}

// migratable reports whether there is an old version to migrate, and that it may
// be.
func (s *Session) migratable() (m Migrated, old bool, err error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	header := s.tree.Header()
	m = Migrated{File: s.at.path, From: header.Version, To: header.Version}
	if why := s.lib.forbidden(); why != "" {
		return m, false, refuse(session.ErrReadOnly, "%s", why)
	}
	if !header.Migrated && !header.Newer {
		return m, false, nil
	}
	can := s.abilities(header)
	info, err := s.at.stat()
	switch {
	case err != nil:
		return m, false, err
	case s.at.linked():
		return m, false, refuse(session.ErrInvalid, "%s is a link. Migrate the file that it leads to.", s.at.path)
	case s.sealed(info) != "":
		return m, false, refuse(session.ErrReadOnly, "%s", s.sealed(info))
	case !can.Migrate.Can():
		return m, false, refuse(session.ErrConflict, "%s", can.Migrate.Reason)
	case s.Format().NewMigrator == nil:
		return m, false, refuse(session.ErrInvalid, "Sessions of %s cannot be migrated.", s.Format().Title)
	}
	return m, true, nil
}

// linked reports whether the path is a link to the file: a file put in its place
// would leave the one it leads to as it was.
func (at place) linked() bool {
	dir, err := os.OpenRoot(at.dir)
	if err != nil {
		return false // opening it again will tell
	}
	defer dir.Close()
	info, err := dir.Lstat(at.rel)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// migrate writes the new file and puts it in the old one's place. It answers the
// labels kept aside that have no entry.
func (p *pen) migrate(ctx context.Context, m *Migrated) (lost []asideRecord, err error) {
	s := p.s
	size, err := p.settle(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.resting(); err != nil {
		return nil, err
	}
	labels, lost := s.asideLabels()
	at := s.at
	var want int
	temp, err := fillTemp(at, p.hold.dir, at.rel, p.hold.info.Mode().Perm(), true, func(w *bufio.Writer) error {
		want, err = s.rewrite(ctx, w, io.NewSectionReader(p.hold.file, 0, size), labels)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err = p.proofread(ctx, temp, want, m); err == nil {
		m.Backup, err = p.exchange(temp, size)
	}
	if err != nil {
		return nil, errors.Join(err, ignore(p.hold.dir.Remove(temp), fs.ErrNotExist))
	}
	s.distrust = true
	if err := s.lib.disk.confirm(p.hold.dir, filepath.Dir(at.rel)); err != nil {
		return lost, unconfirmed(at.path, "the file was migrated", err)
	}
	return lost, nil
}

// resting refuses while the agent may be running: the file was seen to grow, or
// has grown, within the last minute. A file that was made in one go, by whoever
// copied it, did not grow.
func (p *pen) resting() error {
	s := p.s
	if pid, known := holder(s.at.path, p.hold.info); known && pid != 0 {
		return refuse(session.ErrConflict, "%s", heldBy(s.Format(), pid))
	}
	info, err := p.hold.file.Stat()
	if err != nil {
		return s.at.failed(err)
	}
	now, written := s.lib.now(), info.ModTime()
	made, known := born(p.hold.file)
	grew := now.Sub(written) < grain && (!known || written.Sub(made) > time.Second)
	if grew || now.Sub(s.grew) < grain {
		return refuse(session.ErrConflict, "The session was written to within the last minute: its agent may be running. Close it first, or wait.")
	}
	return nil
}

// asideLabels answers the labels kept aside by the offset of their entry's line,
// and those that have no entry. What the file says already needs no line: a label
// that was set and cleared, or an older one. The caller has the turn.
func (s *Session) asideLabels() (byOff map[int64]asideRecord, lost []asideRecord) {
	byOff = map[int64]asideRecord{}
	if s.lib.asides == nil {
		return byOff, nil
	}
	all, _, err := s.lib.asides.read(s.aside.path)
	if err != nil {
		return byOff, nil // nothing is taken from there, so nothing is lost
	}
	labels, _ := inForce(all)
	says := map[session.Pos]string{}
	_, recorded := s.tree.Recorded()
	for _, l := range recorded {
		says[l.Target] = l.Text
	}
	f := finder{s: s, tree: s.tree, format: s.Format()}
	for _, r := range labels {
		p := f.find(r)
		if p == session.NoPos {
			lost = append(lost, r)
			continue
		}
		if now, _ := s.tree.Label(p); now.Text != says[p] {
			byOff[s.tree.At(p).Span.Off] = r
		}
	}
	return byOff, lost
}

// rewrite writes every line in the current version, and the labels at the end. It
// answers how many entries the new file must have.
func (s *Session) rewrite(ctx context.Context, w *bufio.Writer, old io.Reader, labels map[int64]asideRecord) (int, error) {
	g := s.Format().NewMigrator(s.lib.mint())
	type mark struct {
		id  string
		rec asideRecord
	}
	var marks []mark
	r := bufio.NewReaderSize(old, 256<<10)
	for off := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		line, err := r.ReadBytes('\n')
		if len(line) > 0 {
			id, err := migrateLine(g, w, line, off)
			if err != nil {
				return 0, fmt.Errorf("byte %d: %w", off, err)
			}
			if rec, ok := labels[start(line, off)]; ok && id != "" {
				marks = append(marks, mark{id, rec})
			}
		}
		off += int64(len(line))
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, err
		}
	}
	for _, m := range marks {
		if _, err := w.Write(append(g.Label(m.id, *m.rec.Label, m.rec.Time).Text, '\n')); err != nil {
			return 0, err
		}
	}
	return s.tree.Len() + len(marks), nil
}

// start is the offset of a line without what may stand before it.
func start(line []byte, off int64) int64 {
	if off == 0 && bytes.HasPrefix(line, bom) {
		return int64(len(bom))
	}
	return off
}

// migrateLine writes what stands for one line. Blank lines are left out.
func migrateLine(g session.Migrator, w *bufio.Writer, line []byte, off int64) (id string, err error) {
	if off == 0 {
		line = bytes.TrimPrefix(line, bom)
	}
	line = bytes.TrimSuffix(bytes.TrimSuffix(line, newline), carriage)
	out, id, err := g.Next(line)
	if err != nil || blank(out) {
		return id, err
	}
	if _, err := w.Write(out); err != nil {
		return "", err
	}
	return id, w.WriteByte('\n')
}

// proofread makes sure that the new file is a session in the current version with
// as many entries as it must have.
func (p *pen) proofread(ctx context.Context, temp string, want int, m *Migrated) error {
	f, err := p.hold.dir.Open(temp)
	if err != nil {
		return p.s.at.failed(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return p.s.at.failed(err)
	}
	ld, err := p.s.lib.readFile(ctx, p.s.at, f, info)
	if err != nil {
		return err
	}
	tree := session.Join(ld.header, ld.entries, ld.notes)
	if ld.header.Migrated || tree.Len() != want {
		return refuse(session.ErrInvalid, "The migrated file would have %d entries in version %d instead of %d; the file was left as it is.",
			tree.Len(), ld.header.Version, want)
	}
	m.To = ld.header.Version
	return nil
}

// exchange keeps the old file under another name and puts the new one in its
// place, unless it was written to until the last moment.
func (p *pen) exchange(temp string, size int64) (backup string, err error) {
	at, dir := p.s.at, p.hold.dir
	bak := at.rel + ".bak"
	var undo func() error
	for n := 2; ; n++ {
		if undo, err = p.s.lib.disk.keepAs(dir, at.rel, bak); !errors.Is(err, fs.ErrExist) {
			break
		}
		bak = fmt.Sprintf("%s.%d.bak", at.rel, n)
	}
	if err != nil {
		return "", at.denied("the directory", err)
	}
	if err := dir.Rename(temp, at.rel); err != nil {
		return "", errors.Join(at.denied("the directory", err), undo())
	}
	now, err := p.hold.size()
	if err == nil && now != size {
		err = refuse(session.ErrConflict, "The agent wrote to the session while it was migrated. The file was left as it is.")
	}
	if err != nil {
		return "", errors.Join(err, dir.Rename(bak, at.rel))
	}
	return filepath.Join(at.dir, bak), nil
}

// migrated notes that the labels kept aside are in the file now, keeps those that
// are not, and reads the new file.
func (s *Session) migrated(ctx context.Context, m *Migrated, lost []asideRecord) error {
	for _, r := range lost {
		if *r.Label != "" {
			m.Unmatched = append(m.Unmatched, *r.Label)
		}
	}
	if s.lib.asides != nil && s.aside.stamp != (stamp{}) {
		moved := asideRecord{Format: s.Format().Name, Session: s.header().ID, Time: s.lib.now().UnixMilli(), Moved: true}
		if err := s.lib.asides.add(ctx, s.aside.path, append([]asideRecord{moved}, lost...)...); err != nil {
			return err
		}
	}
	_, err := s.Refresh(ctx)
	return err
}

// header is the session's header as it stands.
func (s *Session) header() (h session.Header) {
	s.Read(func(t *session.Tree, _ Rev) { h = t.Header() })
	return h
}
