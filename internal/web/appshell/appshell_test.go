package appshell

import (
	"encoding/json"
	"io/fs"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"

	"sessiontree/web/static"
)

// The worker keeps every file that the offline page loads, and nothing else.
func TestWorkerKeepsOfflinePage(t *testing.T) {
	t.Parallel()
	r := chi.NewRouter()
	AddRoutes(r)
	get := func(address string) *httptest.ResponseRecorder {
		rec := httptest.NewRecorder()
		r.ServeHTTP(rec, httptest.NewRequest("GET", address, nil))
		if rec.Code != 200 {
			t.Fatalf("%s: status %d", address, rec.Code)
		}
		return rec
	}
	worker := get("/worker.js")
	if got := worker.Header().Get("Cache-Control"); got != "no-cache" {
		t.Errorf("Cache-Control of the worker = %q, want no-cache", got)
	}
	first, _, _ := strings.Cut(worker.Body.String(), "\n")
	var kept keptFiles
	if err := json.Unmarshal([]byte(strings.TrimSuffix(strings.TrimPrefix(first, "const SHELL = "), ";")), &kept); err != nil {
		t.Fatalf("%s: %v", first, err)
	}
	page := get(kept.Page).Body.String()
	if !strings.Contains(page, "The explorer is not running") || !strings.Contains(page, "explorer serve") {
		t.Errorf("the page says\n%s", page)
	}
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`/static/[^"]+\.[^"]+`).FindAllString(page, -1) {
		used[m] = true
	}
	used[static.Prefix()+"/js/offline.js?offline"] = true // loaded by boot.js
	for _, file := range kept.Files {
		if !used[file] {
			t.Errorf("the worker keeps %s, which the page does not use", file)
		}
		delete(used, file)
	}
	if len(used) > 0 {
		t.Errorf("the worker does not keep %v", used)
	}
	for _, file := range kept.Files {
		if !strings.HasSuffix(file, "?offline") {
			t.Errorf("the worker has a part in requests of other pages for %s", file)
		}
	}
}

// The manifest names icons that exist.
func TestManifest(t *testing.T) {
	t.Parallel()
	data, err := fs.ReadFile(static.Files(), "img/app.webmanifest")
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Name, Display string
		StartURL      string `json:"start_url"`
		Icons         []struct{ Src, Sizes, Purpose string }
	}
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	if m.Name == "" || m.StartURL != "/" || m.Display != "standalone" || len(m.Icons) != 3 {
		t.Errorf("manifest %+v", m)
	}
	for _, icon := range m.Icons {
		if _, err := fs.Stat(static.Files(), "img/"+icon.Src); err != nil {
			t.Error(err)
		}
	}
}
