package hook

import (
	"bytes"
	"context"
	"strings"
	"sync"
)

const (
	maxOutput     = 4 << 20 // bytes of a response or a summary
	maxStderrTail = 4 << 10 // bytes of stderr for an error message
)

// programOutput collects the output of a program: the response on stdout, and the end of
// stderr, which reports progress.
type programOutput struct {
	abort    context.CancelCauseFunc
	progress func(string)

	mu         sync.Mutex
	stdout     []byte
	stderrTail []byte
	stderrLine []byte // last incomplete line of stderr
}

// The writers for the program's stdout and stderr.
type (
	stdoutWriter programOutput
	stderrWriter programOutput
)

func (s *stdoutWriter) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.stdout)+len(p) > maxOutput {
		s.abort(errTooMuchOutput)
		return len(p), nil // the program is being ended; report that instead of a broken pipe
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

// keepTail returns the last maxStderrTail bytes.
func keepTail(b []byte) []byte { return b[max(0, len(b)-maxStderrTail):] }

// reportProgress reports progress. The caller holds mu, so that the calls do not overlap.
func (s *programOutput) reportProgress(text string) {
	if text = visibleText(text); s.progress != nil && text != "" {
		s.progress(text)
	}
}

// stderrText returns the end of the program's stderr.
func (s *programOutput) stderrText() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := string(s.stderrTail)
	if _, whole, ok := strings.Cut(text, "\n"); ok && len(s.stderrTail) == maxStderrTail {
		text = whole // the first line is incomplete
	}
	return visibleText(text)
}
