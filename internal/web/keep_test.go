package web

import (
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session/format"
	"sessiontree/internal/session/keep"
	"sessiontree/internal/session/redact"
	"sessiontree/internal/session/roots"
)

// keepSite is a site whose sessions are copied.
type keepSite struct {
	*site
	keeper *keep.Keeper
	path   string // of a session of Claude Code
}

const keepSessionID = "11111111-0000-4000-8000-000000000000"

// newKeepSite returns a site with one session, which Claude Code deletes in four days.
func newKeepSite(t *testing.T, change ...func(*siteConfig)) *keepSite {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(top, ".claude", "projects")
	k := &keepSite{path: filepath.Join(dir, "-p", keepSessionID+".jsonl")}
	if err := os.MkdirAll(filepath.Dir(k.path), 0o700); err != nil {
		t.Fatal(err)
	}
	lines := `{"type":"user","uuid":"00000000-0000-4000-8000-000000000001","parentUuid":null,"sessionId":"` + keepSessionID + `","cwd":"/p","timestamp":"2026-03-01T10:00:00.000Z","version":"2.1.0","message":{"role":"user","content":"find the pineapple"}}` + "\n" +
		`{"type":"assistant","uuid":"00000000-0000-4000-8000-000000000002","parentUuid":"00000000-0000-4000-8000-000000000001","sessionId":"` + keepSessionID + `","cwd":"/p","timestamp":"2026-03-01T10:00:05.000Z","version":"2.1.0","message":{"id":"m1","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"found"}],"usage":{"input_tokens":3,"output_tokens":5}}}` + "\n"
	if err := os.WriteFile(k.path, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-26 * 24 * time.Hour)
	if err := os.Chtimes(k.path, old, old); err != nil {
		t.Fatal(err)
	}
	set, err := roots.New([]string{dir}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	k.site = newSiteIn(t, dir, append(change, func(c *siteConfig) {
		k.keeper = keep.New(keep.Config{StateDir: c.state, Roots: set, Formats: format.All, OnChange: func() {
			if k.site != nil && k.site.Server != nil {
				k.KeepChanged()
			}
		}})
		c.Keeper = k.keeper
	})...)
	return k
}

// remove deletes the file of the session after it was copied.
func (k *keepSite) remove() {
	k.t.Helper()
	if err := k.keeper.KeepAll(k.t.Context()); err != nil {
		k.t.Fatal(err)
	}
	k.deleteFile()
}

func (k *keepSite) deleteFile() {
	k.t.Helper()
	if err := os.RemoveAll(filepath.Dir(k.path)); err != nil {
		k.t.Fatal(err)
	}
	k.Rescan(k.t.Context())
}

// submit submits the dialog and returns the list.
func (k *keepSite) submit(form url.Values) string {
	k.t.Helper()
	form.Set("back", "/?by=date")
	if a := k.post("/keep", form); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/?by=date" {
		k.t.Fatalf("status %d, to %q\n%.300s", a.StatusCode, a.Header.Get("Location"), a.body)
	}
	return k.getOK("/").body
}

func (k *keepSite) settings() keep.Settings {
	k.t.Helper()
	s, err := k.keeper.Settings()
	if err != nil {
		k.t.Fatal(err)
	}
	return s
}

func wantTexts(t *testing.T, what, body string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(body, text) {
			t.Errorf("%s: it does not contain %q", what, text)
		}
	}
}

// The list asks once whether copies are kept, and says when the agent deletes a session.
func TestKeep_Question(t *testing.T) {
	const question = "Claude Code deletes sessions after 30 days. Keep copies?"
	k := newKeepSite(t)
	k.fillCatalog()
	wantTexts(t, "the first list", k.getOK("/").body, question, "1 of your 1 sessions would be deleted before", "Deleted by Claude Code in 4 days", "Keep copies", `<span class="dim">off</span>`, "Deleted soon")
	list := k.submit(url.Values{"do": {"not-now"}})
	if strings.Contains(list, question) || k.settings().On {
		t.Error("the question is asked again, or copies are on")
	}
	other := newKeepSite(t)
	other.fillCatalog()
	list = other.submit(url.Values{"do": {"on"}})
	if strings.Contains(list, question) || !other.settings().On {
		t.Error("the question is asked again, or copies are off")
	}
	wantTexts(t, "the list", list, "Kept", "of 10 GB")
}

// The dialog switches copies on and off, pauses them, sets the limit, and deletes them after
// a second question.
func TestKeep_Dialog(t *testing.T) {
	k := newKeepSite(t)
	k.fillCatalog()
	wantTexts(t, "the dialog", k.getOK("/keep").body, "<!doctype", "1 session, Claude Code deletes after 30 days", "10 GB")
	k.submit(url.Values{"do": {"save"}, "on": {"1"}, "limit": {"20000000000"}})
	if s := k.settings(); !s.On || s.Limit() != 20e9 {
		t.Errorf("saved: %+v", s)
	}
	wantTexts(t, "paused", k.submit(url.Values{"do": {"pause"}}), "paused")
	if a := k.getOK("/keep?part=dialog").body; !strings.Contains(a, "Resume") || strings.Contains(a, "<!doctype") {
		t.Errorf("the paused dialog: %.300s", a)
	}
	k.submit(url.Values{"do": {"resume"}})
	k.remove()
	wantTexts(t, "the question", k.getOK("/keep?step=delete").body, "The copies of 1 session", "1 session exists", "Delete 1 copy")
	list := k.submit(url.Values{"do": {"delete"}})
	if strings.Contains(list, "pineapple") {
		t.Error("the session without a file and a copy is still listed")
	}
	k.submit(url.Values{"do": {"save"}, "limit": {"20000000000"}})
	if k.settings().On {
		t.Error("copies are still on")
	}
	for _, form := range []url.Values{{"do": {"none"}}, {"do": {"save"}, "limit": {"many"}}} {
		if a := k.post("/keep", form); a.StatusCode != http.StatusUnprocessableEntity && a.StatusCode != http.StatusBadRequest {
			t.Errorf("%v: status %d", form, a.StatusCode)
		}
	}
	if a := k.post("/keep", url.Values{"do": {"on"}}, header("Origin", "https://elsewhere.example")); a.StatusCode != http.StatusForbidden {
		t.Errorf("from another site: status %d", a.StatusCode)
	}
}

