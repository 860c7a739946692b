package store

import (
	"path/filepath"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/scan"
)

// SharedCwd returns the working directory of the sessions in a directory, derived from
// those that record one, "" if unknown. format is the name of a format.
func (l *Library) SharedCwd(format, dir string, recorded []string) string {
	for _, f := range l.formats {
		if f.Name == format && f.InferCwd != nil {
			return f.InferCwd(filepath.Base(dir), recorded)
		}
	}
	return ""
}

// inferCwd returns the working directory of a session whose file records none, derived
// from the headers of the other sessions in its directory.
func (l *Library) inferCwd(at roots.Place, f *session.Format) string {
	if f.InferCwd == nil || l.standalone {
		return ""
	}
	names, err := listSessionFiles(at, f)
	if err != nil {
		return "" // the directory is gone with its files
	}
	var recorded []string
	for _, name := range names {
		if name == filepath.Base(at.Path) {
			continue
		}
		if cwd := l.recordedCwd(at.Sibling(name), f); cwd != "" {
			recorded = append(recorded, cwd)
		}
	}
	return f.InferCwd(filepath.Base(filepath.Dir(at.Path)), recorded)
}

// recordedCwd returns the working directory in the header of a file.
func (l *Library) recordedCwd(at roots.Place, format *session.Format) string {
	info, err := at.StatPath()
	if err != nil {
		return ""
	}
	return l.fileCache.ReadCachedFile(at.Path, "cwd", info, func(any) any {
		f, _, err := at.OpenFile()
		if err != nil {
			return ""
		}
		defer f.Close()
		line := scan.ReadFirstLine(f)
		if !format.Sniff(line) {
			return ""
		}
		rec, err := format.ScanLine(line, "")
		if err != nil || rec.Header == nil {
			return ""
		}
		return rec.Header.Cwd
	}).(string)
}

// refreshInferredCwd updates the working directory of a session whose file records
// none: other sessions of the directory may have come or gone.
func (u update) refreshInferredCwd(c Change) Change {
	r := u.s.reader
	if h, ok := r.RecordedHeader(); !ok || h.Cwd != "" || r.Format.InferCwd == nil || u.s.isWholeDir {
		return c
	}
	shared := u.s.lib.inferCwd(u.s.at, r.Format)
	if shared == r.SharedCwd {
		return c
	}
	r.SharedCwd = shared
	h, _ := r.CompletedHeader()
	u.s.mu.Lock()
	u.s.tree.AppendEntries(h, nil, nil)
	u.s.rev.Epoch = u.s.lib.epochs.nextEpoch()
	u.s.mu.Unlock()
	full := u.s.newChange(Rewritten)
	full.Entries, full.Labels, full.Annotations = c.Entries, c.Labels, c.Annotations
	return full
}
