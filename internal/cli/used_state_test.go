package cli

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
)

const linear = "0aa11111-1111-4111-8111-111111111111"

// said is a line of a format whose labels are kept outside of its files.
func said(id, role, text string) string {
	return fmt.Sprintf(`{"timestamp":"2026-03-02T10:00:01.000Z","id":%q,"role":%q,"blocks":[{"type":"text","content":%q}]}`+"\n", id, role, text)
}

// usedState is everything that the explorer keeps after it was used in every way.
type usedState struct {
	t        *testing.T
	dir      string // with state, cache and the sessions
	labelled string // session with labels in a sidecar, and retracted lines
	link     string // below the server's address
}

func newUsedState(t *testing.T) *usedState {
	u := &usedState{t: t, dir: t.TempDir()}
	sessions := filepath.Join(u.dir, "sessions")
	u.labelled = filepath.Join(sessions, "home-dev-shop", linear+".jsonl")
	if err := os.MkdirAll(filepath.Dir(u.labelled), 0o700); err != nil {
		t.Fatal(err)
	}
	writeSessionFile(t, sessions)
	u.takeBack()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(u.dir, "cache"))
	s, out := startAgain(t, "--listen", "127.0.0.1:0", "--state", u.path("state"), sessions)
	go io.Copy(io.Discard, out)
	waitForText(t, s.url, "hello there")
	u.verb("label", u.labelled, "m1", "kept")
	for _, path := range []string{u.labelled, filepath.Join(sessions, "one.jsonl")} {
		_, link, _ := strings.Cut(u.verb("share", path).String(), s.url)
		u.link, _, _ = strings.Cut(link, "\n")
		u.visit(s.url + u.link)
	}
	served, err := filepath.Glob(u.path("state/served/*"))
	if err != nil || len(served) != 1 {
		t.Fatal(served, err)
	}
	text, err := os.ReadFile(served[0])
	if err != nil {
		t.Fatal(err)
	}
	s.stopServer(t)
	if err := os.WriteFile(served[0], text, 0o600); err != nil { // as a killed one leaves it
		t.Fatal(err)
	}
	return u
}

func (u *usedState) path(rel string) string { return filepath.Join(u.dir, filepath.FromSlash(rel)) }

// visit opens a link as a browser does.
func (u *usedState) visit(url string) {
	req, err := http.NewRequestWithContext(u.t.Context(), http.MethodGet, url, nil)
	if err != nil {
		u.t.Fatal(err)
	}
	req.Header.Set("Accept", "text/html")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		u.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		u.t.Fatalf("%s: status %d", url, res.StatusCode)
	}
}

// takeBack has the agent of a followed session take lines back.
func (u *usedState) takeBack() {
	head := `{"type":"metadata","workdir":"/home/dev/shop","createdAt":"2026-03-02T10:00:00.000Z"}` + "\n" + said("m1", "user", "one") + said("m2", "assistant", "two")
	write := func(text string) {
		if err := os.WriteFile(u.labelled, []byte(text), 0o600); err != nil {
			u.t.Fatal(err)
		}
	}
	write(head + said("m3", "user", "three") + said("m4", "assistant", "four"))
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{filepath.Dir(u.labelled)}, StateDir: u.path("state"),
		OnChange: func(*store.Session, store.Change) {}})
	if err != nil {
		u.t.Fatal(err)
	}
	s, err := lib.Open(u.t.Context(), u.labelled)
	if err != nil {
		u.t.Fatal(err)
	}
	write(head)
	if _, err := s.Refresh(u.t.Context()); err != nil {
		u.t.Fatal(err)
	}
}

// verb runs a command that must succeed, and returns all that it printed.
func (u *usedState) verb(args ...string) *bytes.Buffer {
	u.t.Helper()
	var out bytes.Buffer
	if status := runCommandLine(u.t.Context(), append(args, "--state", u.path("state")), &out, &out); status != statusDone && status != statusNotes {
		u.t.Errorf("explorer %s: status %d, %s", args, status, &out)
	}
	return &out
}

// files lists what the explorer keeps.
func (u *usedState) files() (all []string) {
	for _, top := range []string{"state", "cache"} {
		err := filepath.WalkDir(u.path(top), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				rel, _ := filepath.Rel(u.dir, path)
				all = append(all, rel)
			}
			return err
		})
		if err != nil {
			u.t.Fatal(err)
		}
	}
	return all
}
