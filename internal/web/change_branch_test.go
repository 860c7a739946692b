package web

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session/hook"
)

func TestBranch_Form(t *testing.T) {
	s := newSite(t)
	k := newConversation(s)
	a := s.getOK(k.base + "/branch?part=dialog&entry=" + k.first)
	for _, want := range []string{"just before this prompt", "3 entries after it stay in the tree", "Where does the time go?", "1 line will be added to talk.jsonl",
		"session-explorer.branch", "Nothing is rewritten or deleted", "No summarizer is set", "grew "} {
		if !strings.Contains(a.body, want) {
			t.Errorf("the dialog lacks %q: %s", want, a.body)
		}
	}
	if a := s.getOK(k.base + "/branch?part=dialog&entry=" + k.leaf); !strings.Contains(a.body, "is already here") {
		t.Errorf("branching from the leaf: %s", a.body)
	}
	if a := s.getOK(k.base + "/branch?part=dialog&entry=none"); !strings.Contains(a.body, "before the first entry") {
		t.Errorf("branching before the first entry: %s", a.body)
	}
	form := url.Values{"entry": {k.otherTip}, "seen-leaf": {k.leaf}, "summary": {"write"}, "text": {"The cache\r\nworks."}, "label": {"again"}}
	if a := s.post(k.base+"/branch?part=lines", form); a.StatusCode != 200 || !strings.Contains(a.body, "2 lines will be added") || !strings.Contains(a.body, `The cache\nworks.`) {
		t.Errorf("the lines: %d %s", a.StatusCode, a.body)
	}
	stale := url.Values{"entry": {k.otherTip}, "seen-leaf": {k.second}, "summary": {"write"}, "text": {"What I wrote"}, "label": {"mine"}, "prompt": {"my prompt"}}
	a = s.post(k.base+"/branch?part=dialog", stale)
	if a.StatusCode != http.StatusConflict || !strings.Contains(a.body, "What I wrote") || !strings.Contains(a.body, `value="mine"`) || !strings.Contains(a.body, `value="`+k.leaf+`"`) {
		t.Errorf("status %d, want 409 and what was typed: %s", a.StatusCode, a.body)
	}
	if a := s.post(k.base+"/branch", stale); a.StatusCode != http.StatusConflict || !strings.Contains(a.body, "<!doctype") || !strings.Contains(a.body, "What I wrote") {
		t.Errorf("without script: %d", a.StatusCode)
	}
	empty := url.Values{"entry": {k.otherTip}, "seen-leaf": {k.leaf}, "summary": {"write"}, "text": {" "}}
	if a := s.post(k.base+"/branch?part=dialog", empty); a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.body, "The summary is empty") {
		t.Errorf("an empty summary: %d %s", a.StatusCode, a.body)
	}
	if a := s.post(k.base+"/branch", url.Values{"seen-leaf": {k.leaf}}); a.StatusCode != http.StatusNotFound {
		t.Errorf("without an entry: status %d, want 404", a.StatusCode)
	}
	before := content(t, k.path)
	a = s.post(k.base+"/branch", form)
	if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != k.base {
		t.Fatalf("status %d to %q: %s", a.StatusCode, a.Header.Get("Location"), a.body)
	}
	added, ok := strings.CutPrefix(content(t, k.path), before)
	if !ok || strings.Count(added, "\n") != 2 || !strings.Contains(added, `"branch_summary"`) || !strings.Contains(added, `"label":"again"`) {
		t.Errorf("added %q", added)
	}
}

func TestBranch_TooLong(t *testing.T) {
	s := newSite(t)
	k := newConversation(s)
	form := url.Values{"entry": {k.otherTip}, "summary": {"write"}, "text": {strings.Repeat("x", maxFormBytes)}}
	if a := s.post(k.base+"/branch", form); a.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d, want 413", a.StatusCode)
	}
}

// script writes a program for hooks and summarizers and returns its path.
func script(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBranch_Generate(t *testing.T) {
	program := script(t, `cat >/dev/null; echo "half way" >&2; echo "It was slow."`)
	s := newSite(t, func(c *siteConfig) { c.Hooks = &hook.Runner{Summarizer: []string{program}} })
	k := newConversation(s)
	form := url.Values{"entry": {k.otherTip}, "seen-leaf": {k.leaf}, "summary": {"generate"}}
	a := s.post(k.base+"/branch?part=stream", form)
	if a.Header.Get("Content-Type") != "application/x-ndjson" || !strings.Contains(a.body, "half way") || !strings.Contains(a.body, `"status":200`) || !strings.Contains(a.body, "Branched here") {
		t.Errorf("the answer: %s %s", a.Header.Get("Content-Type"), a.body)
	}
	if !strings.Contains(content(t, k.path), "It was slow.") {
		t.Error("the summary is not in the file")
	}
	stale := s.post(k.base+"/branch?part=stream", form)
	if !strings.Contains(stale.body, `"status":409`) || !strings.Contains(stale.body, "Reload and keep text") {
		t.Errorf("a stale one: %s", stale.body)
	}
}

// Disconnecting stops the program, and nothing is written.
func TestBranch_Aborted(t *testing.T) {
	there := filepath.Join(t.TempDir(), "there")
	program := script(t, fmt.Sprintf(`cat >/dev/null; trap 'rm -f %[1]s; exit 1' TERM; touch %[1]s; echo started >&2; sleep 60 & wait`, there))
	s := newSite(t, func(c *siteConfig) { c.Hooks = &hook.Runner{Summarizer: []string{program}} })
	k := newConversation(s)
	before := content(t, k.path)
	form := url.Values{"entry": {k.otherTip}, "seen-leaf": {k.leaf}, "summary": {"generate"}}.Encode()
	req, err := http.NewRequest("POST", s.http.URL+k.base+"/branch?part=stream", strings.NewReader(form))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := s.http.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	read, buf := "", make([]byte, 4096)
	for !strings.Contains(read, "started") {
		n, err := res.Body.Read(buf)
		read += string(buf[:n])
		if err != nil {
			t.Fatalf("the answer ended: %v after %q", err, read)
		}
	}
	res.Body.Close()
	eventually(t, "the program to end", func() bool { _, err := os.Stat(there); return os.IsNotExist(err) })
	if content(t, k.path) != before {
		t.Error("the file was changed")
	}
}

// A hook may refuse the change. The dialog shows that and keeps the input.
func TestBranch_ProgramRefuses(t *testing.T) {
	dir := t.TempDir()
	text := "#!/bin/sh\ncat >/dev/null\necho '{\"cancel\":true,\"reason\":\"not on Fridays\"}'\n"
	if err := os.WriteFile(filepath.Join(dir, "session_before_tree"), []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	s := newSite(t, func(c *siteConfig) { c.Hooks = &hook.Runner{Dir: dir} })
	k := newConversation(s)
	before := content(t, k.path)
	a := s.post(k.base+"/branch?part=dialog", url.Values{"entry": {k.otherTip}, "seen-leaf": {k.leaf}, "summary": {"write"}, "text": {"Typed"}})
	if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.body, "not on Fridays") || !strings.Contains(a.body, "Typed") {
		t.Errorf("status %d, want 422, the reason and what was typed: %s", a.StatusCode, a.body)
	}
	if content(t, k.path) != before {
		t.Error("the file was changed")
	}
}
