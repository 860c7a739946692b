package catalog_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/slowtest"
	"sessiontree/internal/testgen/random"
)

// TestUpdatePaths_RandomProjects writes projects of every format line by line, and truncates,
// renames, copies and removes their files in between. A catalog that follows must
// equal one that reads everything, and so must one that starts with the cache, one of open sessions, whose
// trees have more than a list shows, and those that share what it has read, also after it was stored.
// (Sessions that stay open keep lines that were truncated, so that they may show more.)
func TestUpdatePaths_RandomProjects(t *testing.T) {
	slowtest.SkipIfShortOutsideCI(t)
	for _, format := range random.Formats {
		for _, seed := range random.Seeds(4) {
			t.Run(fmt.Sprintf("%s %d", format, seed), func(t *testing.T) {
				t.Parallel()
				followProject(t, random.Long(format, seed, random.Length{Steps: 40, Sessions: 3}), seed)
			})
		}
	}
}

// followedProject is a project that catalogs follow while it is written.
type followedProject struct {
	t        *testing.T
	rng      *rand.Rand
	dir      string
	cache    string
	shared   *catalog.Shared
	stored   string // directory of shared
	catalogs map[string]*catalog.Catalog
	moved    map[string]string // where the lines of a file are now written
}

func followProject(t *testing.T, p *random.Project, seed uint64) {
	f := &followedProject{t: t, rng: rand.New(rand.NewPCG(seed, 7)), dir: t.TempDir(), cache: t.TempDir(), stored: t.TempDir(), moved: map[string]string{}}
	f.shared = catalog.OpenShared(f.stored)
	f.catalogs = map[string]*catalog.Catalog{"followed": filled(t, f.cache, f.dir), "sharing": sharing(t, f.shared, f.dir)}
	for name, text := range p.SideFiles {
		write(t, f.path(name), text)
	}
	for i, l := range p.Lines {
		f.writeLine(l)
		if f.rng.IntN(12) == 0 {
			f.disturb(l.File)
		}
		if f.rng.IntN(10) == 0 || i == len(p.Lines)-1 {
			f.check(fmt.Sprintf("after line %d of %s", i, l.File))
		}
	}
}

func (f *followedProject) path(name string) string {
	return filepath.Join(f.dir, "-p", filepath.FromSlash(cmp.Or(f.moved[name], name)))
}

func (f *followedProject) writeLine(l random.Line) {
	path := f.path(l.File)
	if _, err := os.Stat(path); err != nil || l.Rewrite {
		write(f.t, path, l.Text)
	} else {
		add(f.t, path, l.Text)
	}
	f.update(path)
}

func (f *followedProject) update(paths ...string) {
	for _, c := range f.catalogs {
		c.UpdatePaths(ctx, paths...)
	}
}

// disturb changes a file as people and other programs do.
func (f *followedProject) disturb(name string) {
	path := f.path(name)
	data, err := os.ReadFile(path)
	if err != nil {
		f.t.Fatal(err)
	}
	switch f.rng.IntN(5) {
	case 0: // at any byte
		err = os.Truncate(path, f.rng.Int64N(int64(len(data)+1)))
	case 1:
		f.moved[name] = cmp.Or(f.moved[name], name) + ".moved.jsonl"
		err = os.Rename(path, f.path(name))
	case 2:
		write(f.t, path+".copy.jsonl", string(data))
		f.update(path + ".copy.jsonl")
	case 3:
		err = os.Remove(path)
	case 4:
		add(f.t, path, `{"torn`)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	f.update(path, f.path(name))
}

// check compares the catalogs with one that reads everything.
func (f *followedProject) check(when string) {
	f.t.Helper()
	if err := f.catalogs["followed"].Save(); err != nil {
		f.t.Fatal(err)
	}
	want := byPath(filled(f.t, "", f.dir))
	catalogs := maps.Clone(f.catalogs)
	catalogs["cached"] = filled(f.t, f.cache, f.dir)
	if err := f.shared.Save(); err != nil {
		f.t.Fatal(err)
	}
	catalogs["shared"] = sharing(f.t, f.shared, f.dir)
	catalogs["shared and stored"] = sharing(f.t, catalog.OpenShared(f.stored), f.dir)
	catalogs["of open sessions"] = ofOpenSessions(f.t, f.dir, want)
	for name, c := range catalogs {
		c.Rescan(ctx) // finds what depends on other files or on parents, as after a start
		if diff := gocmp.Diff(want, byPath(c)); diff != "" {
			f.t.Fatalf("%s, %s (-all +%s):\n%s", when, name, name, diff)
		}
	}
}

// ofOpenSessions returns a catalog of sessions that were opened before it was filled.
func ofOpenSessions(t *testing.T, dir string, sessions []catalog.Summary) *catalog.Catalog {
	t.Helper()
	lib := library(t, dir)
	for _, s := range sessions {
		if _, err := lib.Open(ctx, s.Path); err != nil {
			t.Fatal(err)
		}
	}
	c := catalog.New(catalog.Config{Library: lib})
	fill(t, c)
	return c
}

// byPath returns the sessions sorted by path: sessions of the same time have no order.
func byPath(c *catalog.Catalog) []catalog.Summary {
	all := slices.Clone(c.Sessions())
	for i := range all {
		if s := &all[i]; s.Format == "claude" { // other files record these
			s.Name, s.Parent, s.Agents = "", "", 0
		}
		all[i].SubAgentWrote = time.Time{} // by a file that may be gone
	}
	slices.SortFunc(all, func(a, b catalog.Summary) int { return cmp.Compare(a.Path, b.Path) })
	return all
}

// Sessions whose parents are decided by their format are exact again once they rest.
func TestRereadInexact(t *testing.T) {
	slowtest.SkipIfShort(t)
	for _, format := range random.Formats {
		p := random.Long(format, 1, random.Length{Steps: 60, Sessions: 2})
		f := &followedProject{t: t, dir: t.TempDir()}
		f.catalogs = map[string]*catalog.Catalog{"followed": filled(t, "", f.dir)}
		for _, l := range p.Lines {
			f.writeLine(l)
		}
		c := f.catalogs["followed"]
		c.RereadInexact(ctx, time.Now().Add(-time.Hour))
		grown := byPath(c)
		c.RereadInexact(ctx, time.Now().Add(time.Second))
		if diff := gocmp.Diff(byPath(filled(t, "", f.dir)), byPath(c)); diff != "" {
			t.Errorf("%s (-all +followed):\n%s", format, diff)
		}
		if format == "claude" && gocmp.Equal(grown, byPath(c)) {
			t.Error("claude: the sessions were exact while they grew, so nothing is tested")
		}
	}
}
