package web

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
)

// posts lists all addresses that accept POST.
func posts(t *testing.T, s *Server) (all []string) {
	t.Helper()
	err := chi.Walk(s.handler, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if method == http.MethodPost {
			all = append(all, route)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// post submits a form as a page of this server would.
func (s *site) post(url string, form url.Values, change ...func(*http.Request)) answer {
	s.t.Helper()
	return s.get(url, append([]func(*http.Request){func(r *http.Request) {
		r.Method = http.MethodPost
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", s.http.URL)
		body := form.Encode()
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
	}}, change...)...)
}

// age sets a file's modification time to a day ago.
func age(t testing.TB, path string) {
	t.Helper()
	then := time.Now().Add(-24 * time.Hour)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
}

func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited for %s", what)
		}
	}
}

func content(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// conversation is a session of two turns with another branch after the first answer.
type conversation struct {
	path, base                             string
	first, answer, other, otherTip, second string
	leaf                                   string
}

func newConversation(s *site) conversation {
	s.t.Helper()
	tr := newTranscript("talk")
	k := conversation{first: tr.user("Where does the time go?"), answer: tr.answer(text("Into encoding."))}
	k.other, k.otherTip = tr.user("Use a library"), tr.answer(text("It brings four modules."))
	tr.last = k.answer
	k.second, k.leaf = tr.user("Write a cache"), tr.answer(text("It works."))
	k.path = s.write("talk.jsonl", tr)
	k.base = s.open(k.path)
	return k
}

// Every change is refused for other sites, without the token, for other users of this
// computer and in read-only mode. Nothing is written. Stars and visits are no changes of a
// session, so read-only mode accepts them.
func TestChanges_Refused(t *testing.T) {
	for name, tt := range map[string]struct {
		config func(*siteConfig)
		send   func(*http.Request)
		want   int
	}{
		"another origin":       {send: header("Origin", "http://evil.example"), want: http.StatusForbidden},
		"another site":         {send: header("Sec-Fetch-Site", "cross-site"), want: http.StatusForbidden},
		"another port":         {send: header("Origin", "http://127.0.0.1:1"), want: http.StatusForbidden},
		"no token":             {config: func(c *siteConfig) { c.auth.RequireToken = true }, want: http.StatusUnauthorized},
		"another user":         {config: asOtherUser, want: http.StatusUnauthorized},
		"another name":         {send: header("Host", "evil.example"), want: http.StatusMisdirectedRequest},
		"read-only":            {config: func(c *siteConfig) { c.ReadOnly = true }, want: http.StatusForbidden},
		"read-only for script": {config: func(c *siteConfig) { c.ReadOnly = true }, send: header("Accept", "*/*"), want: http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, func(c *siteConfig) {
				if tt.config != nil {
					tt.config(c)
				}
			})
			k := newConversation(s)
			before := content(t, k.path)
			routes := posts(t, s.Server)
			if len(routes) < 11 {
				t.Fatalf("only %d routes take a POST: %q", len(routes), routes)
			}
			for _, route := range routes {
				if strings.HasPrefix(name, "read-only") && slices.Contains([]string{"star", "unread", "visit"}, filepath.Base(route)) {
					continue
				}
				url := strings.NewReplacer("/sessions/{key}", k.base).Replace(route)
				for _, part := range []string{"", "?part=dialog", "?part=stream", "?part=lines"} {
					change := []func(*http.Request){}
					if tt.send != nil {
						change = append(change, tt.send)
					}
					a := s.post(url+part, branchForm(k), change...)
					if a.StatusCode != tt.want {
						t.Errorf("POST %s%s: status %d, want %d", route, part, a.StatusCode, tt.want)
					}
				}
			}
			if content(t, k.path) != before {
				t.Error("the file was changed")
			}
		})
	}
}

func branchForm(k conversation) url.Values {
	return url.Values{"entry": {k.otherTip}, "label": {"x"}, "name": {"x"}, "summary": {"write"}, "text": {"x"}}
}

