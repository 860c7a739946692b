package store_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/sampletest"
	"sessiontree/internal/session"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/keep"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/store"
	"sessiontree/internal/slowtest"
)

// A thousand files of all formats, with sub-agents, are copied to the archive and deleted: all
// sessions open and have the entries, lines and notes that they had.
func TestDeletedFile_Thousand(t *testing.T) {
	t.Parallel()
	slowtest.SkipIfShort(t)
	sampletest.SkipOutsideCI(t)
	dir := realDir(t)
	for name, generate := range generators {
		for seed := range uint64(60) {
			files := generate(seed).Files()
			writeFiles(t, filepath.Join(dir, fmt.Sprintf("%s-%d", name, seed)), files, slices.Sorted(maps.Keys(files)))
		}
	}
	old := time.Now().AddDate(-1, 0, 0) // at rest, so that unfinished last lines are copied
	files := 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		files++
		return os.Chtimes(path, old, old)
	})
	if err != nil || files < 1000 {
		t.Fatalf("%d files, %v", files, err)
	}
	set, err := roots.New([]string{dir}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	keeper := keep.New(keep.Config{StateDir: t.TempDir(), Roots: set, Formats: format.All})
	if err := keeper.KeepAll(ctx); err != nil {
		t.Fatal(err)
	}
	config := store.Config{Roots: []string{dir}, Copies: keeper.Copies()}
	before := contents(t, libraryWith(t, config), dir)
	removeAll(t, dir)
	for name, text := range before { // a file without a session has no copy
		if strings.HasSuffix(text, session.ErrNoSession.Error()) || strings.Contains(text, session.ErrNoSession.Error()+":") {
			delete(before, name)
		}
	}
	after := contents(t, libraryWith(t, config), dir)
	wantContents(t, "deleted", after, before)
	t.Logf("%d files in %d sessions", files, len(before))
}
