package main

import (
	"bytes"
	"io"
	"os"
	"sync"
	"unicode/utf8"

	"github.com/mattn/go-isatty"
)

// sanitizingWriter is what people read: a terminal, or what stands for one. Nothing written to
// it steers a terminal, because most of it comes from files of other people.
type sanitizingWriter struct {
	mu          sync.Mutex
	out         io.Writer
	partialRune []byte // the beginning of a character whose end is not written yet
}

// Write writes text, with what steers terminals replaced.
func (s *sanitizingWriter) Write(b []byte) (int, error) {
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

// Close writes what is left of a character that was cut off.
func (s *sanitizingWriter) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.partialRune) == 0 {
		return nil
	}
	s.partialRune = nil
	_, err := io.WriteString(s.out, "\ufffd")
	return err
}

// partialRuneLen returns how many bytes at the end of text begin a character.
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

// replaceControls returns text in which nothing steers a terminal.
func replaceControls(text []byte) []byte {
	if utf8.Valid(text) && !bytes.ContainsFunc(text, isTerminalControl) {
		return text
	}
	return bytes.Map(func(r rune) rune {
		if isTerminalControl(r) {
			return '\ufffd'
		}
		return r // and what is no UTF-8 is U+FFFD already
	}, text)
}

// isTerminalControl reports whether a terminal obeys a character in place of showing it, or
// writes what follows in another direction.
func isTerminalControl(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	}
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// findTerminal returns the terminal that w writes to; ok is false when it is none.
func findTerminal(w io.Writer) (f *os.File, ok bool) {
	if s, is := w.(*sanitizingWriter); is {
		w = s.out
	}
	f, ok = w.(*os.File)
	return f, ok && isatty.IsTerminal(f.Fd())
}

// rawOutput returns where a file's own bytes go: a file or a pipe gets them as they are,
// a terminal does not.
func (p *program) rawOutput() io.Writer {
	if s, ok := p.out.(*sanitizingWriter); ok {
		if _, terminal := findTerminal(s); !terminal {
			return s.out
		}
	}
	return p.out
}
