package spend

import "sessiontree/internal/session"

// maxEntriesBetween is how many entries that are no messages may be between an entry and the
// message above it.
const maxEntriesBetween = 32

// waitBefore returns how long the agent waited for the answer or the tool result at p, in ms:
// since the message above it. It is 0 for other entries.
func waitBefore(t *session.Tree, p session.Pos) int64 {
	e := t.At(p)
	for n := 0; n < maxEntriesBetween; n++ {
		p = t.Parent(p)
		if p == session.NoPos {
			break
		}
		if up := t.At(p); isMessage(up) {
			return waitSince(e, up.Time)
		}
	}
	return 0
}

// waitSince is waitBefore for an entry after a message with a time, or session.NoTime.
func waitSince(e *session.Entry, before int64) int64 {
	if e.Kind != session.KindAssistant && e.Kind != session.KindToolResult || !isMessage(e) || before == session.NoTime {
		return 0
	}
	return max(e.Time-before, 0)
}

// isMessage reports whether an entry is a message that was recorded with its time.
func isMessage(e *session.Entry) bool {
	return !e.Kind.IsBookkeeping() && e.Time != session.NoTime && !e.HasFlag(session.FlagMetadata)
}
