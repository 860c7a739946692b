package hub

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session/team"
	"sessiontree/internal/testgen/transcript"
)

// A search reads the output of tools in a session until it is older than its project says, and then
// if somebody asks for it. Prompts are always searched.
func TestSearch_OldSessions(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ada := f.addMember("Ada", team.Admin)
	f.clock.Store(int64(-100 * 24 * time.Hour))
	file := transcript.New(transcript.Pi, "s1", "/home/dev/atlas", f.now())
	file.AddPrompt("plant a kumquat")
	file.AddBashCall("", "ls", "orchard", false)
	path := ada.push(file, "s1.jsonl")
	f.clock.Store(0)
	ada.key(path)
	check := func(query string, finds, leftOut bool) {
		t.Helper()
		_, body := ada.get("/search/stream?q=" + query)
		if !strings.Contains(body, `"done":true`) || strings.Contains(body, "/sessions/") != finds || strings.Contains(body, `"onlyTexts":1`) != leftOut {
			t.Errorf("%s: want a result %t, something left out %t; got %s", query, finds, leftOut, body[:min(len(body), 500)])
		}
	}
	check("orchard", false, true)
	check("kumquat", true, true)
	check("role:prompt+kumquat", true, false)
	check("orchard&all=1", true, false)
	if _, page := ada.get("/search?plain=1&q=kumquat"); !strings.Contains(page, "In 1 old session only prompts") || !strings.Contains(page, "all=1&amp;q=kumquat") {
		t.Errorf("the page without script does not say what was left out")
	}
	for _, c := range []struct {
		days  string
		finds bool
	}{{"180", true}, {"30", false}, {"0", true}} {
		form := url.Values{"name": {"atlas"}, "visibility": {"private"}, "days": {"0"}, "search": {c.days}}
		if status, body := ada.do(http.MethodPost, "/team/projects", form); status != http.StatusOK && status != http.StatusSeeOther {
			t.Fatalf("setting %s days: status %d, %s", c.days, status, body)
		}
		check("orchard", c.finds, !c.finds)
	}
}
