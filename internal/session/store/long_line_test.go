package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/scan"
	"sessiontree/internal/slowtest"
)

const (
	edgeSize  = 4 << 10   // of package scan
	blockSize = 256 << 10 // of package scan

	headLine = `{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/x"}` + "\n"
	userLine = `{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"%"}}` + "\n"
)

// limited returns a library with a maximum line length of longest bytes.
func limited(t *testing.T, dir string, longest int) *Library {
	t.Helper()
	lib, err := New(Config{Formats: format.All, Roots: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	lib.scanOptions.MaxLineSize = longest
	return lib
}

// numbered returns a recorded line of n bytes without its newline.
func numbered(id, n int) string {
	line := strings.Replace(strings.TrimSuffix(userLine, "\n"), `"a"`, fmt.Sprintf(`"%d"`, id), 1)
	return strings.Replace(line, "%", strings.Repeat("x", n-len(line)+1), 1)
}

func shown(s *Session) (ids []string, notes []session.Note) {
	s.ReadTree(func(t *session.Tree, _ Revision) {
		for p := range session.Pos(t.Len()) {
			ids = append(ids, t.At(p).ID)
		}
	})
	return ids, s.Notes()
}

// TestOpen_TooLongLine puts lines around the limit everywhere in a file. The rest of
// the session remains, whether read at once or followed.
func TestOpen_TooLongLine(t *testing.T) {
	slowtest.SkipIfShortOutsideCI(t)
	for _, longest := range []int{2 * edgeSize, 3*edgeSize + 7, blockSize + 5} {
		sizes := []int{200, longest, longest + 1, 300, 3*longest + 11, 5*blockSize + longest, longest - 1, 100, 2*longest + 1, longest + 1}
		dir := t.TempDir()
		path := filepath.Join(dir, "a.jsonl")
		data, want, long := headLine, []string{}, []int{}
		for i, n := range sizes {
			data += numbered(i, n) + "\n"
			if n > longest {
				long = append(long, i+2)
			} else {
				want = append(want, fmt.Sprint(i))
			}
		}
		if err := os.WriteFile(path, []byte(headLine), 0o600); err != nil {
			t.Fatal(err)
		}
		lib := limited(t, dir, longest)
		followed, err := lib.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		grow := func(to int) {
			t.Helper()
			if err := os.WriteFile(path, []byte(data[:to]), 0o600); err != nil {
				t.Fatal(err)
			}
			c, err := followed.Refresh(t.Context())
			if err != nil || c.Kind > Appended {
				t.Fatalf("at byte %d: %+v, %v", to, c, err)
			}
		}
		for to := len(headLine) + 1; to < len(data); to += max(longest/3, len(data)/40) + 1 {
			grow(to)
		}
		grow(len(data))
		fresh, err := limited(t, dir, longest).Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		for name, s := range map[string]*Session{"followed": followed, "fresh": fresh} {
			ids, notes := shown(s)
			var lines []int
			for _, n := range notes {
				lines = append(lines, n.Line)
				if n.Code != session.NoteBadLine || !strings.Contains(n.Text, "longer than") {
					t.Errorf("%s: note %+v", name, n)
				}
				if _, err := s.ReadNoteLine(t.Context(), n); !errors.Is(err, scan.ErrTooLong) {
					t.Errorf("%s: Line(%d) = %v", name, n.Line, err)
				}
			}
			if !slices.Equal(ids, want) || !slices.Equal(lines, long) {
				t.Errorf("%s, lines of %d bytes: entries %v, want %v; notes at %v, want %v", name, longest, ids, want, lines, long)
			}
			for p := range ids {
				if _, err := s.ReadRawLine(t.Context(), session.Pos(p)); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
}
