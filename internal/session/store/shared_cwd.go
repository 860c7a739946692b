package store

import (
	"bytes"
	"io"
	"os"
	"path/filepath"

	"sessiontree/internal/session"
)

// headerSize is how much of a file is read for its header, unless that is longer.
const headerSize = 4 << 10

// SharedCwd returns the working directory of the sessions in a directory by what
// some of them record, "" unknown. format is a format's name.
func (l *Library) SharedCwd(format, dir string, recorded []string) string {
	for _, f := range l.formats {
		if f.Name == format && f.SharedCwd != nil {
			return f.SharedCwd(filepath.Base(dir), recorded)
		}
	}
	return ""
}

// sharedCwd returns the working directory of a session whose file records none, by
// the headers of the session files beside it.
func (l *Library) sharedCwd(at place, f *session.Format) string {
	if f.SharedCwd == nil || l.alone {
		return ""
	}
	dir := filepath.Dir(at.path)
	names, err := sessionsIn(dir, f)
	if err != nil {
		return "" // the directory is gone with its files
	}
	var recorded []string
	for _, name := range names {
		if name == filepath.Base(at.path) {
			continue
		}
		if cwd := l.recordedCwd(beside(at, name), f); cwd != "" {
			recorded = append(recorded, cwd)
		}
	}
	return f.SharedCwd(filepath.Base(dir), recorded)
}

// recordedCwd returns the working directory that the header of a file records.
func (l *Library) recordedCwd(at place, format *session.Format) string {
	info, err := os.Stat(at.path)
	if err != nil {
		return ""
	}
	return l.files.read(at.path, "cwd", info, func(any) any {
		f, _, err := at.open()
		if err != nil {
			return ""
		}
		defer f.Close()
		line := firstLine(f)
		if !format.Sniff(line) {
			return ""
		}
		rec, err := format.Scan(line, "")
		if err != nil || rec.Header == nil {
			return ""
		}
		return rec.Header.Cwd
	}).(string)
}

// firstLine reads the first line of a file, or the part of it within headSize.
func firstLine(f io.ReaderAt) []byte {
	for size := headerSize; ; size = headSize {
		head := make([]byte, size)
		n, _ := f.ReadAt(head, 0) // what cannot be read holds no header
		line, _, ended := bytes.Cut(bytes.TrimLeft(bytes.TrimPrefix(head[:n], bom), " \t\r\n"), newline)
		if ended || n < size || size == headSize {
			return line
		}
	}
}

// refreshCwd looks again for the working directory of a session whose file records
// none: the session that records it may have come or gone.
func (s *Session) refreshCwd(c Change) Change {
	r := s.reading
	if h, ok := r.dec.Header(); !ok || h.Cwd != "" || r.format.SharedCwd == nil || s.at.whole {
		return c
	}
	shared := s.lib.sharedCwd(s.at, r.format)
	if shared == r.shared {
		return c
	}
	r.shared = shared
	h, _ := r.header()
	s.mu.Lock()
	s.tree.Append(h, nil, nil)
	s.rev.Epoch = s.lib.epochs.next()
	s.mu.Unlock()
	full := s.change(Rewritten)
	full.Entries, full.Labels, full.Aside = c.Entries, c.Labels, c.Aside
	return full
}
