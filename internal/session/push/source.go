package push

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"sessiontree/internal/session/archive"
)

// Redactor removes secrets from what is pushed. See package redact.
type Redactor interface {
	RedactText(text string, which map[string]bool) (out string, counts map[string]int)
	RedactJSON(line []byte, which map[string]bool) (out []byte, changed bool, counts map[string]int, err error)
}

// unreadableLine replaces a line that is no JSON, in which secrets cannot be found reliably.
// Such a line is no entry with or without it.
const unreadableLine = "[a line that is not valid JSON was not pushed]"

// source reads the bytes of a file as they are pushed: without secrets.
type source struct {
	in       *bufio.Reader
	redactor Redactor // nil removes nothing
	classes  map[string]bool
	isLines  bool // the file is lines of JSON, of which an unfinished one is not pushed
	findings map[string]int
	onLine   func(line []byte) // is called for each line as recorded, unless it is nil

	read    int64 // bytes of the file that were read
	pending []byte
	ended   bool
}

// next returns the next bytes, at most archive.MaxSegment of them. The error is io.EOF after
// the last ones.
func (s *source) next() ([]byte, error) {
	for len(s.pending) < archive.MaxSegment && !s.ended {
		if err := s.readMore(); err != nil {
			return nil, err
		}
	}
	if len(s.pending) == 0 {
		return nil, io.EOF
	}
	n := min(len(s.pending), archive.MaxSegment)
	data := s.pending[:n:n]
	s.pending = s.pending[n:]
	return data, nil
}

// unread makes next return bytes again that it has just returned.
func (s *source) unread(data []byte) { s.pending = append(bytes.Clone(data), s.pending...) }

// readMore reads a line, or all of a file that has none.
func (s *source) readMore() error {
	if !s.isLines {
		all, err := io.ReadAll(s.in)
		s.read, s.ended, s.pending = s.read+int64(len(all)), true, append(s.pending, s.redactWhole(all)...)
		return err
	}
	line, err := s.in.ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	s.ended = err != nil
	if s.ended {
		return nil
	}
	s.read += int64(len(line))
	if s.onLine != nil {
		s.onLine(line)
	}
	s.pending = append(s.pending, s.redactLine(line)...)
	return nil
}

// redactLine returns a line without secrets.
func (s *source) redactLine(line []byte) []byte {
	text := bytes.TrimRight(line, "\r\n")
	if s.redactor == nil || len(text) == 0 {
		return line
	}
	out, _, counts, err := s.redactor.RedactJSON(text, s.classes)
	if err != nil {
		out = []byte(unreadableLine)
	}
	s.addCounts(counts)
	return append(bytes.Clone(out), line[len(text):]...)
}

// redactWhole returns a file that is not lines without secrets. In pictures none can be found.
func (s *source) redactWhole(data []byte) []byte {
	if s.redactor == nil || isImage(data) {
		return data
	}
	out, counts := s.redactor.RedactText(string(data), s.classes)
	s.addCounts(counts)
	return []byte(out)
}

func (s *source) addCounts(counts map[string]int) {
	for kind, n := range counts {
		s.findings[kind] += n
	}
}

// isImage reports whether the bytes begin as those of a picture.
func isImage(data []byte) bool {
	for _, magic := range []string{"\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "GIF87a", "GIF89a"} {
		if bytes.HasPrefix(data, []byte(magic)) {
			return true
		}
	}
	return len(data) > 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP"
}
