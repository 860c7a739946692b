package export_test

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sessiontree/internal/sampletest"
	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/store"
	"sessiontree/internal/slowtest"
)

// corpus is the directory of sessions of real agents, next to the repository. It may be
// missing.
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

// An export of a session of a real agent has the same tree, in every scope.
func TestCorpus(t *testing.T) {
	t.Parallel()
	slowtest.SkipIfShort(t)
	made := map[string]int{}
	for _, file := range sampletest.Cases(corpusFiles(t)) {
		t.Run(strings.TrimPrefix(file, corpus+"/"), func(t *testing.T) {
			s := openFile(t, file)
			if s.Format().IsMember(filepath.ToSlash(file)) {
				t.Skip("it belongs to another one")
			}
			for _, part := range samplePartsOf(readTree(s), 3) {
				if graph := s.Format().Graph; graph != nil && graph.KeepsRecordedParents && len(s.Files()) > 1 {
					checkSameAsSingleFile(t, s, part)
					continue
				}
				if s.Format().ArrangesEveryFile() {
					if checkSameConversation(t, s, part, nil) {
						made[s.Format().Name]++
					}
					continue
				}
				checkSamePi(t, s, part)
				made[s.Format().Name]++
			}
		})
	}
	for _, format := range []string{"pi", "claude"} {
		if made[format] < 20/sampletest.Step() {
			t.Errorf("%d parts of sessions of %s", made[format], format)
		}
	}
}

func checkSamePi(t *testing.T, s *store.Session, part export.Part) {
	t.Helper()
	path, err := exportText(t, s, export.Options{Part: part, Kind: export.JSONL})
	if err != nil && !(isEmptyPart(readTree(s), part) && errors.Is(err, session.ErrInvalid)) {
		t.Errorf("%+v: %v", part, err)
	}
	if err == nil {
		checkIsomorphic(t, part.Entry+" "+string(part.Scope), s, part, openFile(t, path))
	}
}

// checkSameAsSingleFile checks that a part of a session with sub-agents exports the same
// lines as the single file that contains the part.
func checkSameAsSingleFile(t *testing.T, s *store.Session, part export.Part) {
	t.Helper()
	file, alone := int32(0), part
	if part.Scope != export.Tree {
		file = readTree(s).At(readTree(s).FindID(part.Entry)).Span.File
		alone.Entry = part.Entry[strings.LastIndex(part.Entry, ":")+1:]
		alone.To = part.To[strings.LastIndex(part.To, ":")+1:]
	}
	if to := readTree(s).FindID(part.To); to != session.NoPos {
		file = readTree(s).At(to).Span.File
	}
	text, err := os.ReadFile(s.Files()[file])
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "alone.jsonl")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	want, err1 := exportedLines(t, openFile(t, path), alone)
	got, err2 := exportedLines(t, s, part)
	if (err1 == nil) != (err2 == nil) || want != got {
		t.Errorf("%+v: %v, %v\nof the file alone:\n%s\nof the session:\n%s", part, err1, err2, want, got)
	}
}

// exportedLines returns the lines of an export from its first entry on.
func exportedLines(t *testing.T, s *store.Session, part export.Part) (string, error) {
	t.Helper()
	path, err := exportText(t, s, export.Options{Part: part, Kind: export.JSONL})
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	out := strings.Join(lines[2:], "")
	for i, made := range addedLine.FindAllStringSubmatch(out, -1) {
		out = strings.ReplaceAll(out, cmp.Or(made[1], made[2]), fmt.Sprint("made", i))
		if made[3] != "" {
			out = strings.ReplaceAll(out, made[3], "now")
		}
	}
	return out, nil
}

// addedLine matches the beginning of a line that an export adds: a label, which keeps its
// time, or the mark at the leaf.
var addedLine = regexp.MustCompile(`{"type":"(?:label","id":"([0-9a-f]{8})"|custom","id":"([0-9a-f]{8})","parentId":"[^"]*","timestamp":"([^"]*)")`)
