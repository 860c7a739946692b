package view

import (
	"cmp"
	"net/url"
	"time"

	"sessiontree/internal/session/export"
	"sessiontree/internal/session/share"
	"sessiontree/web/components"
)

// ShareListModel lists shares, the newest first. there reports whether the source session
// of a share can be opened.
func ShareListModel(c Config, p components.Page, all []share.Share, now time.Time, there func(*share.Share) bool) components.SharesModel {
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

func buildShareRow(c Config, s *share.Share, now time.Time) components.ShareRow {
	open := s.StateAt(now) == share.Open
	r := components.ShareRow{
		ID: s.ID, Title: cmp.Or(oneLine(s.Title), "A session"), Note: oneLine(s.Note), Open: open, Live: s.Live && open, State: shareStateText(c, s, now),
		Why: escapeInvisible(s.RevokeReason), Made: c.timeModel(s.Created), Visits: components.Pluralize(s.Visits, "visit", "visits"), Visited: c.timeModel(s.Visited),
		Facts: []string{shareSizeText(s), formatFileSize(s.Bytes)}, Post: "/shares/" + s.ID + "/forget", Verb: "Remove",
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
func shareStateText(c Config, s *share.Share, now time.Time) string {
	switch s.StateAt(now) {
	case share.Revoked:
		return "Revoked " + c.formatDay(s.Revoked, now)
	case share.Expired:
		return "Expired " + c.formatDay(s.Expires, now)
	case share.Lost:
		return "Its file was deleted"
	case share.Damaged:
		return "Damaged: " + s.Damage
	}
	if s.Expires.IsZero() {
		return "Open until you revoke it"
	}
	return "Open until " + c.formatDay(s.Expires, now)
}

// shareSourceLink links to the source session of a share.
func shareSourceLink(s *share.Share) *components.Link {
	l := &components.Link{Text: cmp.Or(oneLine(s.Source.Name), "its session"), Href: sessionURL(s.Source.Key)}
	if s.Source.Entry != "" && s.Source.Scope != export.Tree {
		l.Href += "?entry=" + url.QueryEscape(s.Source.Entry)
	}
	return l
}

// ShareHeader returns the header of the share's page at base. An empty project is not
// shown.
func ShareHeader(c Config, s *share.Share, base, project, format string, now time.Time) *components.SnapshotHeader {
	n := 0
	for _, class := range s.Redacted {
		n += class.Count
	}
	c = c.forAudience(Audience{Snapshot: &components.SnapshotHeader{}})
	return &components.SnapshotHeader{
		Title: cmp.Or(oneLine(s.Title), "A session"), Note: oneLine(s.Note), SharedBy: oneLine(s.SharedBy), Made: c.timeModel(s.Created), Expires: c.timeModel(s.Expires), Never: s.Expires.IsZero(),
		Format: format, FormatTitle: c.TitleOfFormat(format), FormatGlyph: c.GlyphOfFormat(format), Project: escapeInvisible(project),
		Entries: s.Entries, SessionEntries: s.SessionEntries, Redacted: n, Live: s.Live, Shared: true,
		HTML: base + "/download?as=html", JSONL: base + "/download?as=jsonl",
	}
}
