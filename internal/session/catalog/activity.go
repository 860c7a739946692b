package catalog

import (
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/activity"
)

// IsLive reports whether the agent of a session has just written.
func (s *Summary) IsLive(now time.Time) bool {
	return session.IsLive(s.AgentWrote.UnixMilli(), now.UnixMilli())
}

// Status returns what a session does, as far as its files show.
func (s *Summary) Status(now time.Time) activity.Status {
	track := s.Activity
	if track == nil {
		track = &activity.Track{}
	}
	status := track.StatusAt(now, s.LastWrote())
	if s.Orphaned && status.State == activity.Waits { // there is no session in which one can answer
		status.State = activity.Quiet
		if status.Reason == activity.LikelyQuestion {
			status.State = activity.Finished
		}
		status.Reason = activity.NoReason
	}
	isLive := s.SubAgentWrote.After(s.AgentWrote) && session.IsLive(s.SubAgentWrote.UnixMilli(), now.UnixMilli())
	if status.State == activity.Finished && isLive {
		return activity.Status{State: activity.Working, Reason: activity.SubAgentWrites, Expires: s.SubAgentWrote.Add(session.LiveWindow * time.Millisecond)}
	}
	return status
}

// LastWrote returns when an agent or a sub-agent of the session last wrote.
func (s *Summary) LastWrote() time.Time {
	if s.SubAgentWrote.After(s.AgentWrote) {
		return s.SubAgentWrote
	}
	return s.AgentWrote
}

// IsRunning reports whether the agent of a session works, as far as can be told.
func (s *Summary) IsRunning(now time.Time) bool { return s.Status(now).State == activity.Working }

// IsWaiting reports whether a session waits for its user, as far as can be told.
func (s *Summary) IsWaiting(now time.Time) bool { return s.Status(now).State == activity.Waits }

// saidWindow is how long after the last change of a file its last texts are read.
const saidWindow = 24 * time.Hour

// readSaid reads the last texts of a session unless they are those of old, which may be
// nil. Texts that cannot be read are left empty: the session itself shows why.
func (c *Catalog) readSaid(it, old *listedSession, format *session.Format) {
	tr := it.Summary.Activity
	if format == nil || time.Since(time.Unix(0, it.Checkpoint.Mtime)) > saidWindow {
		return
	}
	var known activity.Track
	if old != nil {
		known = *old.Summary.Activity
	}
	if tr.Answer.Len > 0 && (tr.Answer != known.Answer || tr.Said.Text == "") {
		if body, err := c.lib.ReadRecord(it.Summary.Path, format, tr.Answer); err == nil {
			tr.Said.SetAnswer(&body)
		}
	}
	if tr.Asked.Len > 0 && (tr.Asked != known.Asked || tr.Said.Question == "") {
		if body, err := c.lib.ReadRecord(it.Summary.Path, format, tr.Asked); err == nil {
			tr.Said.SetQuestion(&body, &format.Activity)
		}
	}
}
