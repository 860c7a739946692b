package keep_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/sampletest"
	"sessiontree/internal/slowtest"
	"sessiontree/internal/testgen/random"
	"sessiontree/internal/testgen/workload"
)

// maxRatio is which part of the bytes of realistic sessions their copies may take.
const maxRatio = 0.35

// A thousand files are copied and deleted: all of their bytes are there, and the copies take
// little space.
func TestKeeper_thousandFiles(t *testing.T) {
	slowtest.SkipIfShort(t)
	sampletest.SkipOutsideCI(t)
	f := newFixture(t)
	if _, _, err := workload.WriteClaudeLibrary(f.root, 1000, 15); err != nil {
		t.Fatal(err)
	}
	f.keepAll()
	before := readTree(t, f.root)
	if err := os.RemoveAll(f.root); err != nil {
		t.Fatal(err)
	}
	f.restart()
	if raw := wantCopies(t, f, before); len(before) < 1000 || ratio(f, raw) > maxRatio {
		t.Errorf("%d files, %d bytes: the copies take %.1f %%", len(before), raw, 100*ratio(f, raw))
	} else {
		t.Logf("%d files, %d bytes: the copies take %.1f %%", len(before), raw, 100*ratio(f, raw))
	}
}

// Random projects of every agent, and those of the corpus if there is one, are copied with
// all their files.
func TestKeeper_everyFormat(t *testing.T) {
	for name, write := range map[string]func(t *testing.T, root string){
		"random": writeRandom,
		"corpus": copyCorpus,
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			write(t, f.root)
			f.keepAll()
			raw, missing := int64(0), 0
			for path, text := range readTree(t, f.root) {
				if !f.Archive().Has(path) {
					if strings.HasSuffix(path, ".jsonl") && len(text) > 0 {
						missing++
						t.Logf("not a session: %s", path)
					}
					continue
				}
				raw += wantCopies(t, f, map[string][]byte{path: text})
			}
			t.Logf("%d bytes: the copies take %.1f %%; %d files are no sessions", raw, 100*ratio(f, raw), missing)
			if raw == 0 {
				t.Error("nothing was copied")
			}
		})
	}
}

func writeRandom(t *testing.T, root string) {
	for _, format := range random.Formats {
		for seed := range uint64(5) {
			p := random.Long(format, seed, random.Length{Steps: 60, Sessions: 3})
			files := p.Files()
			maps.Copy(files, p.SideFiles)
			for name, text := range files {
				path := filepath.Join(root, fmt.Sprint(format, seed), filepath.FromSlash(name))
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// copyCorpus copies the sessions of real agents, without which the test is skipped.
func copyCorpus(t *testing.T, root string) {
	corpus := filepath.Join("..", "..", "..", "..", "..", "shared", "corpus")
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("there is no corpus")
	}
	if err := os.CopyFS(filepath.Join(root, "corpus"), os.DirFS(corpus)); err != nil {
		t.Fatal(err)
	}
}

// readTree returns the regular files below a directory.
func readTree(t *testing.T, root string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		files[path], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// wantCopies fails unless there is a copy of each file. It returns how many bytes they have.
func wantCopies(t *testing.T, f *fixture, files map[string][]byte) (raw int64) {
	t.Helper()
	for path, want := range files {
		if len(want) == 0 {
			continue
		}
		file, err := f.Archive().OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(file)
		if whole := want[:bytes.LastIndexByte(want, '\n')+1]; err != nil || !bytes.Equal(got, want) && !bytes.Equal(got, whole) {
			t.Fatalf("%s: %d bytes, want %d; %v", path, len(got), len(want), err)
		}
		raw += int64(len(want))
		file.Close()
	}
	return raw
}

// ratio returns which part of raw the copies take.
func ratio(f *fixture, raw int64) float64 {
	return float64(f.Archive().StoredBytes()) / float64(raw)
}
