package hook

import (
	"bytes"
	"context"
	"strings"
	"sync"
)

const (
	maxOutput     = 4 << 20 // bytes of an answer or a summary
	maxStderrTail = 4 << 10 // bytes of stderr that are kept for a message
)

// programOutput is what a program says while it runs: its answer on stdout, and on
// stderr how it goes, of which the end is kept.
type programOutput struct {
	abort    context.CancelCauseFunc
	progress func(string)

	mu         sync.Mutex
	stdout     []byte
	stderrTail []byte
	stderrLine []byte // the last of stderr that has no end yet
}

// stdoutWriter and stderr are the two ends a program writes to.
type (
	stdoutWriter programOutput
	stderrWriter programOutput
)

func (s *stdoutWriter) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.stdout)+len(p) > maxOutput {
		s.abort(errTooMuchOutput)
		return len(p), nil // it is being ended; that is what is told, not a broken pipe
	}
	s.stdout = append(s.stdout, p...)
	(*programOutput)(s).reportProgress(formatSize(len(s.stdout)) + " written")
	return len(p), nil
}

func (s *stderrWriter) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stderrTail = keepTail(append(s.stderrTail, p...))
	rest := append(s.stderrLine, p...)
	for {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		if !ended {
			s.stderrLine = bytes.Clone(keepTail(rest))
			return len(p), nil
		}
		(*programOutput)(s).reportProgress(string(line))
		rest = after
	}
}

// keepTail keeps the end of what is too long.
func keepTail(b []byte) []byte { return b[max(0, len(b)-maxStderrTail):] }

// reportProgress reports progress. The caller holds the lock, so that one report comes
// after the other.
func (s *programOutput) reportProgress(text string) {
	if text = visibleText(text); s.progress != nil && text != "" {
		s.progress(text)
	}
}

// stderrText is the end of what the program said on stderr.
func (s *programOutput) stderrText() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := string(s.stderrTail)
	if _, whole, ok := strings.Cut(text, "\n"); ok && len(s.stderrTail) == maxStderrTail {
		text = whole // the first line was cut
	}
	return visibleText(text)
}
