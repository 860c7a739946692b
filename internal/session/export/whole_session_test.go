package export_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/store"
	"sessiontree/internal/slowtest"
)

// randomSession returns a session of pi as editing and crashes may leave it: times that
// run backward or are equal, labels on labels, branches, orphans, repeated ids, cycles.
func randomSession(r *rand.Rand) string {
	var b strings.Builder
	line := func(fields map[string]any) {
		text, err := json.Marshal(fields)
		if err != nil {
			panic(err)
		}
		b.Write(append(text, '\n'))
	}
	line(map[string]any{"type": "session", "version": 3, "id": "s", "timestamp": "2025-03-01T10:00:00.000Z", "cwd": "/p"})
	var ids []string
	names := map[string]bool{}
	pick := func() string { return ids[r.IntN(len(ids))] }
	for n := range 2 + r.IntN(30) {
		id := fmt.Sprintf("%08x", n)
		if n > 0 && r.IntN(12) == 0 {
			if old := pick(); !names[old] { // a name whose line is lost would be set again
				id = old
			}
		}
		e := map[string]any{"id": id, "parentId": nil, "timestamp": time.UnixMilli(1740823200000 + int64(r.IntN(20))*1000).UTC().Format("2006-01-02T15:04:05.000Z")}
		switch k := r.IntN(20); {
		case n == 0 || k == 0:
		case k == 1:
			e["parentId"] = "missing"
		case k == 2:
			e["parentId"] = fmt.Sprintf("%08x", n+r.IntN(3)) // later, or itself
		case k < 6:
			e["parentId"] = pick()
		default:
			e["parentId"] = ids[len(ids)-1]
		}
		switch k := r.IntN(10); {
		case n == 0:
			e["type"], e["message"] = "message", map[string]any{"role": "user", "content": "q"}
		case k < 3:
			e["type"], e["targetId"] = "label", pick()
			if r.IntN(4) > 0 {
				e["label"] = "l" + strconv.Itoa(n)
			}
		case k == 3:
			e["type"], e["name"] = "session_info", "name "+strconv.Itoa(r.IntN(3))
			names[id] = true
		case k == 4:
			e["type"], e["customType"] = "custom", "x"
		case k == 5:
			e["type"], e["summary"], e["firstKeptEntryId"], e["tokensBefore"] = "compaction", "s", pick(), 1
		case k == 6:
			e["type"], e["targetId"], e["replacement"] = "context_edit", pick(), nil
		case k == 7:
			e["type"], e["message"] = "message", map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "text", "text": "a"}}, "stopReason": "stop"}
		default:
			e["type"], e["message"] = "message", map[string]any{"role": "user", "content": "q" + strconv.Itoa(n)}
		}
		line(e)
		ids = append(ids, id)
	}
	return b.String()
}

// testSeeds returns the number of random sessions, which EXPORT_SEEDS=N sets.
func testSeeds(t *testing.T) uint64 {
	t.Helper()
	if n, err := strconv.ParseUint(os.Getenv("EXPORT_SEEDS"), 10, 64); err == nil {
		return n
	}
	return 200
}

// forEachRandom calls fn with random sessions.
func forEachRandom(t *testing.T, fn func(t *testing.T, s *store.Session)) {
	t.Helper()
	dir := t.TempDir()
	for seed := range testSeeds(t) {
		path := filepath.Join(dir, strconv.FormatUint(seed, 10), "s.jsonl")
		text := randomSession(rand.New(rand.NewPCG(seed, 1)))
		if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		ok := t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) { fn(t, openFile(t, path)) })
		if !ok {
			t.Fatalf("seed %d:\n%s", seed, text)
		}
	}
}

// drawOutline lists everything that a tree shows: entries, edges, the order of siblings,
// labels, name and leaf.
func drawOutline(t *session.Tree) []string {
	var out []string
	id := func(p session.Pos) string {
		if p == session.NoPos {
			return "-"
		}
		return t.At(p).ID
	}
	all := func(ps []session.Pos) (ids []string) {
		for _, p := range ps {
			ids = append(ids, id(p))
		}
		return ids
	}
	out = append(out, "name "+t.Header().Name, "leaf "+id(t.Leaf()), fmt.Sprint("roots ", all(t.Roots())))
	for p := range session.Pos(t.Len()) {
		e, l := t.At(p), ""
		if in, ok := t.Label(p); ok {
			l = fmt.Sprintf(" [%s at %d]", in.Text, in.Time)
		}
		out = append(out, fmt.Sprintf("%s %s < %s, %d: %s %v%s", e.ID, e.Role, id(t.Parent(p)), e.Time, e.Preview, all(t.Children(p)), l))
	}
	for _, l := range t.Labels() {
		out = append(out, "label on "+id(l.Target))
	}
	return out
}

