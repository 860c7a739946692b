package archive_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/archive/archivetest"
	"sessiontree/internal/slowtest"
)

func TestListingStore(t *testing.T) {
	slowtest.SkipIfShortOutsideCI(t) // TestDir has the same tests
	t.Parallel()
	archivetest.Run(t, createListing)
}

func TestListingStore_model(t *testing.T) {
	slowtest.SkipIfShort(t)
	t.Parallel()
	archivetest.RunModel(t, createListing)
}

func createListing(t *testing.T) archivetest.Opener {
	dir := t.TempDir()
	return func() archive.Store {
		l, err := archive.NewListing(ctx, archive.NewDir(dir))
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
}

// A list knows what was changed by its own methods.
func TestListing_ownChanges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		d := archive.NewDir(t.TempDir())
		l, err := archive.NewListing(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 30).Draw(r, "steps") {
			path := rapid.SampledFrom([]string{"/a", "/d/b", "/d/e/f"}).Draw(r, "path")
			heads, err := l.Heads(ctx, path)
			if err != nil {
				t.Fatal(err)
			}
			switch rapid.IntRange(0, 4).Draw(r, "op") {
			case 0:
				err = l.DeleteFile(ctx, path)
			case 1:
				err = l.DeleteGeneration(ctx, path, len(heads))
			default:
				_, err = l.Append(ctx, archivetest.Next(path, newestGeneration(heads)+1, nil, []byte(rapid.StringN(1, 20, 99).Draw(r, "text"))))
			}
			if got, want := list(t, l, "/"), list(t, d, "/"); err != nil || got != want || l.StoredBytes() != d.StoredBytes() {
				r.Fatalf("%v, the list has\n%s%d bytes, want\n%s%d bytes", err, got, l.StoredBytes(), want, d.StoredBytes())
			}
		}
	})
}

// A list that is refreshed with the changed files is that of the store itself.
func TestListing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		d := archive.NewDir(t.TempDir())
		l, err := archive.NewListing(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 30).Draw(r, "steps") {
			path := rapid.SampledFrom([]string{"/a", "/d/b", "/d/c", "/d/e/f", "/g/h/i/j"}).Draw(r, "path")
			heads, err := d.Heads(ctx, path)
			if err != nil {
				t.Fatal(err)
			}
			switch rapid.IntRange(0, 4).Draw(r, "op") {
			case 0:
				err = d.DeleteFile(ctx, path)
			case 1:
				err = d.DeleteGeneration(ctx, path, len(heads))
			default:
				_, err = d.Append(ctx, archivetest.Next(path, newestGeneration(heads)+1, nil, []byte(rapid.StringN(1, 20, 99).Draw(r, "text"))))
			}
			if rapid.IntRange(0, 9).Draw(r, "all") == 0 {
				path = ""
			}
			if err := errors.Join(err, refresh(l, path)); err != nil {
				t.Fatal(err)
			}
			if got, want := list(t, l, "/"), list(t, d, "/"); got != want || l.StoredBytes() != d.StoredBytes() {
				r.Fatalf("the list has\n%s%d bytes, want\n%s%d bytes", got, l.StoredBytes(), want, d.StoredBytes())
			}
		}
	})
}

func newestGeneration(heads []archive.Head) int {
	if len(heads) == 0 {
		return 0
	}
	return heads[len(heads)-1].Generation
}

func refresh(l *archive.Listing, path string) error {
	if path == "" {
		return l.Refresh(ctx)
	}
	return l.Refresh(ctx, path)
}

func TestListingOpensTheNewest(t *testing.T) {
	d := archive.NewDir(t.TempDir())
	put(t, d, "/a", 1, "old")
	l, err := archive.NewListing(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	put(t, d, "/a", 2, "new")
	if err := l.Refresh(ctx, "/a"); err != nil {
		t.Fatal(err)
	}
	f, err := l.OpenFile("/a")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, err := io.ReadAll(f); err != nil || !bytes.Equal(got, []byte("new")) {
		t.Errorf("%q, %v", got, err)
	}
	if err := d.DeleteFile(ctx, "/a"); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/a", "/none"} { // the list does not know of the deletion
		if _, err := l.OpenFile(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", path, err)
		}
	}
	// A store that cannot be read leaves the list as it was.
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	put(t, d, "/b", 1, "x")
	if err := l.Refresh(canceled); err == nil || !l.Has("/a") {
		t.Errorf("%v, the list has %s", err, list(t, l, "/"))
	}
}
