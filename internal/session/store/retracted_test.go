package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/retracted"
	"sessiontree/internal/session/store"
)

const (
	linearID     = "0aa11111-1111-4111-8111-111111111111"
	linearHeader = `{"type":"metadata","workdir":"/home/dev/shop","createdAt":"2026-03-02T10:00:00.000Z"}` + "\n"
)

// ignoreChange ignores changes. A library only watches files if it has such a function.
func ignoreChange(*store.Session, store.Change) {}

// messageLine returns a line of a format with linear transcripts.
func messageLine(id, role, text string) string {
	return fmt.Sprintf(`{"timestamp":"2026-03-02T10:00:01.000Z","id":%q,"role":%q,"blocks":[{"type":"text","content":%q}]}`+"\n", id, role, text)
}

func packed(id string) string {
	return `{"timestamp":"2026-03-02T10:00:02.000Z","id":"` + id + `","role":"assistant","blocks":[{"type":"compact","content":"summary"}]}` + "\n"
}

// rewindable is a followed session of six messages.
type rewindable struct {
	t     *testing.T
	state string
	path  string
	lines []string
	s     *store.Session
}

func newRewindable(t *testing.T) *rewindable {
	dir := t.TempDir()
	r := &rewindable{t: t, state: filepath.Join(dir, "state"), path: filepath.Join(dir, "home-dev-shop", linearID+".jsonl")}
	for i := range 6 {
		role := []string{"user", "assistant"}[i%2]
		r.lines = append(r.lines, messageLine(fmt.Sprint("m", i+1), role, fmt.Sprint("message ", i+1)))
	}
	write(t, r.path, append([]string{linearHeader}, r.lines...)...)
	r.s = r.open()
	return r
}

// open opens the session as a new program does. Its clock does not move, so that all of a test
// happens in the same millisecond.
func (r *rewindable) open() *store.Session {
	r.t.Helper()
	clock := func() time.Time { return time.UnixMilli(1_780_000_000_000) }
	return openSession(r.t, libraryWith(r.t, store.Config{Roots: []string{filepath.Dir(r.path)}, StateDir: r.state, OnChange: ignoreChange, Clock: clock}), r.path)
}

// write rewrites the file and refreshes the session.
func (r *rewindable) write(lines ...string) store.Change {
	r.t.Helper()
	write(r.t, r.path, lines...)
	c, err := r.s.Refresh(ctx)
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

// wants compares the trees of the followed session and of one opened now with lines "ID
// < PARENT". "*" marks retracted entries, "~" folded ones.
func (r *rewindable) wants(want string) {
	r.t.Helper()
	for name, s := range map[string]*store.Session{"followed": r.s, "opened cold": r.open()} {
		if diff := cmp.Diff(strings.Fields(want), strings.Fields(shape(s))); diff != "" {
			r.t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func (r *rewindable) refresh() {
	r.t.Helper()
	if _, err := r.s.Refresh(ctx); err != nil {
		r.t.Fatal(err)
	}
}

func shape(s *store.Session) string {
	var b strings.Builder
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		for p := range session.Pos(t.Len()) {
			up, mark := "", ""
			if t.Parent(p) != session.NoPos {
				up = t.At(t.Parent(p)).ID
			}
			if t.At(p).HasFlag(session.FlagRetracted) {
				mark += "*"
			}
			if t.At(p).HasFlag(session.FlagArtifact) {
				mark += "~"
			}
			fmt.Fprintf(&b, "%s<%s%s\n", t.At(p).ID, up, mark)
		}
	})
	return b.String()
}

func (r *rewindable) kept() (files []string) {
	files, _ = filepath.Glob(filepath.Join(r.state, "rewound", "*", "*.jsonl"))
	return files
}

func TestRewound(t *testing.T) {
	r := newRewindable(t)
	hasRetracted := func() bool {
		lib := libraryWith(t, store.Config{Roots: []string{filepath.Dir(r.path)}, StateDir: r.state, OnChange: ignoreChange})
		return lib.RetractedSessions()(r.s.Format().Name, linearID)
	}
	if hasRetracted() {
		t.Error("a session has retracted lines before any were")
	}
	if c := r.write(r.lines[:4]...); c.Kind != store.Rewritten || c.Leaf != "m4" { // the header is lost, as in Wave
		t.Errorf("change %+v", c)
	}
	if !hasRetracted() {
		t.Error("no retracted lines are known of")
	}
	r.wants("m1< m2<m1 m3<m2 m4<m3 m5<m4* m6<m5")
	for p := range session.Pos(6) {
		b, err := r.s.ReadBody(ctx, p)
		if want := fmt.Sprint("message ", p+1); err != nil || b.Blocks[0].Text != want {
			t.Errorf("body of %d: %+v, %v", p, b, err)
		}
	}
	if hits, err := r.s.Search(ctx, "message 6"); err != nil || len(hits) != 1 || hits[0] != 5 {
		t.Errorf("found %v, %v", hits, err)
	}
	for _, f := range r.kept() {
		info, err := os.Stat(f)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, %v", f, info.Mode(), err)
		}
		if info, err := os.Stat(filepath.Dir(f)); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("its directory: mode %v, %v", info.Mode(), err)
		}
	}
	told := ""
	for _, n := range r.s.Notes() {
		if n.Code == retracted.NoteCode {
			told += n.Entry + " " + n.Text
		}
	}
	if !strings.Contains(told, "m5 Wave retracted 2 entries") {
		t.Errorf("notes: %s", told)
	}
}

