package main

import (
	"bytes"
	"io"
	"os"
	"sync"
	"unicode/utf8"

	"github.com/mattn/go-isatty"
)

// sanitizingWriter writes text for people. Most of it comes from files of other people,
// so control characters are replaced.
type sanitizingWriter struct {
	mu          sync.Mutex
	out         io.Writer
	partialRune []byte // incomplete UTF-8 sequence at the end of the last write
}

// Write writes b with control characters replaced.
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

// Close writes a replacement character for an incomplete UTF-8 sequence.
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
	if utf8.Valid(text) && !bytes.ContainsFunc(text, isTerminalControl) {
		return text
	}
	return bytes.Map(func(r rune) rune {
		if isTerminalControl(r) {
			return '\ufffd'
		}
		return r // bytes.Map has replaced invalid UTF-8
	}, text)
}

// isTerminalControl reports whether r is a control character or changes the direction of
// text.
func isTerminalControl(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	}
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// findTerminal returns the terminal that w writes to; ok is false if w is no terminal.
func findTerminal(w io.Writer) (f *os.File, ok bool) {
	if s, is := w.(*sanitizingWriter); is {
		w = s.out
	}
	f, ok = w.(*os.File)
	return f, ok && isatty.IsTerminal(f.Fd())
}

// rawOutput returns the writer for the content of files. Only a terminal gets sanitized
// text.
func (p *program) rawOutput() io.Writer {
	if s, ok := p.out.(*sanitizingWriter); ok {
		if _, terminal := findTerminal(s); !terminal {
			return s.out
		}
	}
	return p.out
}
