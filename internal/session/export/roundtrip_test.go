package export_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/sampletest"
	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
	"sessiontree/internal/slowtest"
)

const testdata = "../../../testdata/"

// openFile opens a session file with its related files.
func openFile(t testing.TB, path string) *store.Session {
	t.Helper()
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{filepath.Dir(path)}, Home: "/home/tester", Clock: exportTime})
	if err != nil {
		t.Fatal(err)
	}
	s, err := lib.Open(t.Context(), path)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return s
}

// exportTime is when tests export: labels without a time get it, so that two exports are equal.
func exportTime() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

func readTree(s *store.Session) (tree *session.Tree) {
	s.ReadTree(func(t *session.Tree, _ store.Revision) { tree = t })
	return tree
}

// exportText writes a part of a session to a file and returns its path.
func exportText(t testing.TB, s *store.Session, o export.Options) (string, error) {
	t.Helper()
	job, err := export.Prepare(t.Context(), s, o)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	r, err := job.Write(t.Context(), &b)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), exportedName(s))
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if r.Bytes != int64(b.Len()) {
		t.Errorf("%d bytes of %d", r.Bytes, b.Len())
	}
	if n := readTree(openFile(t, path)).Len(); r.Entries != n {
		t.Errorf("%+v: %d entries are told of, the file holds %d", o.Part, r.Entries, n)
	}
	return path, nil
}

// exportedName returns a file name under which all formats are recognized.
func exportedName(*store.Session) string { return "0aa99999-1111-4111-8111-111111111111.jsonl" }

// sampleParts lists the parts of a session that the tests try.
func sampleParts(tr *session.Tree) []export.Part { return samplePartsOf(tr, 10) }

// samplePartsOf returns the whole session and, for about n of its entries, each scope.
func samplePartsOf(tr *session.Tree, n int) []export.Part {
	all := []export.Part{{Scope: export.Tree}}
	for p := 0; p < tr.Len(); p += 1 + tr.Len()/n {
		id, end := tr.At(session.Pos(p)).ID, tr.At(tr.Subtrees().NewestLeaf(session.Pos(p))).ID
		all = append(all, export.Part{Entry: id, Scope: export.Path}, export.Part{Entry: id, Scope: export.Subtree}, export.Part{Entry: id, Scope: export.Subtree, Bare: true},
			export.Part{Entry: id, Scope: export.Subtree, To: end}, export.Part{Entry: id, Scope: export.Subtree, Bare: true, To: end})
	}
	return all
}

// An exported part has the same tree, labels and bodies when it is opened.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	slowtest.SkipIfShort(t)
	var files []string
	for _, pattern := range []string{"pi/*/input.jsonl", "dialects/*/input.jsonl", "pi-formats/*.jsonl"} {
		some, err := filepath.Glob(testdata + pattern)
		if err != nil || len(some) == 0 {
			t.Fatal(pattern, err)
		}
		files = append(files, some...)
	}
	for _, file := range sampletest.Cases(files) {
		name := strings.TrimPrefix(file, testdata)
		if strings.Contains(name, "header-only") {
			continue // TestEmptySession
		}
		t.Run(name, func(t *testing.T) {
			s := openFile(t, file)
			from := readTree(s)
			for _, part := range sampleParts(from) {
				path, err := exportText(t, s, export.Options{Part: part, Kind: export.JSONL})
				if isEmptyPart(from, part) {
					if !errors.Is(err, session.ErrInvalid) {
						t.Errorf("%+v: %v", part, err)
					}
					continue
				}
				if err != nil {
					t.Errorf("%+v: %v", part, err)
					continue
				}
				again := openFile(t, path)
				if again.Format() != s.Format() && !part.Bare { // a single line may match either dialect
					t.Errorf("%+v: %s became %s", part, s.Format().Name, again.Format().Name)
				}
				checkIsomorphic(t, fmt.Sprintf("%+v", part), s, part, again)
			}
		})
	}
}