// The agent continues after a rewind, and each line is only appended.
func TestRetracted_goesOn(t *testing.T) {
	r := newRewindable(t)
	r.write(r.lines[:4]...)
	add(t, r.path, messageLine("n5", "user", "another way"))
	c, err := r.s.Refresh(ctx)
	if err != nil || c.Kind != store.Appended || c.Entries != 1 || c.Leaf != "n5" {
		t.Errorf("%+v, %v", c, err)
	}
	var lines []string
	r.s.ReadTree(func(tree *session.Tree, _ store.Revision) {
		o := outline.Build(tree, outline.View{Leaf: tree.Leaf(), Entry: session.NoPos})
		for _, row := range o.Rows.All() {
			lines = append(lines, fmt.Sprint(tree.At(row.Pos).ID, " ", row.Lane, row.Kind == outline.RowBranch))
		}
	})
	want := []string{"m1 0 false", "m2 0 false", "m3 0 false", "m4 0 false", "m5 1 true", "n5 0 false"}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// Lines that came after a line without an id wait for the line that takes its place.
func TestRetracted_behindALineWithoutID(t *testing.T) {
	r := newRewindable(t)
	nameless := func(text string) string {
		return strings.Replace(messageLine("", "assistant", text), `"id":"",`, "", 1)
	}
	r.write(r.lines[0], r.lines[1], nameless("one"), r.lines[5])
	r.write(r.lines[0], r.lines[1], nameless("one"))
	r.write(r.lines[0])
	add(t, r.path, messageLine("n2", "user", "another way"))
	r.refresh()
	add(t, r.path, nameless("two"))
	r.refresh()
	want := []string{"4742215d32e6dbaf6bc224983c0672eb:L3<m2", "L3<n2", "m1<", "m2<m1*", "m3<m2*", "m4<m3", "m5<m4", "m6<L3*", "n2<m1"}
	for name, s := range map[string]*store.Session{"followed": r.s, "opened cold": r.open()} {
		if diff := cmp.Diff(want, slices.Sorted(slices.Values(strings.Fields(shape(s))))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Repeated rewinds, also to before an earlier one: each part stays attached where it
// was.
func TestRetracted_twice(t *testing.T) {
	r := newRewindable(t)
	r.write(r.lines[:4]...)
	r.write(append(r.lines[:2:2], messageLine("n3", "user", "another way"))...)
	r.wants("m1< m2<m1 n3<m2 m3<m2* m4<m3 m5<m4* m6<m5")
	if n := len(r.kept()); n != 2 {
		t.Errorf("%d files are kept", n)
	}
}

// A rewind to the first message leaves an empty file, which is not a session until the
// agent continues.
func TestRetracted_all(t *testing.T) {
	r := newRewindable(t)
	if c := r.write(); c.Kind != store.Removed {
		t.Errorf("emptied: %+v", c)
	}
	r.write(messageLine("n1", "user", "anew"))
	r.wants("n1< m1<* m2<m1 m3<m2 m4<m3 m5<m4 m6<m5")
}

// A rewind to before a compaction: lines that the compaction wrote again are not lost.
func TestRetracted_compaction(t *testing.T) {
	r := newRewindable(t)
	r.write(append(append([]string{linearHeader}, r.lines...), packed("c"), r.lines[4], r.lines[5], messageLine("m7", "user", "after"))...)
	r.wants("m1< m2<m1 m3<m2 m4<m3 m5<m4 m6<m5 c<m6 m5#2<c~ m6#2<c~ m7<c")
	r.write(r.lines...)
	r.wants("m1< m2<m1 m3<m2 m4<m3 m5<m4 m6<m5 c<m6* m7<c")
}

// If the agent is still rewriting its file, it has retracted less than it seems.
func TestRetracted_halfWritten(t *testing.T) {
	r := newRewindable(t)
	r.write(r.lines[:2]...)
	r.write(r.lines[:4]...)
	r.wants("m1< m2<m1 m3<m2 m4<m3 m5<m4* m6<m5")
	r.write(r.lines...)
	r.wants("m1< m2<m1 m3<m2 m4<m3 m5<m4 m6<m5")
}

// Retracted entries can be labeled and forked.
func TestRetracted_changes(t *testing.T) {
	r := newRewindable(t)
	r.write(r.lines[:4]...)
	before := content(t, r.path)
	if w := apply(t, r.s, setLabel("m5", "was good")); !w.InSidecar {
		t.Errorf("the label stands in %s", w.File)
	}
	r.write(append(r.lines[:4:4], messageLine("n5", "user", "more"))...)
	if got := labelOf(r.s, "m5") + labelOf(r.open(), "m5"); got != "was goodwas good" {
		t.Errorf("labels %q", got)
	}
	f, err := r.s.Fork(ctx, "m6", "")
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(content(t, f.Path), "\n")
	if rest != strings.Join(r.lines, "") || !strings.Contains(head, `"metadata"`) || f.Lines != 7 {
		t.Errorf("the fork holds %d lines:\n%s\n%s", f.Lines, head, rest)
	}
	if got := content(t, r.path); !strings.HasPrefix(got, before) || f.ID+".jsonl" != filepath.Base(f.Path) || f.ID[14] != '6' {
		t.Errorf("file %s; the session itself:\n%s", f.Path, got)
	}
}

// An unreadable file of retracted lines is reported, and the session remains.
func TestRetracted_damaged(t *testing.T) {
	r := newRewindable(t)
	r.write(r.lines[:4]...)
	file := r.kept()[0]
	text := content(t, file)
	write(t, file, text[:len(text)-20])
	s := r.open()
	if got := shape(s); !strings.Contains(got, "m5<m4*") || strings.Contains(got, "m6") {
		t.Errorf("cut off:\n%s", got)
	}
	if !slices.ContainsFunc(s.Notes(), func(n session.Note) bool { return strings.Contains(n.Text, file+": 1.") }) {
		t.Errorf("cut off: notes %+v", s.Notes())
	}
	for _, text := range []string{"no JSON\n", "", text[:20], "{}\n", "\xff\x00\n\xfe"} {
		write(t, file, text)
		s := r.open()
		if got := shape(s); strings.Contains(got, "m5") {
			t.Errorf("no file of ours:\n%s", got)
		}
		if notes := s.Notes(); len(notes) != 1 || notes[0].Code != retracted.NoteCode || !strings.Contains(notes[0].Text, file) {
			t.Errorf("%q: notes %+v", text, notes)
		}
	}
}

// Only followed sessions keep a line history: a summary does not.
func TestRetracted_survey(t *testing.T) {
	r := newRewindable(t)
	lib := libraryWith(t, store.Config{Roots: []string{filepath.Dir(r.path)}, StateDir: r.state})
	r.write(r.lines[:4]...)
	sv, err := lib.SummarizeFile(ctx, r.path, lib.NewOwnerFinder())
	if err != nil || sv.Tree.Len() != 4 || sv.Tree.Header().ID != linearID || sv.Tree.Header().Cwd != "/home/dev/shop" {
		t.Errorf("%+v, %v", sv, err)
	}
}

// Without a state directory nothing is saved, and nothing fails.
func TestRetracted_stateless(t *testing.T) {
	r := newRewindable(t)
	s := open(t, r.path)
	write(t, r.path, r.lines[:2]...)
	if _, err := s.Refresh(ctx); err != nil || strings.Contains(shape(s), "m3") {
		t.Errorf("%v\n%s", err, shape(s))
	}
}
