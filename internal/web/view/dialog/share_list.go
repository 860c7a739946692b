package dialog

import (
	"cmp"
	"net/url"
	"time"

	"sessiontree/internal/session/export"
	"sessiontree/internal/session/share"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// ShareListModel lists shares, the newest first. there reports whether the source session
// of a share can be opened.
func ShareListModel(c view.Config, p components.Page, all []share.Share, now time.Time, there func(*share.Share) bool) components.SharesModel {
	m := components.SharesModel{Page: p}
	m.Page.Live = ""
	for i := range all {
		row := buildShareRow(c, &all[i], now)
		if there(&all[i]) {
			row.Source = shareSourceLink(&all[i])
		}
		if row.Open {
			m.Open++
		}
		m.Shares = append(m.Shares, row)
	}
	return m
}

func buildShareRow(c view.Config, s *share.Share, now time.Time) components.ShareRow {
	open := s.StateAt(now) == share.Open
	r := components.ShareRow{
		ID: s.ID, Title: cmp.Or(view.OneLine(s.Title), "A session"), Note: view.OneLine(s.Note), Open: open, Live: s.Live && open, State: shareStateText(c, s, now),
		Why: view.EscapeInvisible(s.RevokeReason), Made: c.TimeModel(s.Created), Visits: components.Pluralize(s.Visits, "visit", "visits"), Visited: c.TimeModel(s.Visited),
		Facts: []string{shareSizeText(s), view.FormatFileSize(s.Bytes)}, Post: "/shares/" + s.ID + "/forget", Verb: "Remove",
	}
	if open || s.StateAt(now) == share.Damaged {
		r.Post, r.Verb = "/shares/"+s.ID+"/revoke", "Revoke"
	}
	n := 0
	for _, class := range s.Redacted {
		n += class.Count
	}
	if n > 0 {
		r.Facts = append(r.Facts, components.Pluralize(n, "value", "values")+" redacted")
	}
	return r
}

func shareSizeText(s *share.Share) string {
	if s.SessionEntries > s.Entries {
		return components.FormatCount(s.Entries) + " of " + components.Pluralize(s.SessionEntries, "entry", "entries")
	}
	return components.Pluralize(s.Entries, "entry", "entries")
}

// shareStateText returns whether a link can be opened, and until when.
func shareStateText(c view.Config, s *share.Share, now time.Time) string {
	switch s.StateAt(now) {
	case share.Revoked:
		return "Revoked " + c.FormatDay(s.Revoked, now)
	case share.Expired:
		return "Expired " + c.FormatDay(s.Expires, now)
	case share.Lost:
		return "Its file was deleted"
	case share.Damaged:
		return "Damaged: " + s.Damage
	}
	if s.Expires.IsZero() {
		return "Open until you revoke it"
	}
	return "Open until " + c.FormatDay(s.Expires, now)
}

// shareSourceLink links to the source session of a share.
func shareSourceLink(s *share.Share) *components.Link {
	l := &components.Link{Text: cmp.Or(view.OneLine(s.Source.Name), "its session"), Href: view.SessionURL(s.Source.Key)}
	if s.Source.Entry != "" && s.Source.Scope != export.Tree {
		l.Href += "?entry=" + url.QueryEscape(s.Source.Entry)
	}
	return l
}

// ShareHeader returns the header of the share's page at base. An empty project is not
// shown.
func ShareHeader(c view.Config, s *share.Share, base, project, format string, now time.Time) *components.SnapshotHeader {
	n := 0
	for _, class := range s.Redacted {
		n += class.Count
	}
	c = c.ForAudience(view.Audience{Snapshot: &components.SnapshotHeader{}})
	return &components.SnapshotHeader{
		Title: cmp.Or(view.OneLine(s.Title), "A session"), Note: view.OneLine(s.Note), SharedBy: view.OneLine(s.SharedBy), Made: c.TimeModel(s.Created), Expires: c.TimeModel(s.Expires), Never: s.Expires.IsZero(),
		Format: format, FormatTitle: c.TitleOfFormat(format), FormatGlyph: c.GlyphOfFormat(format), Project: view.EscapeInvisible(project),
		Entries: s.Entries, SessionEntries: s.SessionEntries, Redacted: n, Live: s.Live, Shared: true,
		HTML: base + "/download?as=html", JSONL: base + "/download?as=jsonl",
	}
}
