package web

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/testgen/workload"
	"sessiontree/internal/web/view/palette"
)

func TestShowBranches(t *testing.T) {
	s := newSite(t)
	k := newConversation(s)
	page := s.getOK(k.base + "/branches?sort=cost")
	for _, want := range []string{"<!doctype html>", `data-panel="branches"`, `aria-sort="descending"`, "<title>Branches, ", `id="path"`} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if got := page.Header.Get("Cache-Control"); got != cacheNever {
		t.Errorf("Cache-Control = %q", got)
	}
	panel := s.getOK(k.base + "/branches?part=panel")
	if strings.Contains(panel.body, "<!doctype") || !strings.Contains(panel.body, `id="branch-panel"`) {
		t.Errorf("the panel is %.200s", panel.body)
	}
	rows := s.getOK(k.base + "/branches?part=rows&at=1&n=1")
	if strings.Count(rows.body, `role="row"`) != 1 || !strings.Contains(rows.body, `data-row="1"`) || !strings.Contains(rows.body, `data-total="2"`) {
		t.Errorf("the rows are %s", rows.body)
	}
	for url, status := range map[string]int{"/branches?sort=size": 422, "/branches?order=x": 422, "/branches?part=rows&at=-1": 422, "/branches?entry=gone": 404} {
		if a := s.get(k.base + url); a.StatusCode != status {
			t.Errorf("GET %s: status %d, want %d", url, a.StatusCode, status)
		}
	}
}

func TestShowComparison(t *testing.T) {
	s := newSite(t)
	k := newConversation(s)
	url := k.base + "/compare?a=" + k.first + "&b=" + k.otherTip
	if a := s.getOK(url); !strings.Contains(a.body, "<!doctype html>") || !strings.Contains(a.body, "Both branch off after") {
		t.Errorf("the page is %.300s", a.body)
	}
	if a := s.getOK(url + "&tab=files"); !strings.Contains(a.body, `id="panel-talk" aria-labelledby="tab-talk" hidden`) {
		t.Errorf("the page with files is %.300s", a.body)
	}
	if a := s.getOK(k.base + "/compare"); !strings.Contains(a.body, `class="compare-heads"`) {
		t.Errorf("the page for the newest branches is %.300s", a.body)
	}
	for query, status := range map[string]int{"a=" + k.first + "&b=gone": 404, "tab=all": 422, "from=-1": 422, strings.Repeat("&with=x", 2): 404} {
		if a := s.get(k.base + "/compare?" + query); a.StatusCode != status {
			t.Errorf("GET compare?%s: status %d, want %d", query, a.StatusCode, status)
		}
	}
}

func TestShowComparison_oneBranch(t *testing.T) {
	s := newSite(t)
	tr := newTranscript("one")
	tr.chain(4)
	a := s.get(s.open(s.write("one.jsonl", tr)) + "/compare")
	if a.StatusCode != 404 || !strings.Contains(a.body, "Nothing to compare") {
		t.Errorf("status %d, %.300s", a.StatusCode, a.body)
	}
}

// newLargeSite returns a site with a session of 106 MB and 500 branches, and the URL of that.
func newLargeSite(b *testing.B) (*site, string) {
	b.Helper()
	s := newSite(b)
	path := filepath.Join(s.dir, "large.jsonl")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	spec := workload.Spec{Seed: 3, Cwd: "/home/dev/work/large", Start: time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC), Bytes: 106_000_000, Branches: 500}
	if _, err := workload.WriteSession(f, spec); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return s, s.open(path)
}

// BenchmarkShowBranches opens the list of 500 branches of a session of 106 MB, and a window
// of it.
func BenchmarkShowBranches(b *testing.B) {
	s, url := newLargeSite(b)
	for _, query := range []string{"part=panel", "part=panel&sort=name&find=e", "part=rows&at=300&n=200"} {
		b.Run(query, func(b *testing.B) {
			for b.Loop() {
				if a := s.getOK(fmt.Sprint(url, "/branches?", query)); len(a.body) < 1000 {
					b.Fatal(a.body)
				}
			}
		})
	}
}

// BenchmarkShowComparison compares the path of the same session with its newest branch.
func BenchmarkShowComparison(b *testing.B) {
	s, url := newLargeSite(b)
	for b.Loop() {
		if a := s.getOK(url + "/compare"); len(a.body) < 1000 {
			b.Fatal(a.body)
		}
	}
}

func TestServePaletteChoices(t *testing.T) {
	s := newSite(t)
	k := newConversation(s)
	key := strings.TrimPrefix(k.base, "/sessions/")
	a := s.getOK("/palette?q=e&session=" + key)
	var found palette.Choices
	if err := json.Unmarshal([]byte(a.body), &found); err != nil {
		t.Fatal(err)
	}
	if found.Entries.Total == 0 || !strings.HasPrefix(found.Entries.Items[0].Href, k.base+"?entry=") || a.Header.Get("Cache-Control") != cacheNever {
		t.Errorf("%s", a.body)
	}
	for url, status := range map[string]int{"/palette?q=x&session=gone": 404, "/palette?q=" + strings.Repeat("x", 2000): 422} {
		if a := s.get(url); a.StatusCode != status {
			t.Errorf("GET %.40s: status %d, want %d", url, a.StatusCode, status)
		}
	}
}
