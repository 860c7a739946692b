package store

import (
	"bytes"
	"io"
	"os"
	"path/filepath"

	"sessiontree/internal/session"
	"sessiontree/internal/session/roots"
)

// headerSize is how many bytes are read for a header, unless it is longer.
const headerSize = 4 << 10

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
	dir := filepath.Dir(at.Path)
	names, err := listSessionFiles(dir, f)
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
	return f.InferCwd(filepath.Base(dir), recorded)
}

// recordedCwd returns the working directory in the header of a file.
func (l *Library) recordedCwd(at roots.Place, format *session.Format) string {
	info, err := os.Stat(at.Path)
	if err != nil {
		return ""
	}
	return l.fileCache.readCachedFile(at.Path, "cwd", info, func(any) any {
		f, _, err := at.OpenFile()
		if err != nil {
			return ""
		}
		defer f.Close()
		line := readFirstLine(f)
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

// readFirstLine reads the first line of a file, or its first sniffSize bytes.
func readFirstLine(f io.ReaderAt) []byte {
	for size := headerSize; ; size = sniffSize {
		head := make([]byte, size)
		n, _ := f.ReadAt(head, 0) // a file that cannot be read has no header
		line, _, ended := bytes.Cut(bytes.TrimLeft(bytes.TrimPrefix(head[:n], bom), " \t\r\n"), newline)
		if ended || n < size || size == sniffSize {
			return line
		}
	}
}

// refreshInferredCwd updates the working directory of a session whose file records
// none: other sessions of the directory may have come or gone.
func (s *Session) refreshInferredCwd(c Change) Change {
	r := s.reader
	if h, ok := r.dec.Header(); !ok || h.Cwd != "" || r.format.InferCwd == nil || s.isWholeDir {
		return c
	}
	shared := s.lib.inferCwd(s.at, r.format)
	if shared == r.sharedCwd {
		return c
	}
	r.sharedCwd = shared
	h, _ := r.completedHeader()
	s.mu.Lock()
	s.tree.AppendEntries(h, nil, nil)
	s.rev.Epoch = s.lib.epochs.nextEpoch()
	s.mu.Unlock()
	full := s.newChange(Rewritten)
	full.Entries, full.Labels, full.Annotations = c.Entries, c.Labels, c.Annotations
	return full
}
