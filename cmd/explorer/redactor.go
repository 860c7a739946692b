package main

import (
	"os"
	"os/user"
	"sync"

	"sessiontree/internal/session/redact"
)

// newRedactor knows what is personal about who runs the program, here.
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

// lateRedactor makes its rules when they are first asked for. They take as long as the
// list of a thousand known sessions, and most runs of the server need none.
type lateRedactor struct{ rules func() *redact.Rules }

func (p *program) lateRedactor() lateRedactor { return lateRedactor{sync.OnceValue(p.newRedactor)} }

// Replace replaces findings in a text.
func (l lateRedactor) Replace(text string, which map[string]bool) (out string, counts map[string]int) {
	return l.rules().RedactText(text, which)
}

// JSON replaces findings in a JSON object.
func (l lateRedactor) JSON(line []byte, which map[string]bool) (out []byte, changed bool, counts map[string]int, err error) {
	return l.rules().RedactJSON(line, which)
}

// Values lists the findings in a JSON object.
func (l lateRedactor) Values(line []byte) ([]redact.Value, error) { return l.rules().FindValues(line) }
