package view

import (
	"net/url"
	"time"

	"sessiontree/internal/session/export"
	"sessiontree/internal/session/share"
	"sessiontree/web/components"
)

// Shares lists links, the newest first. there says whether a session that one was
// made of can be opened.
func (b *Builder) Shares(p components.Page, all []share.Share, now time.Time, there func(*share.Share) bool) components.SharesModel {
	m := components.SharesModel{Page: p}
	m.Page.Live = ""
	for i := range all {
		row := b.shareRow(&all[i], now)
		if there(&all[i]) {
			row.Source = shareSource(&all[i])
		}
		if row.Open {
			m.Open++
		}
		m.Shares = append(m.Shares, row)
	}
	return m
}

func (b *Builder) shareRow(s *share.Share, now time.Time) components.ShareRow {
	open := s.State(now) == share.Open
	r := components.ShareRow{
		ID: s.ID, Title: orWord(oneLine(s.Title), "A session"), Note: oneLine(s.Note), Open: open, Live: s.Live && open, State: b.shareState(s, now),
		Why: visible(s.Why), Made: b.clock(s.Created), Visits: plural(s.Visits, "visit", "visits"), Visited: b.clock(s.Visited),
		Facts: []string{shareSize(s), fileSize(s.Bytes)}, Post: "/shares/" + s.ID + "/forget", Verb: "Remove",
	}
	if open || s.State(now) == share.Damaged {
		r.Post, r.Verb = "/shares/"+s.ID+"/revoke", "Revoke"
	}
	n := 0
	for _, c := range s.Redacted {
		n += c.Count
	}
	if n > 0 {
		r.Facts = append(r.Facts, plural(n, "value", "values")+" redacted")
	}
	return r
}

func shareSize(s *share.Share) string {
	if s.Of > s.Entries {
		return comma(s.Entries) + " of " + plural(s.Of, "entry", "entries")
	}
	return plural(s.Entries, "entry", "entries")
}

// shareState says whether a link can be opened, and until when.
func (b *Builder) shareState(s *share.Share, now time.Time) string {
	switch s.State(now) {
	case share.Revoked:
		return "Revoked " + b.day(s.Revoked, now)
	case share.Expired:
		return "Expired " + b.day(s.Expires, now)
	case share.Lost:
		return "Its file was deleted"
	case share.Damaged:
		return "Damaged: " + s.Damage
	}
	if s.Expires.IsZero() {
		return "Open until you revoke it"
	}
	return "Open until " + b.day(s.Expires, now)
}

// shareSource leads to what a share was made of.
func shareSource(s *share.Share) *components.Link {
	l := &components.Link{Text: orWord(oneLine(s.Source.Name), "its session"), Href: sessionURL(s.Source.Key)}
	if s.Source.Entry != "" && s.Source.Scope != export.Tree {
		l.Href += "?entry=" + url.QueryEscape(s.Source.Entry)
	}
	return l
}

// Reader is what a share's page says to its readers. Nothing of the source is told
// but its size.
func (b *Builder) Reader(s *share.Share, base, project, format string, now time.Time) *components.ReaderModel {
	n := 0
	for _, c := range s.Redacted {
		n += c.Count
	}
	b = b.to(Stand{Reader: &components.ReaderModel{}})
	return &components.ReaderModel{
		Title: orWord(oneLine(s.Title), "A session"), Note: oneLine(s.Note), By: oneLine(s.By), Made: b.clock(s.Created), Expires: b.clock(s.Expires), Never: s.Expires.IsZero(),
		Format: format, FormatTitle: b.formatTitle(format), FormatGlyph: b.formatGlyph(format), Project: visible(project),
		Entries: s.Entries, Of: s.Of, Redacted: n, Live: s.Live, Shared: true,
		HTML: base + "/download?as=html", JSONL: base + "/download?as=jsonl",
	}
}