// A session whose file was deleted is listed, shown and exported, and restored with the same
// bytes.
func TestKeep_DeletedSession(t *testing.T) {
	k := newKeepSite(t)
	page := k.open(k.path)
	before, err := os.ReadFile(k.path)
	if err != nil {
		t.Fatal(err)
	}
	rows := k.getOK(page + "/rows").body
	k.remove()
	list := k.getOK("/").body
	wantTexts(t, "the list", list, "Kept, file deleted", "Restore file", "File deleted", `formaction="`+page+`/restore"`, "is-deleted")
	wantTexts(t, "the filter", k.getOK("/?deleted=1").body, "pineapple")
	wantTexts(t, "the other filter", k.getOK("/?soon=1").body, "No sessions with a file that is deleted soon")
	wantTexts(t, "the page", k.getOK(page).body, "The file was deleted.", "This is the kept copy.", "Restore file…", "pineapple", "Restore it to change the session.")
	if now := k.getOK(page + "/rows").body; rows != strings.ReplaceAll(now, attr(t, now, "data-rev"), attr(t, rows, "data-rev")) {
		t.Errorf("the rows are\n%s\nbefore\n%s", now, rows)
	}
	wantTexts(t, "the raw line", k.getOK(page+"/entries/00000000-0000-4000-8000-000000000001?raw=1").body, "pineapple")
	wantTexts(t, "the map", k.getOK(page+"/map").body, "pineapple")
	wantTexts(t, "the export", k.getOK(page+"/export?as=md&redact=none&scope=tree").body, "pineapple")
	wantTexts(t, "the restore dialog", k.getOK(page+"/restore").body, "Restore file", "with the same bytes")
	if a := k.post(page+"/fork", url.Values{"entry": {"00000000-0000-4000-8000-000000000002"}}); a.StatusCode < 400 || !strings.Contains(a.body, "Restore it to change the session.") {
		t.Errorf("fork: status %d\n%.300s", a.StatusCode, a.body)
	}

	a := k.post(page+"/restore", url.Values{"back": {"/?deleted=1"}})
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/?deleted=1" {
		t.Fatalf("restore: status %d to %q\n%.300s", a.StatusCode, a.Header.Get("Location"), a.body)
	}
	if now, err := os.ReadFile(k.path); err != nil || string(now) != string(before) {
		t.Errorf("the restored file: %v", err)
	}
	if list := k.getOK("/").body; strings.Contains(list, "file deleted") {
		t.Error("the restored session is listed as deleted")
	}
	if body := k.getOK(page).body; strings.Contains(body, "kept copy") {
		t.Error("the page of the restored session says that it is a copy")
	}
}

// The copy of a session whose file was deleted can be shared and compared like any session.
func TestKeep_DeletedSessionShared(t *testing.T) {
	k := newKeepSite(t, func(c *siteConfig) { c.Redactor = redact.New(redact.Options{Home: "/home/dev"}) })
	other := `{"type":"user","uuid":"00000000-0000-4000-8000-000000000003","parentUuid":"00000000-0000-4000-8000-000000000001","sessionId":"` + keepSessionID + `","cwd":"/p","timestamp":"2026-03-01T11:00:00.000Z","version":"2.1.0","message":{"role":"user","content":"find the mango"}}` + "\n"
	f, err := os.OpenFile(k.path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(other)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	page := k.open(k.path)
	k.remove()
	link := k.share(shareable{base: page}, url.Values{"chosen": {"1"}, "scope": {"all"}, "keep": {"7"}, "hold": {"branches"}})
	wantTexts(t, "the share", k.getOK(link).body, "find the mango")
	wantTexts(t, "the comparison", k.getOK(page+"/compare?a=00000000-0000-4000-8000-000000000002&b=00000000-0000-4000-8000-000000000003").body, "find the pineapple", "find the mango")
}

// A read-only explorer shows copies and their settings, and changes neither.
func TestKeep_ReadOnly(t *testing.T) {
	k := newKeepSite(t, func(c *siteConfig) { c.ReadOnly = true })
	page := k.open(k.path)
	k.remove()
	list := k.getOK("/").body
	wantTexts(t, "the list", list, "Kept, file deleted")
	if strings.Contains(list, "Restore file") || strings.Contains(list, "keep-question") {
		t.Error("the list offers what is refused")
	}
	wantTexts(t, "the dialog", k.getOK("/keep").body, "The explorer was started read-only.", "disabled")
	if a := k.post("/keep", url.Values{"do": {"on"}}); a.StatusCode != http.StatusForbidden {
		t.Errorf("keep: status %d", a.StatusCode)
	}
	if a := k.post(page+"/restore", nil); a.StatusCode != http.StatusForbidden {
		t.Errorf("restore: status %d", a.StatusCode)
	}
}

// Without a state directory nothing offers copies.
func TestKeep_Impossible(t *testing.T) {
	s := newSite(t)
	s.fillCatalog()
	if list := s.getOK("/").body; strings.Contains(list, `href="/keep`) {
		t.Error("the list links to the dialog")
	}
	if a := s.get("/keep"); a.StatusCode != http.StatusNotFound {
		t.Errorf("status %d", a.StatusCode)
	}
}
