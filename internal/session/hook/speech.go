package hook

import (
	"bytes"
	"context"
	"strings"
	"sync"
)

const (
	maxOutput    = 4 << 20 // bytes of an answer or a summary
	maxComplaint = 4 << 10 // bytes of stderr that are kept for a message
)

// speech is what a program says while it runs: its answer on stdout, and on
// stderr how it goes, of which the end is kept.
type speech struct {
	abort    context.CancelCauseFunc
	progress func(string)

	mu   sync.Mutex
	out  []byte
	tail []byte
	line []byte // the last of stderr that has no end yet
}

// stdout and stderr are the two ends a program writes to.
type (
	stdout speech
	stderr speech
)

func (s *stdout) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.out)+len(p) > maxOutput {
		s.abort(errTalkative)
		return len(p), nil // it is being ended; that is what is told, not a broken pipe
	}
	s.out = append(s.out, p...)
	(*speech)(s).tell(size(len(s.out)) + " written")
	return len(p), nil
}

func (s *stderr) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tail = last(append(s.tail, p...))
	rest := append(s.line, p...)
	for {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		if !ended {
			s.line = bytes.Clone(last(rest))
			return len(p), nil
		}
		(*speech)(s).tell(string(line))
		rest = after
	}
}

// last keeps the end of what is too long.
func last(b []byte) []byte { return b[max(0, len(b)-maxComplaint):] }

// tell reports progress. The caller holds the lock, so that one report comes
// after the other.
func (s *speech) tell(text string) {
	if text = printable(text); s.progress != nil && text != "" {
		s.progress(text)
	}
}

// complaint is the end of what the program said on stderr.
func (s *speech) complaint() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := string(s.tail)
	if _, whole, ok := strings.Cut(text, "\n"); ok && len(s.tail) == maxComplaint {
		text = whole // the first line was cut
	}
	return printable(text)
}