// An exported whole session is the same tree when it is opened, with label lines and the
// order of siblings.
func TestWholeSession(t *testing.T) {
	forEachRandom(t, func(t *testing.T, s *store.Session) {
		path, err := exportText(t, s, export.Options{Part: export.Part{Scope: export.Tree}, Kind: export.JSONL})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(drawOutline(readTree(s)), drawOutline(readTree(openFile(t, path)))); diff != "" {
			t.Errorf("(-was +is):\n%s", diff)
		}
	})
}

// The lines of ordinary sessions are copied byte for byte.
func TestWholeSession_SameBytes(t *testing.T) {
	text := `{"type":"session","version":3,"id":"s","timestamp":"2025-03-01T10:00:00.000Z","cwd":"/p"}
{"type":"message", "id":"u1","parentId":null,"timestamp":"2025-03-01T10:00:09.000Z","message":{"role":"user","content":"q"}}
{"type":"label","id":"l1","parentId":"u1","timestamp":"2025-03-01T10:00:02.000Z","targetId":"u1","label":"one"}
{"type":"label","id":"l2","parentId":"l1","timestamp":"2025-03-01T10:00:01.000Z","targetId":"l1","label":"on a label"}
{"type":"message","id":"a1","parentId":"l1","timestamp":"2025-03-01T10:00:00.000Z","message":{"role":"assistant","content":[],"stopReason":"stop"}}
{"type":"label","id":"l3","parentId":"u1","timestamp":"2025-03-01T10:00:02.000Z","targetId":"u1"}
{"type":"session_info","id":"n1","parentId":"l3","timestamp":"2025-03-01T10:00:02.000Z","name":"A name"}
`
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exportText(t, openFile(t, path), export.Options{Part: export.Part{Scope: export.Tree}, Kind: export.JSONL})
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	_, want, _ := strings.Cut(text, "\n")
	_, entries, _ := strings.Cut(string(got), "\n")
	if diff := cmp.Diff(want, entries); diff != "" {
		t.Errorf("(-was +is):\n%s", diff)
	}
}

// isCopiedKind reports whether an entry is copied in every part.
func isCopiedKind(k session.Kind) bool {
	return k != session.KindLabel && k != session.KindName && k != session.KindContextEdit
}

// pathFileEnd returns the entry at which the file of a path to p ends: p, or if p is a
// label or a name that is not in force, its nearest other ancestor.
func pathFileEnd(t *session.Tree, p session.Pos) session.Pos {
	for at := p; at != session.NoPos; at = t.Parent(at) {
		if e := t.At(at); e.Kind != session.KindLabel && (e.Kind != session.KindName || e.Name == t.Header().Name) {
			return at
		}
	}
	return session.NoPos
}

// sentMessages lists the roles and ids of the messages in the model's context.
func sentMessages(t *session.Tree, leaf session.Pos) (out []string) {
	for _, item := range t.Context(leaf).Items {
		out = append(out, item.Role+" "+t.At(item.Pos).ID)
	}
	return out
}

// The file of a path ends at the requested entry and has the same context.
func TestPathEnd(t *testing.T) {
	slowtest.SkipIfShort(t)
	forEachRandom(t, func(t *testing.T, s *store.Session) {
		from := readTree(s)
		for p := range session.Pos(from.Len()) {
			id := from.At(p).ID
			path, err := exportText(t, s, export.Options{Part: export.Part{Entry: id, Scope: export.Path}, Kind: export.JSONL})
			at := pathFileEnd(from, p)
			if !slices.ContainsFunc(from.Path(p), func(p session.Pos) bool { return isCopiedKind(from.At(p).Kind) }) {
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", id, err)
			}
			to := readTree(openFile(t, path))
			leaf := to.At(to.Leaf()).ID
			if e := from.At(at); leaf != e.ID && leaf != id && e.Kind != session.KindContextEdit { // an edit without a target on the path is omitted
				t.Errorf("the file of the path to %s ends at %s, want %s", id, leaf, e.ID)
			}
			if diff := cmp.Diff(sentMessages(from, p), sentMessages(to, to.Leaf())); diff != "" {
				t.Errorf("the context at %s (-was +is):\n%s", id, diff)
			}
			if was, is := from.Header().Name, to.Header().Name; was != is {
				t.Errorf("%s: %q is called %q", id, was, is)
			}
			labels := func(tr *session.Tree, in func(string) bool) (out []string) {
				for _, l := range tr.Labels() {
					if id := tr.At(l.Target).ID; in(id) && tr.At(l.Target).Kind != session.KindLabel {
						out = append(out, id+" "+l.Text)
					}
				}
				slices.Sort(out)
				return out
			}
			copied := func(id string) bool { return to.FindID(id) != session.NoPos }
			if diff := cmp.Diff(labels(from, copied), labels(to, copied)); diff != "" {
				t.Errorf("labels of the path to %s (-was +is):\n%s", id, diff)
			}
		}
	})
}
