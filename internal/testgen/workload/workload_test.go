package workload

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/slowtest"
)

var spec = Spec{Seed: 7, Cwd: "/home/dev/work/x", Start: time.Date(2026, 6, 1, 8, 0, 0, 0, time.UTC), Entries: 2000, Branches: 20}

type line struct {
	Type     string
	ID       string
	ParentID *string
	Message  struct{ Role string }
}

func lines(t *testing.T, b []byte) []line {
	t.Helper()
	var out []line
	for i, text := range bytes.Split(bytes.TrimSuffix(b, []byte("\n")), []byte("\n")) {
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			t.Fatalf("line %d is no JSON: %v\n%s", i+1, err, text)
		}
		out = append(out, l)
	}
	return out
}

func TestWriteSession(t *testing.T) {
	t.Parallel()
	slowtest.SkipIfShort(t)
	var a, b bytes.Buffer
	wrote, err := WriteSession(&a, spec)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := WriteSession(&b, spec); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Fatalf("the same Spec wrote other bytes (error %v)", err)
	}
	ls := lines(t, a.Bytes())
	if ls[0].Type != "session" || len(ls)-1 != spec.Entries || wrote.Entries != spec.Entries || wrote.Bytes != int64(a.Len()) {
		t.Fatalf("header %q, %d entries, %+v for %d bytes", ls[0].Type, len(ls)-1, wrote, a.Len())
	}
	seen, children := map[string]bool{}, map[string]int{}
	for _, l := range ls[1:] {
		if l.ParentID != nil && !seen[*l.ParentID] || seen[l.ID] {
			t.Fatalf("entry %s: repeated, or its parent comes later", l.ID)
		}
		seen[l.ID] = true
		if l.ParentID != nil {
			children[*l.ParentID]++
		}
	}
	forks := 0
	for _, n := range children {
		if n > 1 {
			forks += n - 1
		}
	}
	if forks != spec.Branches {
		t.Errorf("%d forks, want %d", forks, spec.Branches)
	}
	if mean := a.Len() / spec.Entries; mean < 1800 || mean > 2500 {
		t.Errorf("%d bytes an entry, want about 2,100", mean)
	}
}

func TestWriteChain(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if _, err := WriteChain(&b, spec); err != nil {
		t.Fatal(err)
	}
	parent := ""
	for i, l := range lines(t, b.Bytes())[1:] {
		if i > 0 && (l.ParentID == nil || *l.ParentID != parent) {
			t.Fatalf("entry %d does not hang on the one before it", i)
		}
		parent = l.ID
	}
}

func TestEnsureWorkload(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "w")
	size := Size{Sessions: 3, Bytes: 20_000, Entries: 100, Branches: 4, Chain: 50}
	m, err := EnsureWorkload(dir, size)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := directorySize(m.Library); err != nil || n != m.Bytes {
		t.Fatalf("%d bytes under the library, manifest says %d (error %v)", n, m.Bytes, err)
	}
	mark := filepath.Join(dir, "kept")
	if err := os.WriteFile(mark, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if again, err := EnsureWorkload(dir, size); err != nil || again != m {
		t.Fatalf("second Ensure = %+v, %v", again, err)
	}
	if _, err := os.Stat(mark); err != nil {
		t.Error("a whole workload was written again")
	}
	if err := os.WriteFile(m.Small.Path, []byte("short"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := EnsureWorkload(dir, size); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(m.Small.Path); err != nil || !strings.HasPrefix(string(b), `{"type":"session"`) {
		t.Errorf("a damaged workload was kept: %.20q, %v", b, err)
	}
}
