package view

import (
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/web/components"
)

// Audience is where a session is shown, and as what.
type Audience struct {
	// Base is what its addresses begin with: "" is /sessions/KEY, else "/share/TOKEN",
	// or "#" in a page that stands by itself.
	Base string
	// Snapshot is set for readers, who can change nothing.
	Snapshot *components.SnapshotHeader
	// Standalone leaves pieces of entries uncut: there is no server to ask for the rest.
	Standalone bool
}

// SessionView is a session as somebody is shown it.
type SessionView struct {
	*store.Session
	Audience Audience
}

// ShowsLive reports whether somebody writes the session now, as far as those who are
// shown it hear of that.
func (s SessionView) ShowsLive(now time.Time) bool {
	if s.Audience.Snapshot != nil && !s.Audience.Snapshot.Live {
		return false
	}
	return s.FileError() == nil && session.IsLive(s.LastAgentWrite().UnixMilli(), now.UnixMilli())
}

// forAudience is the builder for those who are shown a session so. Readers are told times in
// UTC: the zone would say where they were sent from. Script writes them in theirs.
func (b *Builder) forAudience(s Audience) *Builder {
	if s.Snapshot == nil {
		return b
	}
	own := *b
	own.zone = time.UTC
	return &own
}

// sessionBase is the address of a session's page.
func (s Audience) sessionBase(key string) string {
	if s.Base != "" {
		return s.Base
	}
	return sessionURL(key)
}

// entryLimits is how much of an entry a page of the path shows.
func (s Audience) entryLimits() itemLimits {
	if s.Standalone {
		return standaloneLimits
	}
	return pageLimits
}

// ReadsFromStart reports whether a view begins with the first entry: who is sent a session
// reads it from its beginning.
func (s Audience) ReadsFromStart(p Params) bool {
	return s.Snapshot != nil && p.Entry == "" && p.Leaf == ""
}

// promptAuthor is what prompts are signed with: readers did not write them.
func (s Audience) promptAuthor() string {
	if s.Snapshot == nil {
		return "You"
	}
	return orDefault(oneLine(s.Snapshot.SharedBy), "User")
}

// leafTitle is what stands behind the last entry of the path to the leaf.
func (s Audience) leafTitle() string {
	switch {
	case s.Snapshot == nil || s.Snapshot.Live:
		return "Current leaf"
	case s.Snapshot.Shared:
		return "End of what was shared"
	}
	return "End of what was exported"
}

// ExportHeader is what a page says to its readers that was exported from a session.
func (b *Builder) ExportHeader(t *session.Tree, made time.Time) *components.SnapshotHeader {
	format := t.Header().Format
	return &components.SnapshotHeader{
		Made: b.timeModel(made), Format: format, FormatTitle: b.formatTitle(format), FormatGlyph: b.formatGlyph(format), Project: ProjectName(t), Entries: t.Len(),
	}
}
