package web

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
	"sessiontree/internal/testgen/random"
)

// revisions matches what may differ between the pages of two servers for the same session:
// revisions, and the numbers of files in addresses.
var revisions = regexp.MustCompile(`(data-rev|data-epoch)="[^"]*"|rev=[0-9a-z.]+|/static/[0-9a-z]+/|"epoch":"[^"]*"|[?]file=[0-9]+`)

// A server that has followed a session line by line shows the same as a server that was
// just started, even in its first response.
func TestSocket_SameAsFreshServer(t *testing.T) {
	for _, seed := range random.Seeds(4) {
		project := random.Claude(seed)
		live := newSite(t)
		urls := map[string]string{}
		for k, l := range project.Lines {
			path := filepath.Join(live.dir, filepath.FromSlash(l.File))
			live.record(path, l.Text, project.SideFiles)
			if urls[path] == "" && filepath.Dir(path) == live.dir && !strings.HasPrefix(filepath.Base(path), "agent-") {
				if sess, err := live.library.Open(t.Context(), path); err == nil {
					urls[path] = "/sessions/" + sess.Key()
				}
			}
			if k%25 != 0 && k+1 != len(project.Lines) {
				continue
			}
			live.fillCatalog()
			cold := newUnopenedSite(t, live.dir)
			for path, url := range urls {
				for _, query := range []string{"", "?filter=all"} {
					want, got := cold.getOK(url+query).body, live.getOK(url+query).body
					want, got = revisions.ReplaceAllString(want, ""), revisions.ReplaceAllString(got, "")
					if diff := cmp.Diff(strings.Split(want, "><"), strings.Split(got, "><")); diff != "" {
						t.Fatalf("seed %d after line %d: %s%s (-cold +live):\n%s", seed, k, filepath.Base(path), query, diff)
					}
				}
			}
		}
	}
}

// record appends a line to a file as its agent does and reports the change. Files next to
// the transcript are written with its first line.
func (s *site) record(path, text string, side map[string]string) {
	s.t.Helper()
	base := strings.TrimSuffix(path, ".jsonl")
	if _, err := os.Stat(path); err != nil {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			s.t.Fatal(err)
		}
		for name, text := range side {
			if beside := filepath.Join(s.dir, filepath.FromSlash(name)); strings.HasPrefix(beside, base+".") {
				if err := os.WriteFile(beside, []byte(text), 0o600); err != nil {
					s.t.Fatal(err)
				}
				s.RefreshPath(beside)
			}
		}
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := fmt.Fprint(f, text); err != nil {
		s.t.Fatal(err)
	}
	f.Close()
	s.RefreshPath(path)
}

// newUnopenedSite returns a new site over a directory.
func newUnopenedSite(t *testing.T, dir string) *site {
	t.Helper()
	s := newSite(t, func(c *siteConfig) {
		lib, err := store.New(store.Config{Formats: format.All, Roots: []string{dir}, Home: "/home/dev"})
		if err != nil {
			t.Fatal(err)
		}
		c.Library, c.Catalog = lib, catalog.New(catalog.Config{Library: lib})
	})
	s.fillCatalog()
	return s
}
