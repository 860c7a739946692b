package components

import (
	"strings"
	"testing"

	"github.com/a-h/templ"
)

func fixtureShare(text string) ShareModel {
	return ShareModel{
		Page: fixturePage(text), Back: Link{Text: text, Href: "/sessions/abc"}, Title: text, Post: "/sessions/abc/shares",
		Hidden: []Pair{{"entry", text}}, Name: text, Note: text, SharedBy: text, Download: "/sessions/abc/export?as=html&ask=1&scope=tree",
		Parts:    []ShareChoice{{Value: "below", Text: text, Count: "4 entries", On: true}, {Value: "all", Text: text, Count: "9 entries"}},
		Expiry:   []ShareChoice{{Value: "1", Text: "1 day", Say: text}, {Value: "7", Text: "7 days", Say: text, On: true}},
		Include:  []IncludeOption{{Text: text, Count: "3 entries", Always: true}, {Name: "branches", Text: text, Count: "1 branch", On: true}},
		Findings: ShareFindings{Title: text, More: text, Found: []FindingModel{{Kind: text, ValueID: "value:00", Excerpt: text, On: true, Place: Link{Text: text, Href: "javascript:alert(1)"}, Count: "1"}}, Classes: []FindingClass{{Name: "keys", Text: text, Count: "1", On: true}}},
	}
}

// shareFixtures returns the pages about shares with text in all fields that come from
// outside.
func shareFixtures(text string) map[string]templ.Component {
	share := fixtureShare(text)
	again := share
	again.Alert, again.Parts = &Alert{Kind: "error", Strong: text, Text: text}, share.Parts[:1]
	refused := share
	refused.Reason = text
	return map[string]templ.Component{
		"share-form.html":    ShareForm(share),
		"share-again.html":   SharePage(again),
		"share-refused.html": ShareForm(refused),
		"share-made.html": CreatedSharePage(CreatedShareModel{Page: fixturePage(text), Back: share.Back, Title: text, Link: "http://atlas.lan/share/" + text, Until: text,
			Say: []string{text}, QRCode: &QRCodeModel{Size: 29, Path: "M4 4h7v1h-7z"}, Local: true}),
		"share-list.html": SharesPage(SharesModel{Page: fixturePage("Shares"), Where: text, Open: 1, Message: text, Shares: []ShareRow{
			{ID: "0a1b2c3d", Title: text, Open: true, Live: true, State: text, Source: &Link{Text: text, Href: "/sessions/abc"}, Facts: []string{text},
				Made: at("2026-11-20T09:00:00Z"), Visits: "2 visits", Visited: at("2026-11-21T01:29:00Z"), Post: "/shares/0a1b2c3d/revoke", Verb: "Revoke"},
			{ID: "0a1b2c3e", Title: text, State: text, Why: text, Made: at("2026-11-20T09:00:00Z"), Visits: "0 visits", Post: "/shares/0a1b2c3e/forget", Verb: "Remove"},
		}}),
		"share-none.html": SharesList(SharesModel{}),
		"share-end.html":  ShareErrorPage(ShareErrorModel{Page: fixturePage(text), Status: 410, Title: text, Text: text, Link: &Link{Text: text, Href: "/share/abc"}}),
	}
}

func TestShare_HostileText(t *testing.T) {
	for name, c := range shareFixtures(`"><script>alert(1)</script><img src=x onerror=alert(1)>`) {
		got := render(t, c)
		for _, bad := range []string{"<script>alert", "<img src=x", ` href="javascript:`} {
			if strings.Contains(got, bad) {
				t.Errorf("%s has %q", name, bad)
			}
		}
	}
}

// The error page of a link must not reveal other pages.
func TestShareErrorPage(t *testing.T) {
	got := render(t, ShareErrorPage(ShareErrorModel{Page: fixturePage("x"), Status: 404, Title: "x", Text: "x"}))
	for _, bad := range []string{`href="/"`, "/sessions", "/shares"} {
		if strings.Contains(got, bad) {
			t.Errorf("it has %s", bad)
		}
	}
}
