package view

import (
	"cmp"
	"time"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// Audience is who a session is shown to, and how.
type Audience struct {
	// Base is the start of the session's addresses: "" is /sessions/KEY; others are
	// "/share/TOKEN", or "#" in an HTML export.
	Base string
	// Snapshot is set for viewers of a share or an export, who cannot change anything.
	Snapshot *components.SnapshotHeader
	// Standalone disables truncation: there is no server to request the rest from.
	Standalone bool
}

// sessionBase returns the address of a session's page.
func (s Audience) sessionBase(key string) string {
	if s.Base != "" {
		return s.Base
	}
	return sessionURL(key)
}

// entryLimits returns how much of an entry a page of the path shows.
func (s Audience) entryLimits() itemLimits {
	if s.Standalone {
		return standaloneLimits
	}
	return pageLimits
}

// ReadsFromStart reports whether a view begins with the first entry: viewers of a snapshot
// read it from the beginning.
func (s Audience) ReadsFromStart(p Params) bool {
	return s.Snapshot != nil && p.Entry == "" && p.Leaf == ""
}

// promptAuthor returns the author shown for prompts, which viewers of a snapshot did not
// write.
func (s Audience) promptAuthor() string {
	if s.Snapshot == nil {
		return "You"
	}
	return cmp.Or(oneLine(s.Snapshot.SharedBy), "User")
}

// leafTitle returns the title of the item after the last entry on the path to the leaf.
func (s Audience) leafTitle() string {
	switch {
	case s.Snapshot == nil || s.Snapshot.Live:
		return "Current leaf"
	case s.Snapshot.Shared:
		return "End of what was shared"
	}
	return "End of what was exported"
}

// ExportHeader returns the header of an exported page.
func (c Config) ExportHeader(t *session.Tree, made time.Time) *components.SnapshotHeader {
	format := t.Header().Format
	return &components.SnapshotHeader{
		Made: c.timeModel(made), Format: format, FormatTitle: c.TitleOfFormat(format), FormatGlyph: c.GlyphOfFormat(format), Project: ProjectName(t), Entries: t.Len(),
	}
}
