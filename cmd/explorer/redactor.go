package main

import (
	"os"
	"os/user"
	"sync"

	"sessiontree/internal/session/redact"
)

// newRedactor returns a redactor that knows the user's home directory, user name and host
// name.
func (p *program) newRedactor() *redact.Rules {
	o := redact.Options{Home: p.home}
	if u, err := user.Current(); err == nil {
		o.User = u.Username
	}
	if host, err := os.Hostname(); err == nil {
		o.Host = host
	}
	return redact.New(o)
}

// lateRedactor compiles its rules at first use. That takes as long as the
// list of a thousand known sessions, and most runs of the server need none.
type lateRedactor struct{ rules func() *redact.Rules }

func (p *program) newLateRedactor() lateRedactor { return lateRedactor{sync.OnceValue(p.newRedactor)} }

// RedactText replaces findings in a text.
func (l lateRedactor) RedactText(text string, which map[string]bool) (out string, counts map[string]int) {
	return l.rules().RedactText(text, which)
}

// RedactJSON replaces findings in a JSON object.
func (l lateRedactor) RedactJSON(line []byte, which map[string]bool) (out []byte, changed bool, counts map[string]int, err error) {
	return l.rules().RedactJSON(line, which)
}

// FindValues returns the findings in a JSON object.
func (l lateRedactor) FindValues(line []byte) ([]redact.Value, error) {
	return l.rules().FindValues(line)
}
