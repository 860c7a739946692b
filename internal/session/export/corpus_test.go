package export_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/store"
)

// corpus is where sessions of real agents lie beside the clone, where they do.
const corpus = "../../../../shared/corpus"

// corpusFiles lists the session files of real agents.
func corpusFiles(t testing.TB) (all []string) {
	if _, err := os.Stat(corpus); errors.Is(err, fs.ErrNotExist) {
		t.Skip("there are no sessions of real agents beside the clone")
	}
	err := filepath.WalkDir(corpus, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".jsonl" {
			all = append(all, path)
		}
		return err
	})
	if err != nil || len(all) == 0 {
		t.Fatal("no sessions", err)
	}
	return all
}

// What is made of the sessions of real agents is the same tree, in every scope.
func TestCorpus(t *testing.T) {
	t.Parallel()
	made := map[string]int{}
	for _, file := range corpusFiles(t) {
		t.Run(strings.TrimPrefix(file, corpus+"/"), func(t *testing.T) {
			s := opened(t, file)
			if f := s.Format(); f.Part != nil && f.Part(filepath.ToSlash(file)) {
				t.Skip("it belongs to another one")
			}
			for _, part := range someParts(tree(s), 3) {
				if s.Format().Arrange != nil {
					if sameTalk(t, s, part, nil) {
						made[s.Format().Name]++
					}
					continue
				}
				samePi(t, s, part)
				made[s.Format().Name]++
			}
		})
	}
	for _, format := range []string{"pi", "claude"} {
		if made[format] < 20 {
			t.Errorf("%d parts of sessions of %s", made[format], format)
		}
	}
}

func samePi(t *testing.T, s *store.Session, part export.Part) {
	t.Helper()
	path, err := exported(t, s, export.Options{Part: part, As: export.JSONL})
	if err != nil && !(nothing(tree(s), part) && errors.Is(err, session.ErrInvalid)) {
		t.Errorf("%+v: %v", part, err)
	}
	if err == nil {
		isomorphic(t, part.Entry+" "+string(part.Scope), s, part, opened(t, path))
	}
}
