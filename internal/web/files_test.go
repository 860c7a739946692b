package web

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session/filehistory"
)

// editing is a session that edits a file of a project on two branches, and once without success.
type editing struct{ base, path, dir string }

// newEditing writes a session that edits, and the file as it is today.
func newEditing(s *site, id string) editing {
	s.t.Helper()
	e := editing{dir: s.t.TempDir()}
	e.path = filepath.Join(e.dir, "src", "x.go")
	if err := os.Mkdir(filepath.Dir(e.path), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(e.path, []byte("package x\n\n// by <hand>\nvar a = 2\n"), 0o600); err != nil {
		s.t.Fatal(err)
	}
	tr := newTranscript(id)
	data := strings.Replace(tr.b.String(), "/home/dev/atlas", e.dir, 1)
	tr.b.Reset()
	tr.b.WriteString(data)
	tool := func(call, name string, failed bool, diff string, args map[string]any) string {
		args["path"] = "src/x.go"
		tr.answer(map[string]any{"type": "toolCall", "id": call, "name": name, "arguments": args})
		return tr.message("toolResult", map[string]any{"toolCallId": call, "toolName": name, "content": []any{text("ok")}, "isError": failed, "details": map[string]any{"diff": diff}})
	}
	tr.user("write it")
	wrote := tool("c1", "write", false, "", map[string]any{"content": "package x\n\nvar a = 1\n"})
	tr.user("what was <left>")
	tool("c2", "edit", false, "-3 var a = 1\n+3 var a = 3\n", map[string]any{"oldText": "1", "newText": "3"})
	tr.last = wrote
	tr.user("raise it")
	tool("c3", "edit", true, "", map[string]any{"oldText": "9", "newText": "2"})
	tool("c4", "edit", false, "-3 var a = 1\n+3 var a = 2\n", map[string]any{"oldText": "1", "newText": "2"})
	tr.answer(text("Done."))
	e.base = s.open(s.write(id+".jsonl", tr))
	return e
}

func TestShowSessionFiles(t *testing.T) {
	s := newSite(t)
	e := newEditing(s, "0e0e0e0e")
	page := s.getOK(e.base + "/files")
	for _, want := range []string{">x.go<", "file-kind--new", "1 failed", "Current path", "what was &lt;left&gt;", "2 edits, 1 failed on this branch", "/files?path=" + strings.ReplaceAll(url.QueryEscape(e.path), "+", "%20"), "shell commands are not seen"} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	each := s.getOK(e.base + "/files?view=edits&file=" + url.QueryEscape(e.path))
	if strings.Count(each.body, `class="diff"`) != 2 {
		t.Errorf("the page of each edit has %d diffs, want 2", strings.Count(each.body, `class="diff"`))
	}
	if a := s.getOK(e.base + "/files?file=gone"); strings.Contains(a.body, "file-edit\"") {
		t.Error("an unknown file has edits")
	}
}

// withProjects shows the lines of files below the temporary directories of a test.
func withProjects(t *testing.T) func(*siteConfig) {
	dir := filepath.Dir(t.TempDir())
	return func(c *siteConfig) { c.ProjectDirs = []filehistory.ProjectDir{{Path: dir, Root: dir}} }
}

func TestShowFile(t *testing.T) {
	s := newSite(t, withProjects(t))
	e := newEditing(s, "0f0f0f0f")
	s.fillCatalog()
	page := s.getOK("/files?path=src/x.go")
	for _, want := range []string{"3 edits in 1 session", "abandoned branch", "// by &lt;hand&gt;", ">not found<", `id="L4"`} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if hidden := s.getOK("/files?path=x.go&hide=abandoned"); strings.Contains(hidden.body, "what was") {
		t.Error("an abandoned branch is listed that is hidden")
	}
	if a := s.getOK("/files?path=y.go"); !strings.Contains(a.body, "No session edited a file") {
		t.Errorf("the page of an unknown file is %.300s", a.body)
	}
	for path, want := range map[string]string{"": "newest sessions edited", "C/X": "These paths contain the text"} {
		if a := s.getOK("/files?path=" + path); !strings.Contains(a.body, want) || !strings.Contains(a.body, url.QueryEscape(e.path)) && !strings.Contains(a.body, strings.ReplaceAll(url.QueryEscape(e.path), "+", "%20")) {
			t.Errorf("the page for %q does not list the file: %.300s", path, a.body)
		}
	}
	newEditing(s, "0d0d0d0d")
	s.fillCatalog()
	if a := s.getOK("/files?path=x.go"); strings.Count(a.body, "1 session</span>") != 2 || strings.Contains(a.body, `id="L1"`) {
		t.Errorf("the page with two files is %.300s", a.body)
	}
	if a := s.getOK("/files?path=" + url.QueryEscape(e.path)); !strings.Contains(a.body, `id="L4"`) {
		t.Error("a whole path does not pick the file")
	}
	if a := s.get("/files?path=x.go&from=x"); a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a wrong line: status %d", a.StatusCode)
	}
}

// The page is no reader of other files: not of those that no session changed, nor of those outside
// of the session's directory, even through a link.
func TestShowFile_onlyFilesOfSessions(t *testing.T) {
	s := newSite(t, withProjects(t))
	e := newEditing(s, "0c0d0e0f")
	s.fillCatalog()
	outside, err := os.MkdirTemp("", "outside")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(outside)
	other := filepath.Join(outside, "other.txt")
	for _, path := range []string{other, filepath.Join(e.dir, "src", "other.txt")} {
		if err := os.WriteFile(path, []byte("the secret\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if a := s.get("/files?path=" + url.QueryEscape(path)); strings.Contains(a.body, "the secret") {
			t.Errorf("%s is served", path)
		}
	}
	if err := os.Remove(e.path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, e.path); err != nil {
		t.Skip(err)
	}
	a := s.getOK("/files?path=" + url.QueryEscape(e.path))
	if strings.Contains(a.body, "the secret") || !strings.Contains(a.body, "The file cannot be read") {
		t.Errorf("a link out of the directory: %.300s", a.body)
	}
}

// Shares and exports offer neither the files nor their history.
func TestShowFile_notInShares(t *testing.T) {
	s := newSharing(t)
	e := newEditing(s, "0b0c0d0e")
	if page := s.getOK(e.base); !strings.Contains(page.body, "History of this file") || !strings.Contains(page.body, e.base+"/files") {
		t.Error("the session links to no files")
	}
	link := s.share(shareable{base: e.base}, url.Values{})
	if page := s.getOK(link); !strings.Contains(page.body, "src/x.go") || strings.Contains(page.body, "History of this file") || strings.Contains(page.body, "/files") {
		t.Error("the share links to files")
	}
	for _, room := range []string{"/files", "/files?path=x.go"} {
		if a := s.get(link + room); a.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", room, a.StatusCode)
		}
	}
	export := s.getOK(e.base + "/export?as=html")
	if strings.Contains(export.body, "History of this file") || strings.Contains(export.body, "/files?") {
		t.Error("the export links to files")
	}
}
