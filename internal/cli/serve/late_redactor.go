package serve

import (
	"sync"

	"sessiontree/internal/session/redact"
)

// lateRedactor compiles its rules at first use. That takes as long as the
// list of a thousand known sessions, and most runs of the server need none.
type lateRedactor struct{ rules func() *redact.Rules }

func newLateRedactor(rules func() *redact.Rules) lateRedactor {
	return lateRedactor{sync.OnceValue(rules)}
}

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