// partEntries returns the entries of a part that an export contains. For a whole session
// these are all. Otherwise it omits labels, which are set again, edits of entries that
// are not included, and a name at the end of a path that is not in force.
func partEntries(tr *session.Tree, part export.Part) (in map[session.Pos]bool) {
	in = map[session.Pos]bool{}
	at := tr.Leaf()
	if part.Entry != "" {
		at = tr.FindID(part.Entry)
	}
	above := map[session.Pos]bool{}
	for _, p := range tr.Path(at) {
		above[p] = true
	}
	within := map[session.Pos]bool{} // the path to the end of the part
	for _, p := range tr.Path(tr.FindID(part.To)) {
		within[p] = true
	}
	for p := range session.Pos(tr.Len()) {
		below := false
		for up := p; up != session.NoPos && !below; up = tr.Parent(up) {
			below = up == at
		}
		switch part.Scope {
		case export.Tree:
			in[p] = true
		case export.Path:
			in[p] = above[p]
		default:
			in[p] = below && (part.To == "" || within[p]) || above[p] && !part.Bare
		}
	}
	end := partEnd(tr, part)
	all := map[session.Pos]bool{}
	if whole := len(in) == tr.Len() && !slices.Contains(slices.Collect(maps.Values(in)), false); whole && (end == session.NoPos || end == tr.Leaf()) {
		return in
	}
	for p := range session.Pos(tr.Len()) {
		e := tr.At(p)
		target := tr.FindID(e.Target())
		dangling := isEdit(e) && target != session.NoPos && (!in[target] || tr.At(target).Kind == session.KindLabel || isEdit(tr.At(target)) && target < p && !all[target])
		if in[p] && e.Kind != session.KindLabel && !dangling {
			all[p] = true
		}
	}
	var names []session.Pos
	for ; end != session.NoPos && tr.Header().Format == "pi"; end = tr.Parent(end) {
		if all[end] && (tr.At(end).Kind != session.KindName || tr.At(end).Name == tr.Header().Name) {
			for _, p := range names {
				delete(all, p)
			}
			break
		}
		names = append(names, end)
	}
	return all
}

// isEdit reports whether an entry edits another one.
func isEdit(e *session.Entry) bool {
	return e.Kind == session.KindContextEdit || e.Kind == session.KindArchive
}

// partEnd returns the end of a part that is one path.
func partEnd(tr *session.Tree, part export.Part) session.Pos {
	switch {
	case part.To != "":
		return tr.FindID(part.To)
	case part.Scope != export.Path:
		return session.NoPos
	case part.Entry != "":
		return tr.FindID(part.Entry)
	}
	return tr.Leaf()
}

func isEmptyPart(tr *session.Tree, part export.Part) bool { return len(partEntries(tr, part)) == 0 }

func checkIsomorphic(t *testing.T, name string, s *store.Session, part export.Part, again *store.Session) {
	t.Helper()
	from, to := readTree(s), readTree(again)
	in := partEntries(from, part)
	order := make([]session.Pos, 0, len(in))
	if part.Scope == export.Path || part.To != "" {
		at := from.Leaf()
		switch {
		case part.To != "":
			at = from.FindID(part.To)
		case part.Entry != "":
			at = from.FindID(part.Entry)
		}
		for _, p := range from.Path(at) {
			if in[p] {
				order = append(order, p)
			}
		}
	} else {
		for p := range session.Pos(from.Len()) {
			if in[p] {
				order = append(order, p)
			}
		}
	}
	same := map[session.Pos]session.Pos{session.NoPos: session.NoPos}
	if to.Len() < len(order) {
		t.Fatalf("%s: %d entries, want %d at least", name, to.Len(), len(order))
	}
	for i, p := range order {
		same[p] = session.Pos(i)
	}
	began := session.Pos(len(order)) // added by the export
	if last := order[began-1]; endsWithEntry(from.At(last), to) {
		same[last] = session.Pos(to.Len() - 1)
		began--
	}
	for _, p := range order {
		was, is := from.At(p), to.At(same[p])
		up := from.Parent(p)
		for up != session.NoPos && !in[up] {
			up = from.Parent(up)
		}
		if to.Parent(same[p]) != same[up] {
			t.Errorf("%s: %s hangs on %d, want %d", name, is.ID, to.Parent(same[p]), same[up])
		}
		if !strings.HasPrefix(was.ID, "L") && was.ID != is.ID || was.Kind != is.Kind {
			t.Errorf("%s: %s %d became %s %d", name, was.ID, was.Kind, is.ID, is.Kind)
		}
		if diff := diffBodies(readBody(t, s, p), readBody(t, again, same[p])); diff != "" {
			t.Errorf("%s: %s (-was +is):\n%s", name, was.ID, diff)
		}
	}
	want, got := map[session.Pos]string{}, map[session.Pos]string{}
	for _, l := range from.Labels() {
		if in[l.Target] {
			want[same[l.Target]] = l.Text
		}
	}
	for _, l := range to.Labels() {
		got[l.Target] = l.Text
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: labels (-want +got):\n%s", name, diff)
	}
	if was, is := from.Header().Name, to.Header().Name; was != is && s.Format() == again.Format() {
		t.Errorf("%s: %q is called %q", name, was, is)
	}
	for p := began; int(p) < int(began)+to.Len()-len(order); p++ {
		if e := to.At(p); e.Kind != session.KindLabel && e.Kind != session.KindCustom && e.Kind != session.KindName {
			t.Errorf("%s: %s was added", name, e.ID)
		}
	}
	for i := range to.Len() { // no entry refers to a missing one unless the source did
		e := to.At(session.Pos(i))
		if e.Kind == session.KindCompaction || e.Kind == session.KindContextEdit || e.Kind == session.KindArchive || e.Kind == session.KindLabel {
			if e.Target() != "" && to.FindID(e.Target()) == session.NoPos && from.FindID(e.Target()) != session.NoPos {
				t.Errorf("%s: %s names %s, which is not there", name, e.ID, e.Target())
			}
		}
		if e.HasFlag(session.FlagHasParent) && to.Parent(session.Pos(i)) == session.NoPos {
			t.Errorf("%s: %s hangs on %s, which is not there", name, e.ID, e.Parent)
		}
	}
	checkLeaf(t, name, from, to, in, same)
	checkStraight(t, name, from, to, order, same)
}

