package index

import (
	"fmt"
	"math"
	"time"

	"sessiontree/internal/session/catalog"
	"sessiontree/web/components"
)

// soonDays is for how many days ahead the list says that an agent deletes a session.
const soonDays = 7

// CleanUp is a rule by which an agent deletes sessions some time after they were last changed.
type CleanUp struct {
	Root, Format string // of the sessions
	Agent        string // for people
	After        time.Duration
}

// KeepState is what is known about copies of sessions and about their deletion.
type KeepState struct {
	CleanUps []CleanUp
	// CanRestore is set if the files of sessions can be restored from their copies.
	CanRestore bool
	Summary    *components.KeepSummary // nil if copies cannot be kept
}

// DeletionTime returns when an agent deletes a session, and which one; ok is false if none
// does.
func DeletionTime(rules []CleanUp, s *catalog.Summary) (at time.Time, agent string, ok bool) {
	if s.Deleted {
		return time.Time{}, "", false
	}
	for _, r := range rules {
		if r.Format == s.Format && r.Root == s.Root {
			return s.FileTime.Add(r.After), r.Agent, true
		}
	}
	return time.Time{}, "", false
}

// IsDeletedSoon reports whether an agent deletes a session within the next days.
func IsDeletedSoon(rules []CleanUp, s *catalog.Summary, now time.Time) bool {
	at, _, ok := DeletionTime(rules, s)
	return ok && newCalendar(now).daysUntil(at) <= soonDays
}

// deletedSoonText says when an agent deletes a session, or "" if that is not soon.
func (b *rowBuilder) deletedSoonText(s *catalog.Summary) string {
	at, agent, ok := DeletionTime(b.keep.CleanUps, s)
	days := b.calendar.daysUntil(at)
	if !ok || days > soonDays {
		return ""
	}
	return "Deleted by " + agent + " " + DaysText(days)
}

// DaysText says in how many days something happens: "today", "tomorrow", "in 4 days".
func DaysText(days int) string {
	switch {
	case days <= 0:
		return "today"
	case days == 1:
		return "tomorrow"
	}
	return fmt.Sprintf("in %d days", days)
}

// DaysUntil returns how many days are between two times, in the zone of now.
func DaysUntil(t, now time.Time) int { return newCalendar(now).daysUntil(t) }

// Stamp identifies what the list shows of the state.
func (k KeepState) Stamp() string {
	stamp := fmt.Sprint(k.CleanUps, k.CanRestore)
	if m := k.Summary; m != nil {
		stamp += fmt.Sprint(m.Name, m.State, m.Notices)
		if m.Question != nil {
			stamp += fmt.Sprint(*m.Question)
		}
	}
	return stamp
}

// daysUntil returns how many days are between today and the day of a time.
func (c calendar) daysUntil(t time.Time) int {
	y, m, d := t.In(c.now.Location()).Date()
	day := time.Date(y, m, d, 0, 0, 0, 0, c.now.Location())
	return int(math.Round(day.Sub(c.today).Hours() / 24)) // some days have 23 or 25 hours
}
