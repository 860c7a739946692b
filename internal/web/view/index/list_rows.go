package index

import (
	"cmp"
	"time"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// lineage finds which sessions were forked from which.
type lineage struct {
	sessions map[string]*catalog.Summary // by path and id, which others record as their parent
	forks    map[string]int              // number of forks by key
}

func newLineage(all []catalog.Summary) lineage {
	l := lineage{make(map[string]*catalog.Summary, 2*len(all)), map[string]int{}}
	for i := range all {
		l.sessions[all[i].ID] = &all[i]
	}
	for i := range all {
		l.sessions[all[i].Path] = &all[i]
	}
	for i := range all {
		if parent := l.parentOf(&all[i]); parent != nil {
			l.forks[parent.Key]++
		}
	}
	return l
}

// parentOf returns the session that s was forked from, or nil.
func (l lineage) parentOf(s *catalog.Summary) *catalog.Summary {
	if s.Parent == "" {
		return nil
	}
	if parent := l.sessions[s.Parent]; parent != nil && parent.Key != s.Key {
		return parent
	}
	return nil
}

// SessionRowModel returns the row of a single session, without the session that it was
// forked from.
func SessionRowModel(c view.Config, s *catalog.Summary, now time.Time) components.SessionRow {
	return newRowBuilder(c, LibraryState{}, Params{}, now).buildRow(s)
}

func (b *rowBuilder) buildRow(s *catalog.Summary) components.SessionRow {
	c := b.config
	r := components.SessionRow{
		Key:         s.Key,
		Href:        view.SessionURL(s.Key),
		Title:       SummaryTitle(s),
		Format:      s.Format,
		FormatTitle: c.TitleOfFormat(s.Format),
		FormatGlyph: c.GlyphOfFormat(s.Format),
		Cost:        view.FormatDollars(s.Cost),
		Forks:       s.Branches,
		Agents:      s.Agents,
		Labels:      s.Labels,
		Notes:       s.Notes,
		Damage:      s.Damage,
		Starred:     b.visits.IsStarred(s),
		Unread:      isUnread(b.visits, s),
		Live:        s.IsLive(b.calendar.now),
		Large:       s.Size >= view.LargeSession,
		Active:      c.TimeModel(s.Modified),
		Shape:       drawSessionShape(s.Shape, s.Entries),
		Running:     s.IsRunning(b.calendar.now),
		Waiting:     s.IsWaiting(b.calendar.now),
		ForkedTo:    b.lineage.forks[s.Key],
		Deleted:     s.Deleted,
		CanRestore:  s.Deleted && b.keep.CanRestore,
		DeletedSoon: b.deletedSoonText(s),
	}
	if b.byDate {
		r.Project, r.ActiveText = b.projectName(s), b.calendar.formatActive(s)
		r.Files, r.Added, r.Removed = s.FilesChanged, s.LinesAdded, s.LinesRemoved
	} else {
		r.Model, r.Messages = view.OneLine(s.Model), s.Messages
	}
	if s.Name != "" {
		r.Subtitle = view.OneLine(rowtext.Cut(s.FirstMessage, view.MaxRowRunes))
	}
	if parent := b.lineage.parentOf(s); parent != nil {
		r.ForkedFrom = components.Link{Text: "Forked from “" + SummaryTitle(parent) + "”", Href: view.SessionURL(parent.Key)}
	}
	return r
}

// SummaryTitle returns the title of a session: its name, or its first prompt.
func SummaryTitle(s *catalog.Summary) string { return summaryTitle(s, view.MaxRowRunes) }

// summaryTitle returns the title with at most the given runes of the first prompt.
func summaryTitle(s *catalog.Summary, promptRunes int) string {
	name := cmp.Or(view.OneLine(rowtext.Cut(s.Name, view.MaxRowRunes)), view.OneLine(rowtext.Cut(s.FirstMessage, promptRunes)), view.OneLine(s.ID), view.FileTitle(s.Path))
	if s.Orphaned {
		return "Sub-agents (parent session deleted): " + name
	}
	return name
}
