package components

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/a-h/templ"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the goldens")

func fixtures() map[string]templ.Component {
	session := fixtureSession()
	away := fixtureSession()
	away.View.AtLeaf, away.Live = false, false
	away.Banners = []Banner{{Kind: "warn", Strong: "The file ends on an abandoned branch.", Text: "Newer activity is elsewhere.", Action: &Link{Text: "Show it", Href: "?entry=e1"}}}
	away.Banners[0].Change = &Link{Text: "Repair…", Href: "/sessions/abc/repair"}
	away.Capabilities = CapabilitiesModel{Branch: "Migrate the file first.", OldVersion: true}
	away.Notes = []NoteModel{{Code: "bad-line", Text: "Unterminated string", Line: 1418, RawHref: "/lines/1418"}, {Code: "orphan", Text: "Parent a91e0c77 is not in the file", Href: "?entry=e25"}}
	away.Facts.Hits = 1
	empty := SessionsModel{Page: fixturePage("Sessions"), Complete: true, SessionDirs: []string{"~/.pi/agent/sessions"}}
	whole := BlockModel{Kind: "out", Text: "all of it"}
	all := changeFixtures()
	maps.Copy(all, shareFixtures("a <text>"))
	maps.Copy(all, keepFixtures())
	maps.Copy(all, teamFixtures())
	maps.Copy(all, map[string]templ.Component{
		"session.html":      SessionPage(session),
		"branch.html":       SessionPage(away),
		"loading.html":      LoadingPage(fixtureLoading(), LoadingText("Reading 44.8 of 106 MB")),
		"branches.html":     BranchPanel(fixtureBranches()),
		"nobranches.html":   BranchPanel(BranchPanelModel{Find: "kafka", Total: 63, Search: "/sessions/abc?q=kafka", Rows: BranchRowsModel{Count: 63}}),
		"context.html":      ContextPage(fixtureContext()),
		"recorded.html":     ContextContent(fixtureRecordedContext()),
		"facts.html":        SessionFacts(session),
		"rows.html":         Rows(session.Rows),
		"norows.html":       Rows(RowsModel{Selected: -1, Focus: -1, Empty: "No entry matches “watchr”", EmptyLink: &Link{Text: "Search all 1,050", Href: "?filter=all"}}),
		"path.html":         PathItems(session.Path),
		"sessions.html":     SessionsPage(fixtureSessions()),
		"empty.html":        SessionsPage(empty),
		"search.html":       SearchPage(fixtureSearch()),
		"files.html":        FilesPage(fixtureFiles()),
		"file_history.html": FileHistoryPage(fixtureFileHistory()),
		"map.html":          MapPage(fixtureMap()),
		"mappanel.html":     Map(fixtureMapPanel()),
		"now.html":          NowPage(fixtureNow()),
		"spend.html":        SpendPage(fixtureSpend()),
		"spendempty.html":   SpendPage(SpendModel{Page: fixturePage("Spend"), Projects: []Chip{{Text: "All projects"}}, Models: []Chip{{Text: "All models"}}, Empty: &SpendEmpty{Title: "No requests in these 7 days", Text: "The last one was on 12 November.", Action: &Link{Text: "Show 30 days", Href: "/spend"}}}),
		"spendread.html":    SpendPage(SpendModel{Page: fixturePage("Spend"), Projects: []Chip{{Text: "All projects"}}, Models: []Chip{{Text: "All models"}}, Reading: "Reading 1,001 sessions, 312 of 546 MB"}),
		"searcherror.html":  SearchError(SearchProblem{Title: "Invalid regular expression", Reason: "The ( is never closed.", Shown: `re:fs\.watch(File`, Caret: "            ^", AsText: `"fs\\.watch(File"`}),
		"entry.html":        EntryPage(EntryModel{Page: fixturePage("Entry e19"), Back: Link{Text: "Theme system port", Href: "/sessions/abc"}, Entry: "e19", CanChange: true, Item: session.Path.Items[3], RawText: "{\n  \"id\": \"e19\"\n}"}),
		"item.html":         EntryItem(EntryModel{Item: session.Path.Items[3]}),
		"block.html":        EntryBlock(EntryModel{Block: &whole}),
		"error.html":        ErrorPage(ErrorModel{Page: fixturePage("Not found"), Status: 404, Title: "No such session", Text: "The file may have been removed.", Links: []Link{{Text: "All sessions", Href: "/"}}}),
		"bydate.html":       SessionsPage(fixtureSessionsByDate()),
		"nomatch.html":      SessionsList(SessionsModel{Complete: true, Total: 9, Empty: &EmptyList{Title: "No labeled sessions today", Text: "2 sessions match without “Labeled”.", Action: "Remove Labeled", Href: "/?date=today"}}),
	})
	return all
}

func TestGolden(t *testing.T) {
	for name, c := range fixtures() {
		got := render(t, c)
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatalf("%v (make it with -update)", err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s differs (-want +got):\n%s", name, diff)
		}
	}
}