// A read-only file is shown, and every dialog explains why it cannot be changed.
func TestChanges_ReadOnlyFile(t *testing.T) {
	s := newSite(t)
	k := newConversation(s)
	if err := os.Chmod(k.path, 0o400); err != nil {
		t.Fatal(err)
	}
	for _, action := range []string{"label", "branch", "cherry-pick", "merge", "switch", "rename"} {
		url := k.base + "/" + action + "?part=dialog&entry=" + k.otherTip
		if a := s.getOK(url); !strings.Contains(a.body, "The file is read-only.") || strings.Contains(a.body, "change-submit") {
			t.Errorf("%s: the dialog does not say why, or still offers a button: %s", action, a.body)
		}
		form := branchForm(k)
		if a := s.post(k.base+"/"+action+"?part=dialog", form); a.StatusCode != http.StatusForbidden {
			t.Errorf("POST %s: status %d, want 403", action, a.StatusCode)
		}
		if a := s.post(k.base+"/"+action, form, header("Accept", "application/json")); a.StatusCode != 403 || a.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("POST %s by a program: %d %s", action, a.StatusCode, a.Header.Get("Content-Type"))
		}
	}
}

// The dialog that renames a session of oh-my-pi previews the appended line and the
// overwritten title.
func TestChanges_RenameSlot(t *testing.T) {
	s := newSite(t)
	head := `{"type":"title","v":1,"title":"Old title","updatedAt":"2026-01-02T03:04:05.000Z","pad":"`
	path := filepath.Join(s.dir, "omp.jsonl")
	tr := newTranscript("omp")
	tr.user("Where does the time go?")
	text := head + strings.Repeat(" ", 253-len(head)) + "\"}\n" + string(tr.take())
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	base := s.open(path)
	a := s.getOK(base + "/rename?part=dialog")
	for _, word := range []string{"1 line will be added to omp.jsonl, and its first line replaced", "title_change", "+ {", "line 1: {", "The title at the start of the file is replaced"} {
		if !strings.Contains(a.body, word) {
			t.Errorf("the dialog does not say %q: %s", word, a.body)
		}
	}
	form := url.Values{"name": {"Fast pictures"}}
	if a := s.post(base+"/rename?part=lines", form); strings.Count(a.body, "Fast pictures") != 2 {
		t.Errorf("the lines as typed: %s", a.body)
	}
	if a := s.post(base+"/rename?part=dialog", form); a.StatusCode != http.StatusOK || !strings.Contains(a.body, "Renamed to") {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
	if now := content(t, path); !strings.HasPrefix(now, `{"type":"title","v":1,"title":"Fast pictures","source":"user",`) || strings.Index(now, "\n") != 255 {
		t.Errorf("the file begins %s", now[:300])
	}
}

func TestChanges_Dialogs(t *testing.T) {
	s := newSite(t)
	k := newConversation(s)
	for _, a := range changeActions {
		url := k.base + "/" + a.name + "?entry=" + k.otherTip
		page := s.getOK(url)
		if !strings.Contains(page.body, "<!doctype html>") || !strings.Contains(page.body, `action="`+k.base+"/"+a.name+`"`) {
			t.Errorf("%s: not a page with a form: %.200s", a.name, page.body)
		}
		if part := s.getOK(url + "&part=dialog"); strings.Contains(part.body, "<!doctype") || !strings.Contains(part.body, `class="change`) {
			t.Errorf("%s: the fragment is %.200s", a.name, part.body)
		}
		if got := page.Header.Get("Cache-Control"); got != cacheNever {
			t.Errorf("%s: Cache-Control = %q", a.name, got)
		}
	}
	for _, url := range []string{"/label?entry=gone", "/label", "/branch?entry=gone", "/fork?entry=none", "/switch", "/actions?entry=gone"} {
		if a := s.get(k.base + url); a.StatusCode != http.StatusNotFound {
			t.Errorf("GET %s: status %d, want 404", url, a.StatusCode)
		}
	}
	s.getOK(k.base + "/actions?entry=" + k.first)
	if a := s.getOK(k.base + "/actions?part=dialog&entry=" + k.first); strings.Contains(a.body, "<!doctype") {
		t.Error("the fragment of the actions is a page")
	}
}

func TestLabel_Form(t *testing.T) {
	s := newSite(t)
	k := newConversation(s)
	a := s.post(k.base+"/label", url.Values{"entry": {k.first}, "seen-label": {""}, "label": {"  start  "}})
	if want := k.base + "?entry=" + k.first; a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != want {
		t.Fatalf("status %d to %q, want 303 to %q\n%s", a.StatusCode, a.Header.Get("Location"), want, a.body)
	}
	if !strings.Contains(content(t, k.path), `"label":"start"`) {
		t.Errorf("no label in the file")
	}
	// The form is based on an outdated label.
	a = s.post(k.base+"/label?part=dialog", url.Values{"entry": {k.first}, "seen-label": {""}, "label": {"mine"}})
	if a.StatusCode != http.StatusConflict {
		t.Fatalf("status %d, want 409", a.StatusCode)
	}
	for _, want := range []string{`value="mine"`, "Reload and keep label", `name="seen-label" value="start"`, "start"} {
		if !strings.Contains(a.body, want) {
			t.Errorf("the dialog lacks %s: %s", want, a.body)
		}
	}
	a = s.post(k.base+"/label?part=dialog", url.Values{"entry": {k.first}, "seen-label": {"start"}, "label": {"mine"}})
	if a.StatusCode != 200 || !strings.Contains(a.body, "Undo") || !strings.Contains(a.body, `name="label" value="start"`) {
		t.Errorf("status %d: %s", a.StatusCode, a.body)
	}
	s.post(k.base+"/label", url.Values{"entry": {k.first}, "label": {"mine"}, "chip": {"pressed"}})
	if a := s.getOK(k.base + "/label?part=dialog&entry=" + k.first); !strings.Contains(a.body, `value="pressed"`) || !strings.Contains(a.body, "Remove") {
		t.Errorf("the label that was pressed is not set: %s", a.body)
	}
	s.post(k.base+"/label", url.Values{"entry": {k.first}, "label": {"pressed"}, "remove": {"1"}})
	if a := s.getOK(k.base + "/label?part=dialog&entry=" + k.first); strings.Contains(a.body, "Remove") {
		t.Errorf("the label is still there: %s", a.body)
	}
}

func TestFork_Form(t *testing.T) {
	s := newSite(t)
	k := newConversation(s)
	if a := s.getOK(k.base + "/fork?part=dialog&entry=" + k.first); !strings.Contains(a.body, "empty history") || !strings.Contains(a.body, "Where does the time go?") || strings.Contains(a.body, "change-submit") {
		t.Errorf("from the first prompt: %s", a.body)
	}
	a := s.post(k.base+"/fork?part=dialog", url.Values{"entry": {k.otherTip}})
	if a.StatusCode != 200 || !strings.Contains(a.body, "Open") {
		t.Fatalf("status %d: %s", a.StatusCode, a.body)
	}
	_, link, _ := strings.Cut(a.body, `class="btn btn--sm" href="`)
	link, _, _ = strings.Cut(link, `"`)
	if page := s.getOK(link); !strings.Contains(page.body, "It brings four modules.") || strings.Contains(page.body, "Write a cache") {
		t.Errorf("the new session does not hold the path alone")
	}
	if a := s.post(k.base+"/fork?part=dialog", url.Values{"entry": {k.first}}); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("without an answer: status %d, want 422", a.StatusCode)
	}
}

