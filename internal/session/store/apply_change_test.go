package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// talk returns a session with an abandoned branch and the leaf at a3.
func talk() []string {
	return []string{header, user("a0", "", "hello"), message("a1", "a0", "assistant", "hi"),
		user("b0", "a1", "left"), message("b1", "b0", "assistant", "left too"), user("a2", "a1", "more"), message("a3", "a2", "assistant", "there")}
}

// changed opens a session in a library with a state directory.
func changed(t testing.TB, parts ...string) (*store.Library, *store.Session, string) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "sessions", "a.jsonl")
	write(t, path, parts...)
	lib := libraryWith(t, store.Config{Roots: []string{filepath.Dir(path)}, StateDir: filepath.Join(dir, "state")})
	return lib, openSession(t, lib, path), path
}

func openSession(t testing.TB, lib *store.Library, path string) *store.Session {
	t.Helper()
	s, err := lib.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// apply makes a change that must succeed, and checks what holds for every change:
// earlier bytes are unchanged except a reported slot, and the reported lines are the
// appended ones.
func apply(t testing.TB, s *store.Session, c session.Change) store.Written {
	t.Helper()
	before := content(t, s.Path())
	w, err := s.ApplyChange(ctx, c, store.Precondition{})
	if err != nil {
		t.Fatalf("Apply(%+v): %v", c, err)
	}
	wantAdded(t, s, before, w)
	return w
}

func wantAdded(t testing.TB, s *store.Session, before string, w store.Written) {
	t.Helper()
	var told strings.Builder
	leaf := ""
	for _, l := range w.Lines {
		if l.ReplacesSlot {
			before = string(l.Text) + "\n" + before[len(l.Text)+1:]
			continue
		}
		leaf = l.ID
		told.Write(append(l.Text, '\n'))
	}
	added, ok := strings.CutPrefix(content(t, s.Path()), before)
	if !ok {
		t.Fatal("earlier bytes changed")
	}
	if added != told.String() {
		t.Fatalf("added\n%s\ntold\n%s", added, told.String())
	}
	if leaf != "" && w.Leaf != leaf {
		t.Fatalf("leaf %s after %+v", w.Leaf, w.Lines)
	}
}

func content(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func labelOf(s *store.Session, id string) (text string) {
	s.ReadTree(func(tree *session.Tree, _ store.Revision) {
		if p := tree.FindID(id); p != session.NoPos {
			l, _ := tree.Label(p)
			text = l.Text
		}
	})
	return text
}

func leafOf(s *store.Session) (id string) {
	s.ReadTree(func(tree *session.Tree, _ store.Revision) { id = tree.At(tree.Leaf()).ID })
	return id
}

// parentOfLeaf returns the parent of the last entry.
func parentOfLeaf(s *store.Session) (id string) {
	s.ReadTree(func(tree *session.Tree, _ store.Revision) { id = tree.At(tree.Leaf()).Parent })
	return id
}

// refused makes a change that must fail and leave the file unchanged.
func refused(t testing.TB, s *store.Session, c session.Change, seen store.Precondition, want error) error {
	t.Helper()
	before := content(t, s.Path())
	w, err := s.ApplyChange(ctx, c, seen)
	if !errors.Is(err, want) {
		t.Fatalf("Apply(%+v) = %+v, %v, want %v", c, w, err, want)
	}
	if content(t, s.Path()) != before {
		t.Fatalf("refused with %v, but the file changed", err)
	}
	return err
}

func TestApply_Label(t *testing.T) {
	_, s, path := changed(t, talk()...)
	w := apply(t, s, session.Change{Op: session.OpLabel, Entry: "b0", Text: "dead end"})
	if labelOf(s, "b0") != "dead end" || parentOfLeaf(s) != "a3" || w.File != path || len(w.Lines) != 1 {
		t.Errorf("label %q, %+v", labelOf(s, "b0"), w)
	}
	first := w.Leaf
	apply(t, s, session.Change{Op: session.OpLabel, Entry: "b0"})
	if labelOf(s, "b0") != "" || parentOfLeaf(s) != first {
		t.Errorf("label %q under %s", labelOf(s, "b0"), parentOfLeaf(s))
	}
	refused(t, s, session.Change{Op: session.OpLabel, Entry: "nope", Text: "x"}, store.Precondition{}, session.ErrNotFound)
}

// A change by the explorer is not one of the agent, so the session is not live.
func TestIsLive(t *testing.T) {
	_, s, path := changed(t, talk()...)
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Refresh(ctx); err != nil || s.IsLive() {
		t.Fatalf("an old file is live, or %v", err)
	}
	apply(t, s, session.Change{Op: session.OpLabel, Entry: "a1", Text: "here"})
	apply(t, s, session.Change{Op: session.OpBranch, Entry: "a1"})
	if _, err := s.Refresh(ctx); err != nil || s.IsLive() || !s.LastAgentWrite().Equal(old) || s.ModTime() == old.UnixMilli() {
		t.Fatalf("live %v after a change, written %d, modified %d, want %d; %v", s.IsLive(), s.LastAgentWrite().UnixMilli(), s.ModTime(), old.UnixMilli(), err)
	}
	add(t, path, user("c0", leafOf(s), "on"))
	if _, err := s.Refresh(ctx); err != nil || !s.IsLive() {
		t.Fatalf("not live once the agent wrote, or %v", err)
	}
	wrote := s.LastAgentWrite()
	if apply(t, s, session.Change{Op: session.OpLabel, Entry: "a1"}); !s.IsLive() || !s.LastAgentWrite().Equal(wrote) {
		t.Fatal("a change hides that the agent wrote")
	}
}

func TestApply_BranchAndSwitch(t *testing.T) {
	_, s, _ := changed(t, talk()...)
	preview, err := s.PreviewChange(ctx, session.Change{Op: session.OpBranch, Entry: "b0"})
	if err != nil || len(preview) != 1 {
		t.Fatalf("Preview = %v, %v", preview, err)
	}
	apply(t, s, session.Change{Op: session.OpBranch, Entry: "b0"})
	if parentOfLeaf(s) != "a1" {
		t.Errorf("branching from a prompt hangs on %s, not on its parent", parentOfLeaf(s))
	}
	w := apply(t, s, session.Change{Op: session.OpBranch, Entry: "b1", Label: "again", Summary: &session.Summary{Text: "what was tried"}})
	if len(w.Lines) != 2 || labelOf(s, w.Lines[0].ID) != "again" {
		t.Errorf("wrote %v", w.Lines)
	}
	if w := apply(t, s, session.Change{Op: session.OpBranch, Entry: w.Leaf}); len(w.Lines) != 0 {
		t.Errorf("branching from the leaf wrote %v", w.Lines)
	}
	apply(t, s, session.Change{Op: session.OpSwitch, Entry: "a3"})
	if parentOfLeaf(s) != "a3" {
		t.Errorf("the leaf hangs on %s", parentOfLeaf(s))
	}
}

func TestApply_Seen(t *testing.T) {
	_, s, path := changed(t, talk()...)
	var rev store.Revision
	s.ReadTree(func(_ *session.Tree, r store.Revision) { rev = r })
	branch := session.Change{Op: session.OpBranch, Entry: "b1"}
	add(t, path, user("a4", "a3", "the agent goes on"))
	refused(t, s, branch, store.Precondition{Leaf: "a3", HasLeaf: true}, session.ErrConflict)
	refused(t, s, branch, store.Precondition{Rev: rev}, session.ErrConflict)
	label := session.Change{Op: session.OpLabel, Entry: "b0", Text: "mine"}
	apply(t, s, label)
	refused(t, s, session.Change{Op: session.OpLabel, Entry: "b0", Text: "yours"}, store.Precondition{HasLabel: true}, session.ErrConflict)
	err := refused(t, s, session.Change{Op: session.OpLabel, Entry: "b0", Text: "yours"}, store.Precondition{HasLabel: true, Label: "other"}, session.ErrConflict)
	if !strings.Contains(err.Error(), `"mine"`) {
		t.Errorf("the error %q does not say what the label is now", err)
	}
	if _, err := s.ApplyChange(ctx, branch, store.Precondition{Leaf: leafOf(s), HasLeaf: true}); err != nil {
		t.Error(err)
	}
	_, fresh, _ := changed(t, header)
	if _, err := fresh.ApplyChange(ctx, session.Change{Op: session.OpName, Text: "empty yet"}, store.Precondition{HasLeaf: true}); err != nil {
		t.Error(err)
	}
}

func TestApply_TornTail(t *testing.T) {
	for name, tail := range map[string]string{"cut": `{"type":"message","id":"a4","par`, "unterminated": strings.TrimSuffix(user("a4", "a3", "x"), "\n")} {
		t.Run(name, func(t *testing.T) {
			_, s, path := changed(t, append(talk(), tail)...)
			label := session.Change{Op: session.OpLabel, Entry: "a0", Text: "x"}
			if err := refused(t, s, label, store.Precondition{}, session.ErrConflict); !strings.Contains(err.Error(), "agent is writing") {
				t.Error(err)
			}
			if err := s.EndTornLine(ctx); !errors.Is(err, session.ErrConflict) {
				t.Errorf("EndLine at once: %v", err)
			}
			old := time.Now().Add(-11 * time.Second)
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
			if err := refused(t, s, label, store.Precondition{}, session.ErrConflict); !strings.Contains(err.Error(), "left by a crash") {
				t.Error(err)
			}
			if err := s.EndTornLine(ctx); err != nil {
				t.Fatal(err)
			}
			if got, want := content(t, path), strings.Join(append(talk(), tail), "")+"\n"; got != want {
				t.Errorf("the file ends in %q", got[len(got)-20:])
			}
			apply(t, s, label)
			if err := s.EndTornLine(ctx); err != nil {
				t.Errorf("EndLine of a whole file: %v", err)
			}
		})
	}
}

// Nothing is written to a file of a newer version, not even the end of a torn line.
func TestApply_Newer(t *testing.T) {
	_, s, path := changed(t, strings.Replace(header, `"version":3`, `"version":4`, 1), user("a0", "", "hi"), `{"type":"mess`)
	before, old := content(t, path), time.Now().Add(-11*time.Second)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	if err := s.EndTornLine(ctx); !errors.Is(err, session.ErrConflict) || !strings.Contains(err.Error(), "version 4") {
		t.Errorf("EndLine: %v", err)
	}
	refused(t, s, session.Change{Op: session.OpBranch, Entry: "a0"}, store.Precondition{}, session.ErrConflict)
	if _, err := s.Fork(ctx, "a0", ""); !errors.Is(err, session.ErrInvalid) {
		t.Errorf("Fork: %v", err)
	}
	if _, err := s.Migrate(ctx); !errors.Is(err, session.ErrConflict) {
		t.Errorf("Migrate: %v", err)
	}
	if content(t, path) != before {
		t.Error("the file was written to")
	}
}

// A file that is replaced by something that cannot be read, just before it is written to, is a conflict.
func TestApply_ReplacedByNoSession(t *testing.T) {
	lib, s, path := changed(t, talk()...)
	lib.Pause(once("checked", func() {
		if err := errors.Join(os.WriteFile(path+".tmp", []byte("no session\n"), 0o600), os.Rename(path+".tmp", path)); err != nil {
			t.Error(err)
		}
	}))
	_, err := s.ApplyChange(ctx, session.Change{Op: session.OpLabel, Entry: "a0", Text: "x"}, store.Precondition{})
	if !errors.Is(err, session.ErrConflict) || !isWritten(err) || !strings.Contains(err.Error(), "replaced while it was written to") {
		t.Error(err)
	}
	if got := content(t, path); got != "no session\n" {
		t.Errorf("the new file has %q", got)
	}
}

// A line that another writer appends at any moment is the leaf afterwards, or the error
// says what happened.
func TestApply_AgentBetween(t *testing.T) {
	label := session.Change{Op: session.OpLabel, Entry: "a0", Text: "x"}
	t.Run("before the last look", func(t *testing.T) {
		lib, s, path := changed(t, talk()...)
		lib.Pause(once("encoded", func() { add(t, path, user("a4", "a3", "hm")) }))
		w, err := s.ApplyChange(ctx, label, store.Precondition{})
		if err != nil || w.Repaired != 0 || parentOfLeaf(s) != "a4" {
			t.Errorf("%+v, %v; the label hangs on %s", w, err, parentOfLeaf(s))
		}
	})
	t.Run("after it", func(t *testing.T) {
		lib, s, path := changed(t, talk()...)
		lib.Pause(once("checked", func() { add(t, path, user("a4", "a3", "hm"), message("a5", "a4", "assistant", "yes")) }))
		w, err := s.ApplyChange(ctx, label, store.Precondition{})
		if err != nil || w.Repaired != 1 || len(w.Lines) != 2 || parentOfLeaf(s) != "a5" || labelOf(s, "a0") != "x" {
			t.Errorf("%+v, %v; the leaf hangs on %s", w, err, parentOfLeaf(s))
		}
	})
	t.Run("again and again", func(t *testing.T) {
		lib, s, path := changed(t, talk()...)
		n := 0
		lib.Pause(func(stage string) {
			if stage == "checked" {
				n++
				add(t, path, user(fmt.Sprint("c", n), "a3", "hm"))
			}
		})
		w, err := s.ApplyChange(ctx, label, store.Precondition{})
		if !errors.Is(err, session.ErrConflict) || !isWritten(err) || w.Repaired != 3 || n != 4 {
			t.Errorf("%+v, %v after %d writes", w, err, n)
		}
		if labelOf(s, "a0") != "x" {
			t.Error("the error says that the label is in the file")
		}
	})
	t.Run("in the middle of its line", func(t *testing.T) {
		lib, s, path := changed(t, talk()...)
		lib.Pause(once("checked", func() { add(t, path, `{"type":"mess`) }))
		w, err := s.ApplyChange(ctx, label, store.Precondition{})
		if !errors.Is(err, session.ErrConflict) || labelOf(s, "a0") != "" || !strings.HasPrefix(content(t, path), strings.Join(talk(), "")) {
			t.Errorf("%+v, %v; label %q", w, err, labelOf(s, "a0"))
		}
		if notes := s.Notes(); len(notes) != 1 || notes[0].Code != session.NoteBadLine {
			t.Errorf("what became of the two lines is told so: %+v", notes)
		}
		apply(t, s, label)
	})
	t.Run("branch", func(t *testing.T) {
		lib, s, path := changed(t, talk()...)
		lib.Pause(once("checked", func() { add(t, path, user("a4", "a3", "hm")) }))
		w, err := s.ApplyChange(ctx, session.Change{Op: session.OpBranch, Entry: "b1"}, store.Precondition{})
		if !errors.Is(err, session.ErrConflict) || !isWritten(err) || len(w.Lines) != 1 || !strings.Contains(err.Error(), "a4") {
			t.Errorf("%+v, %v", w, err)
		}
	})
	t.Run("branch, leaf moved", func(t *testing.T) {
		lib, s, path := changed(t, talk()...)
		lib.Pause(once("encoded", func() { add(t, path, user("a4", "a3", "hm")) }))
		_, err := s.ApplyChange(ctx, session.Change{Op: session.OpBranch, Entry: "b1"}, store.Precondition{Leaf: "a3", HasLeaf: true})
		if !errors.Is(err, session.ErrConflict) || isWritten(err) || leafOf(s) != "a4" {
			t.Errorf("%v; leaf %s", err, leafOf(s))
		}
	})
}

// isWritten reports whether a refusal says that something was written.
func isWritten(err error) bool {
	var r *store.Refusal
	return errors.As(err, &r) && r.Written
}

func once(stage string, fn func()) func(string) {
	done := false
	return func(now string) {
		if now == stage && !done {
			done = true
			fn()
		}
	}
}

// A repair that was requested while the file ended on an abandoned branch does not move
// the leaf if the agent has continued meanwhile.
func TestApply_RepairTooLate(t *testing.T) {
	dead := append(talk(), later(1, message("a4", "a3", "assistant", "newest")), label("l1", "b1", "a0", "from outside"))
	repair := session.Change{Op: session.OpRepair, Entry: "a4"}
	_, s, _ := changed(t, dead...)
	apply(t, s, repair)
	if parentOfLeaf(s) != "a4" {
		t.Errorf("the repair hangs on %s", parentOfLeaf(s))
	}
	for _, stage := range []string{"opened", "encoded"} {
		lib, s, path := changed(t, dead...)
		lib.Pause(once(stage, func() {
			add(t, path, later(2, user("b2", "l1", "on here")), later(3, message("b3", "b2", "assistant", "yes")))
		}))
		w, err := s.ApplyChange(ctx, repair, store.Precondition{})
		if !errors.Is(err, session.ErrConflict) || leafOf(s) != "b3" {
			t.Errorf("once it is %s: %+v, %v; leaf %s", stage, w, err, leafOf(s))
		}
	}
}

// later returns a line some minutes after the others.
func later(minutes int, line string) string {
	return strings.NewReplacer("03:04:06", fmt.Sprintf("03:%02d:06", 4+minutes), "1767323046000", fmt.Sprint(1767323046000+minutes*60000)).Replace(line)
}

// If a file is replaced between the check and the write, the change goes to the new
// file.
func TestApply_Replaced(t *testing.T) {
	_, s, path := changed(t, talk()...)
	other := append(talk(), user("n1", "a3", "in the new file"))
	write(t, path+".new", other...)
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	apply(t, s, session.Change{Op: session.OpLabel, Entry: "n1", Text: "x"})
	if parentOfLeaf(s) != "n1" {
		t.Errorf("the label hangs on %s", parentOfLeaf(s))
	}
	t.Run("before it is locked", func(t *testing.T) {
		lib, s, path := changed(t, talk()...)
		lib.Pause(once("opened", func() {
			write(t, path+".new", other...)
			if err := errors.Join(os.Rename(path, path+".old"), os.Rename(path+".new", path)); err != nil {
				t.Fatal(err)
			}
		}))
		w, err := s.ApplyChange(ctx, session.Change{Op: session.OpLabel, Entry: "a0", Text: "x"}, store.Precondition{})
		if err != nil || len(w.Lines) != 1 || parentOfLeaf(s) != "n1" {
			t.Errorf("%+v, %v; the label hangs on %s", w, err, parentOfLeaf(s))
		}
		if content(t, path+".old") != strings.Join(talk(), "") {
			t.Error("the file that was replaced was written to")
		}
	})
	t.Run("in between", func(t *testing.T) {
		lib, s, path := changed(t, talk()...)
		old := path + ".old"
		lib.Pause(once("checked", func() {
			write(t, path+".new", talk()...)
			if err := errors.Join(os.Rename(path, old), os.Rename(path+".new", path)); err != nil {
				t.Fatal(err)
			}
		}))
		_, err := s.ApplyChange(ctx, session.Change{Op: session.OpLabel, Entry: "a0", Text: "x"}, store.Precondition{})
		if !errors.Is(err, session.ErrConflict) || labelOf(s, "a0") != "" {
			t.Errorf("%v; label %q", err, labelOf(s, "a0"))
		}
	})
}

func TestApply_ReadOnly(t *testing.T) {
	all := []session.Change{{Op: session.OpLabel, Entry: "a0", Text: "x"}, {Op: session.OpBranch, Entry: "b1"}, {Op: session.OpName, Text: "x"}}
	t.Run("file", func(t *testing.T) {
		_, s, path := changed(t, talk()...)
		if err := os.Chmod(path, 0o444); err != nil {
			t.Fatal(err)
		}
		for _, c := range all {
			refused(t, s, c, store.Precondition{}, session.ErrReadOnly)
		}
		if can := s.Capabilities(); can.Label.IsPossible() || !can.Fork.IsPossible() {
			t.Errorf("abilities %+v", can)
		}
	})
	t.Run("flag", func(t *testing.T) {
		dir := t.TempDir()
		path := filepath.Join(dir, "a.jsonl")
		write(t, path, talk()...)
		s := openSession(t, libraryWith(t, store.Config{Roots: []string{dir}, ReadOnly: true}), path)
		for _, c := range all {
			refused(t, s, c, store.Precondition{}, session.ErrReadOnly)
		}
		if _, err := s.Fork(ctx, "a3", ""); !errors.Is(err, session.ErrReadOnly) {
			t.Errorf("Fork: %v", err)
		}
		if can := s.Capabilities(); can.Label.IsPossible() || can.Fork.IsPossible() {
			t.Errorf("abilities %+v", can)
		}
	})
}

// Every change is reported, so that all viewers of the session follow.
func TestApply_Notifies(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.jsonl")
	write(t, path, talk()...)
	var told []store.Change
	lib := libraryWith(t, store.Config{Roots: []string{dir}, OnChange: func(s *store.Session, c store.Change) {
		_ = s.Notes() // no lock is held
		told = append(told, c)
	}})
	s := openSession(t, lib, path)
	w := apply(t, s, session.Change{Op: session.OpLabel, Entry: "a0", Text: "x"})
	if len(told) != 1 || told[0].Kind != store.Appended || told[0].Leaf != w.Leaf || !told[0].Labels {
		t.Errorf("told %+v", told)
	}
}

// Labels and names are one line of text, because lists and terminals show them.
func TestApply_controlCharacters(t *testing.T) {
	_, s, _ := changed(t, talk()...)
	for _, text := range []string{"two\nlines", "a\rb", "a\tb", "esc\x1b]0;title\a", "c1\u009b31m", "\x00", "del\x7f", "a\u2028b", "a\u2029b"} {
		for _, c := range []session.Change{
			{Op: session.OpLabel, Entry: "a1", Text: text}, {Op: session.OpName, Text: text}, {Op: session.OpBranch, Entry: "a1", Label: text},
		} {
			refused(t, s, c, store.Precondition{}, session.ErrInvalid)
			if lines, err := s.PreviewChange(ctx, c); !errors.Is(err, session.ErrInvalid) {
				t.Errorf("Preview(%+v) = %v, %v", c, lines, err)
			}
		}
	}
	apply(t, s, setLabel("a1", "\u202bעברית\u202c – ok 👍"))
}
