package view

import "sessiontree/internal/session"

// CallOutcome returns the outcome of an entry's n-th call if the entry itself records it,
// otherwise nil.
func CallOutcome(e *session.Entry, n int) *session.Outcome {
	if n >= len(e.Calls()) {
		return nil
	}
	return e.Calls()[n].Outcome
}