// The other changes append what they announce and link to the leaf.
func TestChanges_Add(t *testing.T) {
	for _, tt := range []struct {
		action string
		form   func(k conversation) url.Values
		want   string
	}{
		{"rename", func(conversation) url.Values { return url.Values{"name": {"Slow pictures"}} }, `"name":"Slow pictures"`},
		{"cherry-pick", func(k conversation) url.Values { return url.Values{"entry": {k.otherTip}, "seen-leaf": {k.leaf}} }, "It brings four modules."},
		{"merge", func(k conversation) url.Values { return url.Values{"entry": {k.otherTip}, "seen-leaf": {k.leaf}} }, "Use a library"},
		{"switch", func(k conversation) url.Values { return url.Values{"entry": {k.otherTip}, "seen-leaf": {k.leaf}} }, `"parentId":"` + "e4" + `"`},
		{"pop", func(k conversation) url.Values { return url.Values{"seen-leaf": {k.leaf}, "summary": {"none"}} }, `"parentId":"` + "e2" + `"`},
	} {
		t.Run(tt.action, func(t *testing.T) {
			s := newSite(t)
			k := newConversation(s)
			before := content(t, k.path)
			a := s.post(k.base+"/"+tt.action+"?part=dialog", tt.form(k))
			added, ok := strings.CutPrefix(content(t, k.path), before)
			if a.StatusCode != 200 || !ok || !strings.Contains(added, tt.want) {
				t.Errorf("status %d, added %q, want %q in it\n%s", a.StatusCode, added, tt.want, a.body)
			}
		})
	}
}

