package view

import (
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
	"sessiontree/web/components"
)

// Stand is where a session is shown, and as what.
type Stand struct {
	// Base is what its addresses begin with: "" is /sessions/KEY, else "/share/TOKEN",
	// or "#" in a page that stands by itself.
	Base string
	// Reader is set for readers, who can change nothing.
	Reader *components.ReaderModel
	// Whole leaves pieces of entries uncut: there is no server to ask for the rest.
	Whole bool
}

// Shown is a session as somebody is shown it.
type Shown struct {
	*store.Session
	Stand Stand
}

// Growing reports whether somebody writes the session now, as far as those who are
// shown it hear of that.
func (s Shown) Growing(now time.Time) bool {
	if s.Stand.Reader != nil && !s.Stand.Reader.Live {
		return false
	}
	return s.Gone() == nil && Live(s.AgentWrote(), now)
}

// to is the builder for those who are shown a session so. Readers are told times in
// UTC: the zone would say where they were sent from. Script writes them in theirs.
func (b *Builder) to(s Stand) *Builder {
	if s.Reader == nil {
		return b
	}
	own := *b
	own.zone = time.UTC
	return &own
}

// base is the address of a session's page.
func (s Stand) base(key string) string {
	if s.Base != "" {
		return s.Base
	}
	return sessionURL(key)
}

// limits is how much of an entry a page of the path shows.
func (s Stand) limits() limits {
	if s.Whole {
		return readerLimits
	}
	return pageLimits
}

// FromStart reports whether a view begins with the first entry: who is sent a session
// reads it from its beginning.
func (s Stand) FromStart(p Params) bool { return s.Reader != nil && p.Entry == "" && p.Leaf == "" }

// user is what prompts are signed with: readers did not write them.
func (s Stand) user() string {
	if s.Reader == nil {
		return "You"
	}
	return orWord(oneLine(s.Reader.By), "User")
}

// ending is what stands behind the last entry of the path to the leaf.
func (s Stand) ending() string {
	switch {
	case s.Reader == nil || s.Reader.Live:
		return "Current leaf"
	case s.Reader.Shared:
		return "End of what was shared"
	}
	return "End of what was exported"
}

// Exported is what a page says to its readers that was exported from a session.
func (b *Builder) Exported(t *session.Tree, made time.Time) *components.ReaderModel {
	format := t.Header().Format
	return &components.ReaderModel{
		Made: b.clock(made), Format: format, FormatTitle: b.formatTitle(format), FormatGlyph: b.formatGlyph(format), Project: Project(t), Entries: t.Len(),
	}
}