// checkStraight checks that the leaf of the file is the last exported entry, if possible,
// and that nothing was added on the path to it.
func checkStraight(t *testing.T, name string, from, to *session.Tree, order []session.Pos, same map[session.Pos]session.Pos) {
	t.Helper()
	last, at := order[len(order)-1], from.Leaf()
	for !slices.Contains(order, at) && from.At(at).Kind.IsBookkeeping() && from.Parent(at) != session.NoPos {
		at = from.Parent(at)
	}
	if at != last && slices.Contains(order, at) || to.Parent(same[last]) == session.NoPos || from.At(last).Kind == session.KindName {
		return
	}
	if to.Leaf() != same[last] {
		t.Errorf("%s: the leaf is %d, want %d", name, to.Leaf(), same[last])
	}
	copied := slices.Collect(maps.Values(same))
	for _, p := range to.Path(to.Leaf()) {
		if !slices.Contains(copied, p) {
			t.Errorf("%s: %s, which was added, is on the path to the leaf", name, to.At(p).ID)
		}
	}
}

// endsWithEntry reports whether the file ends with a copy of the entry.
func endsWithEntry(e *session.Entry, to *session.Tree) bool {
	last := to.At(session.Pos(to.Len() - 1))
	return last.Kind == e.Kind && (last.ID == e.ID || strings.HasPrefix(e.ID, "L"))
}

// checkLeaf checks that the leaf is the same if it was exported.
func checkLeaf(t *testing.T, name string, from, to *session.Tree, in map[session.Pos]bool, same map[session.Pos]session.Pos) {
	t.Helper()
	if !strings.Contains(name, "Scope:tree") {
		return
	}
	was := from.Leaf()
	for was != session.NoPos && !in[was] {
		was = from.Parent(was)
	}
	is := to.Leaf()
	if !slices.Contains(slices.Collect(maps.Values(same)), is) {
		is = to.Parent(is)
	}
	if was != session.NoPos && is != same[was] {
		t.Errorf("%s: the leaf is %d, want %d", name, is, same[was])
	}
}

// diffBodies returns the difference of two bodies, "" if there is none.
func diffBodies(was, is session.Body) string {
	if reflect.DeepEqual(was, is) { // cmp is slow
		return ""
	}
	return cmp.Diff(was, is)
}

func readBody(t *testing.T, s *store.Session, p session.Pos) session.Body {
	t.Helper()
	b, err := s.ReadBody(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	for i := range b.Blocks { // shown as recorded
		if b.Blocks[i].Kind == session.BlockJSON {
			b.Blocks[i].Text = linkFields.ReplaceAllString(b.Blocks[i].Text, "")
		}
	}
	return b
}

var linkFields = regexp.MustCompile(`"(id|parentId)" ?: ?("[^"]*"|null),?|,"(id|parentId)" ?: ?("[^"]*"|null)`)

func TestEmptySession(t *testing.T) {
	s := openFile(t, testdata+"pi/header-only/input.jsonl")
	if _, err := exportText(t, s, export.Options{Part: export.Part{Scope: export.Tree}, Kind: export.JSONL}); !errors.Is(err, session.ErrInvalid) {
		t.Errorf("%v", err)
	}
}