// The dialog previews the lines of a new name in the session's format.
func TestRename_Lines(t *testing.T) {
	s := newSite(t)
	const id = "11111111-1111-4111-8111-111111111111"
	tr := &transcript{}
	tr.b.WriteString(`{"parentUuid":null,"type":"user","uuid":"u","timestamp":"2026-11-22T08:00:00.000Z","sessionId":"` + id + `","cwd":"/w","message":{"role":"user","content":"hi"}}` + "\n")
	path := s.write(id+".jsonl", tr)
	base := s.open(path)
	for _, a := range []answer{
		s.getOK(base + "/rename?part=dialog&name=The+bird"),
		s.post(base+"/rename?part=lines", url.Values{"name": {"The bird"}}),
	} {
		for _, want := range []string{"2 lines will be added", `&#34;customTitle&#34;:&#34;The bird&#34;`, `&#34;agentName&#34;:&#34;The bird&#34;`, id} {
			if !strings.Contains(a.body, want) {
				t.Errorf("status %d, %s is not in\n%s", a.StatusCode, want, a.body)
			}
		}
	}
	if a := s.getOK(base + "/rename?part=dialog"); strings.Contains(a.body, "in the explorer’s own state") || !strings.Contains(a.body, "custom-title") {
		t.Errorf("the dialog says\n%s", a.body)
	}
	before := content(t, path)
	if a := s.post(base+"/rename?part=dialog", url.Values{"name": {"The bird"}}); a.StatusCode != 200 || !strings.Contains(a.body, "Renamed to") {
		t.Errorf("status %d: %s", a.StatusCode, a.body)
	}
	if added := strings.TrimPrefix(content(t, path), before); strings.Count(added, "\n") != 2 || !strings.Contains(added, `"agentName":"The bird"`) {
		t.Errorf("added %q", added)
	}
	if a := s.getOK(base); !strings.Contains(a.body, "The bird") {
		t.Error("the page does not show the name")
	}
	k := newConversation(s)
	if a := s.getOK(k.base + "/rename?part=dialog&name=Slow"); !strings.Contains(a.body, "1 line will be added") || !strings.Contains(a.body, `&#34;name&#34;:&#34;Slow&#34;`) {
		t.Errorf("of a format with one line the dialog says\n%s", a.body)
	}
}

// grow appends to a file, as an agent does.
func grow(t testing.TB, path, data string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(data); err != nil {
		t.Fatal(err)
	}
}

