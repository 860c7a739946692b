package copies

import (
	"fmt"
	"time"

	"sessiontree/internal/session/keep"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/index"
	"sessiontree/web/components"
)

// horizon is how far ahead the question looks.
const horizon = 30 * 24 * time.Hour

// copiesShare is which part of their size copies take, about.
const copiesShare = 0.25

// question returns the question whether to keep copies, nil if no agent deletes sessions.
func (s *Source) question() *components.KeepQuestion {
	for _, f := range s.Folders {
		for _, rule := range f.Folder.CleanUps {
			if q := s.questionFor(f, rule); q != nil {
				return q
			}
		}
	}
	return nil
}

// questionFor returns the question for the sessions of a rule, nil if there are none.
func (s *Source) questionFor(f Folder, rule keep.CleanUp) *components.KeepQuestion {
	rules := []index.CleanUp{{Root: f.Path, Format: rule.Format, Agent: rule.Agent, After: rule.After}}
	now := s.Config.InZone(s.Now)
	end := now.Add(min(horizon, rule.After))
	all, doomed, size := 0, 0, int64(0)
	var first time.Time
	for i := range s.Sessions {
		size += s.Sessions[i].Size
		at, _, ok := index.DeletionTime(rules, &s.Sessions[i])
		if !ok {
			continue
		}
		all++
		if at.Before(end) {
			doomed++
			if first.IsZero() || at.Before(first) {
				first = at
			}
		}
	}
	if all == 0 {
		return nil
	}
	q := &components.KeepQuestion{Title: fmt.Sprintf("%s deletes sessions after %s. Keep copies?", rule.Agent, daysText(rule.After))}
	switch {
	case doomed == 0:
	case doomed == 1:
		q.Text = fmt.Sprintf("1 of your %d sessions would be deleted before %s. ", all, end.Format("2 January"))
	default:
		q.Text = fmt.Sprintf("%s of your %d sessions would be deleted before %s, the first one %s. ", components.FormatCount(doomed), all, end.Format("2 January"), index.DaysText(index.DaysUntil(first, now)))
	}
	q.Text += "Copies stay on this computer, compressed: about " + view.FormatFileSize(int64(float64(size)*copiesShare)) + " now."
	return q
}

// daysText returns the days of a rule in words.
func daysText(d time.Duration) string {
	return components.Pluralize(int(d/(24*time.Hour)), "day", "days")
}
