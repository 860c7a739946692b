package cli

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// earlier is a copy of what a build before this one made: see testdata/earlier/README.md.
type earlier struct {
	dir                string
	wave, claude, page string // paths
}

// The tokens of the shares in the state directory.
const (
	earlierShare     = "xwvUSMy6I9s0tr3wSWSeow"
	earlierLiveShare = "WdM6E1OahmjultcNup6xnQ"
)

// copyEarlier copies the files with the modes that the program gives them, and has the
// shares say where the copies of their sessions are.
func copyEarlier(t *testing.T) earlier {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	from := os.DirFS("testdata/earlier")
	err = fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err != nil || d.IsDir() {
			return errorOr(err, func() error { return os.MkdirAll(to, 0o700) })
		}
		data, err := fs.ReadFile(from, name)
		if d.Name() == "share.json" {
			data = bytes.ReplaceAll(data, []byte("/home/dev/sessions/"), []byte(filepath.ToSlash(dir)+"/sessions/"))
		}
		return errorOr(err, func() error { return os.WriteFile(to, data, 0o600) })
	})
	if err != nil {
		t.Fatal(err)
	}
	e := earlier{
		dir:    dir,
		wave:   filepath.Join(dir, "sessions", "wave", "home-dev-shop", "0aa11111-1111-4111-8111-111111111111.jsonl"),
		claude: filepath.Join(dir, "sessions", "claude", "-home-dev-shop", "22222222-0000-4000-8000-000000000002.jsonl"),
		page:   filepath.Join(dir, "page.html"),
	}
	e.unpackPage(t)
	return e
}

func errorOr(err error, do func() error) error {
	if err != nil {
		return err
	}
	return do()
}

func (e *earlier) unpackPage(t *testing.T) {
	t.Helper()
	packed, err := os.Open(e.page + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	r, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	html, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(e.page, html, 0o600); err != nil {
		t.Fatal(err)
	}
}

// state is the state directory.
func (e *earlier) state() string { return filepath.Join(e.dir, "state") }

// run runs a verb and returns what it printed.
func (e *earlier) run(t *testing.T, args ...string) string {
	t.Helper()
	var out, bad strings.Builder
	if status := runCommandLine(t.Context(), append(args, "--state", e.state()), &out, &bad); status != statusDone {
		t.Fatalf("explorer %s: status %d: %s", strings.Join(args, " "), status, bad.String())
	}
	return out.String()
}

// tree is what tree --json prints, as far as the test reads it.
func (e *earlier) tree(t *testing.T, path string) (tree struct {
	Session struct{ Name *string }
	Labels  map[string]string
	Tree    struct{ Children map[string][]string }
}) {
	t.Helper()
	if err := json.Unmarshal([]byte(e.run(t, "tree", path, "--json")), &tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

// What an earlier build kept outside session files is still there, its links open, and
// its exported pages turn back into session files.
func TestEarlierBuild(t *testing.T) {
	e := copyEarlier(t)
	t.Run("sidecar", e.testSidecar)
	t.Run("retracted lines", e.testRetracted)
	t.Run("exported page", e.testPage)
	t.Run("served", e.testServed)
}

func (e *earlier) testSidecar(t *testing.T) {
	wave, claude := e.tree(t, e.wave), e.tree(t, e.claude)
	if diff := cmp.Diff(map[string]string{"m2": "slow list", "m4": "ten minutes"}, wave.Labels); diff != "" {
		t.Errorf("labels of the Wave session (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"aaaaaaaa-0000-4000-8000-000000000004": "dead end"}, claude.Labels); diff != "" {
		t.Errorf("labels of the Claude Code session (-want +got):\n%s", diff)
	}
	if wave.Session.Name == nil || *wave.Session.Name != "Slow pages" {
		t.Errorf("the name is %v", wave.Session.Name)
	}
}

func (e *earlier) testRetracted(t *testing.T) {
	tree := e.tree(t, e.wave)
	if diff := cmp.Diff([]string{"m5", "m7"}, tree.Tree.Children["m4"]); diff != "" {
		t.Errorf("below the entry where lines were retracted (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"m6"}, tree.Tree.Children["m5"]); diff != "" {
		t.Errorf("the retracted lines (-want +got):\n%s", diff)
	}
}

func (e *earlier) testPage(t *testing.T) {
	want, err := os.ReadFile(filepath.Join(e.dir, "page.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), e.run(t, "export", e.page, "--as", "jsonl", "-o", "-")); diff != "" {
		t.Errorf("the session file of the page (-want +got):\n%s", diff)
	}
}

// testServed opens the links and expects the live one to include what its session gets.
func (e *earlier) testServed(t *testing.T) {
	source := filepath.Join(e.dir, "sessions", "pi", "one.jsonl")
	before, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	added := promptLine("e8", "e6", "And after the update?")
	if err := os.WriteFile(source, append(before, added...), 0o600); err != nil {
		t.Fatal(err)
	}
	s, lines := startCached(t, filepath.Join(e.dir, "cache"), "--listen", "127.0.0.1:0", "--state", e.state(), filepath.Join(e.dir, "sessions"))
	go io.Copy(io.Discard, lines)
	for _, name := range []string{"Slow pages", "Where does the time go?", "Draw the bars"} {
		waitForText(t, s.url, name)
	}
	page := waitForText(t, s.url+"share/"+earlierShare, "It is gone.")
	for _, want := range []string{"Slow pages, shared", "slow list", "ten minutes"} {
		if !strings.Contains(page, want) {
			t.Errorf("the share does not show %q", want)
		}
	}
	waitForText(t, s.url+"share/"+earlierLiveShare, "And after the update?")
	_, live := fetchPage(t, s.url+"share/"+earlierLiveShare+"?entry=e4")
	for _, want := range []string{"Time, shared", "four modules", "It brings four modules."} {
		if !strings.Contains(live, want) {
			t.Errorf("the live share does not show %q", want)
		}
	}
	if list := waitForText(t, s.url+"shares", "Time, shared"); !strings.Contains(list, "Slow pages, shared") {
		t.Error("the list of links does not have both")
	}
}