func TestMigrate_Form(t *testing.T) {
	s := newSite(t)
	old := `{"type":"session","id":"old","timestamp":"2026-02-03T09:00:00.000Z","cwd":"/home/dev/atlas"}
{"type":"message","timestamp":"2026-02-03T09:00:01.000Z","message":{"role":"user","content":"hello","timestamp":1770109201000}}
`
	path := filepath.Join(s.dir, "old.jsonl")
	if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	base := s.open(path)
	if a := s.getOK(base); !strings.Contains(a.body, "Migrate…") {
		t.Error("no banner offers to migrate")
	}
	more := `{"type":"message","timestamp":"2026-02-03T09:00:02.000Z","message":{"role":"user","content":"again","timestamp":1770109202000}}` + "\n"
	other := filepath.Join(s.dir, "other.jsonl")
	if err := os.WriteFile(other, []byte(strings.Replace(old, "old", "other", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	growing := s.open(other)
	grow(t, other, more)
	if a := s.post(growing+"/migrate?part=dialog", nil); a.StatusCode != http.StatusConflict || !strings.Contains(a.body, "may be running") {
		t.Errorf("while the file is live: status %d, want 409\n%s", a.StatusCode, a.body)
	}
	age(t, path)
	if a := s.post(base+"/migrate?part=dialog", nil); a.StatusCode != 200 || !strings.Contains(a.body, "old.jsonl.bak") {
		t.Errorf("status %d: %s", a.StatusCode, a.body)
	}
	if content(t, path+".bak") != old {
		t.Error("the original was not kept")
	}
}

func TestEndLine_Form(t *testing.T) {
	s := newSite(t)
	k := newConversation(s)
	grow(t, k.path, `{"type":"message","id":"torn`)
	if a := s.getOK(k.base); !strings.Contains(a.body, "The last line is unfinished") || strings.Contains(a.body, "End the line") {
		t.Error("a line that may still be written is taken for a crash")
	}
	age(t, k.path)
	if a := s.getOK(k.base); !strings.Contains(a.body, "End the line…") {
		t.Error("no banner offers to end the line")
	}
	if a := s.post(k.base+"/end-line?part=dialog", nil); a.StatusCode != 200 || !strings.HasSuffix(content(t, k.path), "torn\n") {
		t.Errorf("status %d, the file ends in %q", a.StatusCode, content(t, k.path)[len(content(t, k.path))-10:])
	}
}

func TestRepair_Form(t *testing.T) {
	s := newSite(t)
	tr := newTranscript("dead")
	tr.user("one")
	answer := tr.answer(text("two"))
	tr.user("three")
	newest := tr.answer(text("four"))
	tr.last = answer
	tr.put("late", "custom", map[string]any{"customType": "x", "timestamp": "2026-02-03T08:00:00.000Z"})
	path := s.write("dead.jsonl", tr)
	base := s.open(path)
	if a := s.getOK(base); !strings.Contains(a.body, "Repair…") {
		t.Fatal("no banner offers to repair")
	}
	a := s.post(base+"/repair?part=dialog", nil)
	if a.StatusCode != 200 || !strings.Contains(content(t, path), `"parentId":"`+newest+`"`) {
		t.Errorf("status %d: %s", a.StatusCode, a.body)
	}
	if page := s.getOK(base); strings.Contains(page.body, "Repair…") {
		t.Error("the banner still stands")
	}
}

// The page is revalidated with 304 while nothing changes, even if it has banners.
func TestChanges_PageStaysFresh(t *testing.T) {
	s := newSite(t)
	k := newConversation(s)
	grow(t, k.path, `{"type":"message","id":"torn`)
	first := s.getOK(k.base)
	if a := s.get(k.base, header("If-None-Match", first.Header.Get("ETag"))); a.StatusCode != http.StatusNotModified {
		t.Errorf("status %d, want 304", a.StatusCode)
	}
	age(t, k.path)
	if a := s.get(k.base, header("If-None-Match", first.Header.Get("ETag"))); a.StatusCode != http.StatusOK {
		t.Errorf("once the line was left: status %d, want 200", a.StatusCode)
	}
}
