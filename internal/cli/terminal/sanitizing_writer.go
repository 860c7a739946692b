package terminal

import (
	"bytes"
	"io"
	"os"
	"sync"
	"unicode/utf8"

	"github.com/mattn/go-isatty"
)

// SanitizingWriter writes text for people. Most of it comes from files of other people,
// so control characters are replaced.
type SanitizingWriter struct {
	mu          sync.Mutex
	out         io.Writer
	partialRune []byte // incomplete UTF-8 sequence at the end of the last write
}

// NewSanitizingWriter returns a writer to out.
func NewSanitizingWriter(out io.Writer) *SanitizingWriter { return &SanitizingWriter{out: out} }

// Write writes b with control characters replaced.
func (s *SanitizingWriter) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := append(s.partialRune, b...)
	whole := len(text) - partialRuneLen(text)
	s.partialRune = bytes.Clone(text[whole:])
	if _, err := s.out.Write(replaceControls(text[:whole])); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Close writes a replacement character for an incomplete UTF-8 sequence.
func (s *SanitizingWriter) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.partialRune) == 0 {
		return nil
	}
	s.partialRune = nil
	_, err := io.WriteString(s.out, "\ufffd")
	return err
}

// partialRuneLen returns the length of an incomplete UTF-8 sequence at the end of text.
func partialRuneLen(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if last := text[len(text)-n:]; utf8.RuneStart(last[0]) {
			if utf8.FullRune(last) {
				return 0
			}
			return n
		}
	}
	return 0
}

// replaceControls returns text with terminal control characters replaced by U+FFFD.
func replaceControls(text []byte) []byte {
	if utf8.Valid(text) && !bytes.ContainsFunc(text, IsControl) {
		return text
	}
	return bytes.Map(func(r rune) rune {
		if IsControl(r) {
			return '\ufffd'
		}
		return r // bytes.Map has replaced invalid UTF-8
	}, text)
}

// IsControl reports whether r is a control character or changes the direction of
// text.
func IsControl(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	}
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// FindTerminal returns the terminal that w writes to; ok is false if w is no terminal.
func FindTerminal(w io.Writer) (f *os.File, ok bool) {
	if s, is := w.(*SanitizingWriter); is {
		w = s.out
	}
	f, ok = w.(*os.File)
	return f, ok && isatty.IsTerminal(f.Fd())
}

// RawWriter returns the writer for the content of files. Only a terminal gets sanitized
// text.
func RawWriter(w io.Writer) io.Writer {
	if s, ok := w.(*SanitizingWriter); ok {
		if _, terminal := FindTerminal(s); !terminal {
			return s.out
		}
	}
	return w
}
