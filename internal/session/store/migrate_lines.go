package store

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"

	"sessiontree/internal/session"
	"sessiontree/internal/session/ids"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/scan"
	"sessiontree/internal/session/sidecar"
)

// labelsByOffset returns the labels of the sidecar by the offset of their entry's line,
// and those without an entry. Labels that the file records already are left out.
func (u update) labelsByOffset() (byOff map[int64]sidecar.Record, lost []sidecar.Record, err error) {
	byOff = map[int64]sidecar.Record{}
	if u.s.lib.sidecars == nil {
		return byOff, nil, nil
	}
	found, lost, err := u.s.sidecar.FindLabels(u.s.tree, u.s.Format(), u.s.at)
	if err != nil { // unreadable labels would count as migrated
		return nil, nil, fmt.Errorf("the labels stored in %s cannot be read: %w", u.s.sidecar.Path(), safefile.Reason(err))
	}
	says := map[session.Pos]string{}
	_, recorded := u.s.tree.RecordedNameAndLabels()
	for _, l := range recorded {
		says[l.Target] = l.Text
	}
	for p, r := range found {
		if now, _ := u.s.tree.Label(p); now.Text != says[p] {
			byOff[u.s.tree.At(p).Span.Off] = r
		}
	}
	return byOff, lost, nil
}

// writeMigratedLines writes every line in the current version, then the labels. It
// returns how many entries the new file must have.
func (u update) writeMigratedLines(ctx context.Context, w *bufio.Writer, old io.Reader, labels map[int64]sidecar.Record) (int, error) {
	g := u.s.Format().Write.NewMigrator(ids.NewRandomSource(u.s.lib.now()))
	type mark struct {
		id  string
		rec sidecar.Record
	}
	var marks []mark
	r := bufio.NewReaderSize(old, 256<<10)
	for off := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		line, err := r.ReadBytes('\n')
		if len(line) > 0 {
			id, err := writeMigratedLine(g, w, line, off)
			if err != nil {
				return 0, fmt.Errorf("byte %d: %w", off, err)
			}
			if rec, ok := labels[lineStart(line, off)]; ok && id != "" {
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
		if _, err := w.Write(append(g.EncodeLabel(m.id, *m.rec.Label, m.rec.Time).Text, '\n')); err != nil {
			return 0, err
		}
	}
	return u.s.tree.Len() + len(marks), nil
}

// lineStart returns the offset of a line without a byte order mark before it.
func lineStart(line []byte, off int64) int64 {
	if off == 0 && bytes.HasPrefix(line, scan.BOM) {
		return int64(len(scan.BOM))
	}
	return off
}

// writeMigratedLine writes one line in the current version. Blank lines are left out.
func writeMigratedLine(g session.Migrator, w *bufio.Writer, line []byte, off int64) (id string, err error) {
	if off == 0 {
		line = bytes.TrimPrefix(line, scan.BOM)
	}
	line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	out, id, err := g.MigrateLine(line)
	if err != nil || len(bytes.TrimSpace(out)) == 0 {
		return id, err
	}
	if _, err := w.Write(out); err != nil {
		return "", err
	}
	return id, w.WriteByte('\n')
}

// verifyMigratedFile returns an error unless the new file is a session in the current
// version with the expected number of entries.
func (p *writer) verifyMigratedFile(ctx context.Context, temp string, want int, m *Migrated) error {
	f, err := p.lock.dir.Open(temp)
	if err != nil {
		return p.session.at.PathError(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return p.session.at.PathError(err)
	}
	ld, err := p.session.lib.readOpenFile(ctx, p.session.at, f, info, readOptions{})
	if err != nil {
		return err
	}
	tree := session.BuildFromParts(ld.header, ld.Entries, ld.Notes)
	if ld.header.Migrated || tree.Len() != want {
		return newRefusal(session.ErrInvalid, "The migrated file would have %d entries in version %d instead of %d; the file is unchanged.",
			tree.Len(), ld.header.Version, want)
	}
	m.ToVersion = ld.header.Version
	return nil
}
