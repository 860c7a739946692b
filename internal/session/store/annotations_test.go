package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/sidecar"
	"sessiontree/internal/session/store"
)

// old returns a session in version 1, without ids.
func old() []string {
	recordedPrompt := func(role, text string) string {
		return `{"type":"message","timestamp":"2026-01-02T03:04:06.000Z","message":{"role":"` + role + `","content":[{"type":"text","text":"` + text + `"}],"timestamp":1767323046000}}` + "\n"
	}
	return []string{`{"type":"session","id":"old1","timestamp":"2026-01-02T03:04:05.000Z","cwd":"/home/dev/p"}` + "\n",
		recordedPrompt("user", "one"), recordedPrompt("assistant", "two"), recordedPrompt("user", "three"), recordedPrompt("assistant", "four")}
}

const ompHeader = `{"type":"session","version":3,"id":"Vq3xT9_aZk-1LmNoPqRsT","timestamp":"2026-01-02T03:04:05.000Z","cwd":"/home/dev/p","title":"A title"}` + "\n"

func ompTalk() []string {
	return append([]string{ompHeader,
		`{"type":"model_change","id":"m0","parentId":null,"timestamp":"2026-01-02T03:04:05.000Z","model":"prov/m-1","role":"default"}` + "\n"},
		user("a0", "m0", "hello"), message("a1", "a0", "assistant", "hi"))
}

func nameOf(s *store.Session) (name string) {
	s.ReadTree(func(tree *session.Tree, _ store.Revision) { name = tree.Header().Name })
	return name
}

func setLabel(entry, text string) session.Change {
	return session.Change{Op: session.OpLabel, Entry: entry, Text: text}
}

func TestSidecar_Label(t *testing.T) {
	lib, s, path := changed(t, old()...)
	before := content(t, path)
	w := apply(t, s, setLabel("L3", "kept"))
	if !w.InSidecar || len(w.Lines) != 0 || w.File == path || labelOf(s, "L3") != "kept" {
		t.Errorf("%+v, label %q", w, labelOf(s, "L3"))
	}
	if info, err := os.Stat(w.File); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the sidecar has mode %v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(filepath.Dir(w.File)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("its directory has mode %v, %v", info.Mode(), err)
	}
	refused(t, s, setLabel("L99", "x"), store.Precondition{}, session.ErrNotFound)
	refused(t, s, setLabel("L3", "x"), store.Precondition{HasLabel: true}, session.ErrConflict)
	for _, op := range []session.Op{session.OpBranch, session.OpName} {
		refused(t, s, session.Change{Op: op, Entry: "L3", Text: "x"}, store.Precondition{}, session.ErrConflict)
	}
	aside, ok := lib.Sidecars().Find(s.Format().Name, "old1", "")
	if name, labeled := aside.ResolveNameAndLabels("", nil); !ok || name != "" || labeled["L3"] != "kept" || len(labeled) != 1 {
		t.Errorf("a list sees %+v", aside)
	}
	var labels []session.LabelInfo
	s.ReadTree(func(tree *session.Tree, _ store.Revision) { labels = tree.Labels() })
	if len(labels) != 1 || !labels[0].InSidecar {
		t.Errorf("labels %+v", labels)
	}
	apply(t, s, setLabel("L3", ""))
	if labelOf(s, "L3") != "" || content(t, path) != before {
		t.Error("the label stays, or the file changed")
	}
}

// A label is not recorded if the agent has just put other lines in the place of its entry's: the
// label would be found at such a line.
func TestSidecar_rewrittenMeanwhile(t *testing.T) {
	for name, now := range map[string][]string{"shorter": {linearHeader}, "as long": {linearHeader, messageLine("m1", "user", "message 9")}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "home-dev-shop", linearID+".jsonl")
			write(t, path, linearHeader, messageLine("m1", "user", "message 1"))
			rewritten := false
			lib := libraryWith(t, store.Config{Roots: []string{filepath.Dir(path)}, StateDir: filepath.Join(dir, "state"), OnChange: func(*store.Session, store.Change) {
				if !rewritten { // after the call for a label has refreshed the session
					rewritten = true
					write(t, path, now...)
				}
			}})
			s := openSession(t, lib, path)
			add(t, path, messageLine("m2", "assistant", "message 2"))
			_, err := s.ApplyChange(ctx, setLabel("m1", "kept"), store.Precondition{})
			aside, ok := lib.Sidecars().Find(s.Format().Name, linearID, "")
			if !errors.Is(err, session.ErrConflict) || !rewritten || ok {
				t.Errorf("%v; rewritten: %v, recorded %+v", err, rewritten, aside)
			}
		})
	}
}

// A refresh finds annotations of another process, and starts a new epoch.
func TestSidecar_OtherProcess(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sessions", "a.jsonl")
	write(t, path, old()...)
	config := store.Config{Roots: []string{filepath.Dir(path)}, StateDir: filepath.Join(dir, "state")}
	one, two := openSession(t, libraryWith(t, config), path), openSession(t, libraryWith(t, config), path)
	for _, text := range []string{"first", "second", ""} {
		apply(t, one, setLabel("L2", text))
		c, err := two.Refresh(ctx)
		if err != nil || c.Kind != store.Rewritten || !c.Labels || labelOf(two, "L2") != text {
			t.Errorf("%q: %+v, %v, label %q", text, c, err, labelOf(two, "L2"))
		}
	}
	if c, err := two.Refresh(ctx); err != nil || c.Kind != store.Unchanged {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestSidecar_Name(t *testing.T) {
	_, s, path := changed(t, ompTalk()...)
	w := apply(t, s, session.Change{Op: session.OpName, Text: "A new name"})
	if !w.InSidecar || nameOf(s) != "A new name" {
		t.Errorf("%+v, name %q", w, nameOf(s))
	}
	write(t, path, append([]string{strings.Replace(ompHeader, "A title", "Named by its agent", 1)}, ompTalk()[1:]...)...)
	if _, err := s.Refresh(ctx); err != nil || nameOf(s) != "Named by its agent" {
		t.Errorf("%v, name %q", err, nameOf(s))
	}
	apply(t, s, session.Change{Op: session.OpName, Text: "Mine"})
	apply(t, s, session.Change{Op: session.OpName})
	if nameOf(s) != "Named by its agent" {
		t.Errorf("cleared, the name is %q", nameOf(s))
	}
}

func TestSidecar_NoState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	write(t, path, old()...)
	s := open(t, path)
	refused(t, s, setLabel("L2", "x"), store.Precondition{}, session.ErrConflict)
	if can := s.Capabilities(); can.Label.IsPossible() {
		t.Errorf("abilities %+v", can)
	}
}

// A torn line in the sidecar is the only loss of a crash.
func TestSidecar_TornSidecar(t *testing.T) {
	_, s, _ := changed(t, old()...)
	w := apply(t, s, setLabel("L2", "first"))
	add(t, w.File, `{"format":"pi","session":"old1","entry":"L3","label":"cu`)
	apply(t, s, setLabel("L4", "after"))
	if labelOf(s, "L2") != "first" || labelOf(s, "L3") != "" || labelOf(s, "L4") != "after" {
		t.Error(content(t, w.File))
	}
}

// After an agent has rewritten the file, labels find their entries by fingerprint. A
// label without an entry is reported and kept.
func TestSidecar_FoundAgain(t *testing.T) {
	_, s, path := changed(t, old()...)
	if s.Format().Fingerprint == nil {
		t.Fatal("the format has no prints")
	}
	apply(t, s, setLabel("L3", "second entry"))
	apply(t, s, setLabel("L5", "was cut off"))
	lines := old()[:4]
	ids := []string{"", "00000001", "00000002", "00000003"}
	for i := 1; i < 4; i++ {
		parent := "null"
		if i > 1 {
			parent = `"` + ids[i-1] + `"`
		}
		lines[i] = strings.Replace(lines[i], "}}\n", `},"id":"`+ids[i]+`","parentId":`+parent+"}\n", 1)
	}
	lines[0] = strings.Replace(lines[0], `"type":"session"`, `"type":"session","version":3`, 1)
	write(t, path, lines...)
	if _, err := s.Refresh(ctx); err != nil || labelOf(s, "00000002") != "second entry" {
		t.Fatalf("%v; label %q", err, labelOf(s, "00000002"))
	}
	told := func(s *store.Session) bool {
		for _, n := range s.Notes() {
			if n.Code == sidecar.NoteCode && strings.Contains(n.Text, "was cut off") {
				return true
			}
		}
		return false
	}
	if !told(s) {
		t.Errorf("notes %+v", s.Notes())
	}
	again := openSession(t, libraryWith(t, store.Config{Roots: []string{filepath.Dir(path)}, StateDir: filepath.Join(filepath.Dir(filepath.Dir(path)), "state")}), path)
	if labelOf(again, "00000002") != "second entry" || !told(again) {
		t.Error("a fresh load does not find it")
	}
}

// Of a label in the file and one in the sidecar the newer one applies.
func TestSidecar_NewerCounts(t *testing.T) {
	v2 := strings.Replace(header, `"version":3`, `"version":2`, 1)
	_, s, path := changed(t, v2, user("a0", "", "hello"), label("l0", "a0", "a0", "in the file"))
	apply(t, s, setLabel("a0", "aside"))
	if labelOf(s, "a0") != "aside" {
		t.Errorf("label %q", labelOf(s, "a0"))
	}
	later := time.Now().Add(time.Hour).UTC().Format("2006-01-02T15:04:05.000Z")
	add(t, path, strings.Replace(label("l1", "l0", "a0", "in the file again"), "2026-01-02T03:04:07.000Z", later, 1))
	if _, err := s.Refresh(ctx); err != nil || labelOf(s, "a0") != "in the file again" {
		t.Errorf("%v, label %q", err, labelOf(s, "a0"))
	}
}

func TestMigrate(t *testing.T) {
	_, s, path := changed(t, old()...)
	before := content(t, path)
	apply(t, s, setLabel("L3", "kept"))
	m, err := s.Migrate(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if m.Backup != path+".bak" || content(t, m.Backup) != before || m.FromVersion == m.ToVersion || len(m.Unmatched) != 0 {
		t.Errorf("%+v", m)
	}
	var labels []session.LabelInfo
	var texts []string
	s.ReadTree(func(tree *session.Tree, _ store.Revision) {
		labels = tree.Labels()
		for p := range session.Pos(tree.Len()) {
			texts = append(texts, tree.At(p).Preview)
		}
	})
	if len(labels) != 1 || labels[0].Text != "kept" || labels[0].InSidecar || labels[0].Target != 1 {
		t.Errorf("labels %+v", labels)
	}
	if got, want := strings.Join(texts, " "), "one two three four kept"; got != want {
		t.Errorf("entries %q, want %q", got, want)
	}
	after := content(t, path)
	if m, err := s.Migrate(ctx); err != nil || m.Backup != "" || content(t, path) != after {
		t.Errorf("migrating again: %+v, %v", m, err)
	}
	apply(t, s, session.Change{Op: session.OpName, Text: "now it can"})
}

// A label that was set and cleared in the sidecar leaves no line; one that clears a
// label of the file does.
func TestMigrate_ClearedLabels(t *testing.T) {
	v2 := strings.Replace(header, `"version":3`, `"version":2`, 1)
	_, s, path := changed(t, v2, user("a0", "", "hello"), user("a1", "a0", "more"), label("l0", "a1", "a0", "in the file"))
	apply(t, s, setLabel("a0", ""))
	apply(t, s, setLabel("a1", "aside"))
	apply(t, s, setLabel("a1", ""))
	if _, err := s.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(content(t, path), `"type":"label"`); got != 2 || labelOf(s, "a0") != "" || labelOf(s, "a1") != "" {
		t.Errorf("%d lines of labels, labels %q and %q", got, labelOf(s, "a0"), labelOf(s, "a1"))
	}
}

func TestMigrate_KeepsWhatHasNoEntry(t *testing.T) {
	_, s, path := changed(t, old()...)
	apply(t, s, setLabel("L5", "lost"))
	write(t, path, old()[:4]...)
	if _, err := s.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	m, err := s.Migrate(ctx)
	if err != nil || len(m.Unmatched) != 1 || m.Unmatched[0] != "lost" {
		t.Fatalf("%+v, %v", m, err)
	}
	if notes := s.Notes(); len(notes) != 1 || notes[0].Code != sidecar.NoteCode {
		t.Errorf("notes %+v", notes)
	}
}

func TestMigrate_RefusedWhileLive(t *testing.T) {
	_, s, path := changed(t, old()...)
	add(t, path, old()[1])
	if _, err := s.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	before := content(t, path)
	if _, err := s.Migrate(ctx); !errors.Is(err, session.ErrConflict) {
		t.Errorf("Migrate of a growing file: %v", err)
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); content(t, path) != before || len(files) != 1 {
		t.Errorf("left behind: %v", files)
	}
}

func TestMigrate_NotThroughALink(t *testing.T) {
	lib, _, path := changed(t, old()...)
	link := filepath.Join(filepath.Dir(path), "link.jsonl")
	if err := os.Symlink(filepath.Base(path), link); err != nil {
		t.Fatal(err)
	}
	if _, err := openSession(t, lib, link).Migrate(ctx); !errors.Is(err, session.ErrInvalid) {
		t.Errorf("Migrate: %v", err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
}

func TestFork(t *testing.T) {
	_, s, path := changed(t, talk()...)
	apply(t, s, setLabel("a1", "start"))
	before := content(t, path)
	out := filepath.Join(t.TempDir(), "out.jsonl")
	made, err := s.Fork(ctx, "b1", out)
	if err != nil || made.Path != out {
		t.Fatalf("%+v, %v", made, err)
	}
	fork := open(t, out)
	if got := ids(fork); !strings.HasPrefix(got, "a0 a1 b0 b1 ") || labelOf(fork, "a1") != "start" || strings.Count(content(t, out), "\n") != made.Lines {
		t.Errorf("%+v holds %s", made, got)
	}
	kept := content(t, out)
	if _, err := s.Fork(ctx, "b1", out); !errors.Is(err, session.ErrExists) || content(t, out) != kept {
		t.Errorf("over an existing file: %v", err)
	}
	if _, err := s.Fork(ctx, "nope", out+"2"); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("unknown entry: %v", err)
	}
	if _, err := s.Fork(ctx, "a0", out+"2"); !errors.Is(err, session.ErrInvalid) {
		t.Errorf("without an answer: %v", err)
	}
	beside, err := s.Fork(ctx, "a3", "")
	if err != nil || filepath.Dir(beside.Path) != filepath.Dir(path) || !strings.HasSuffix(beside.Path, "_"+beside.ID+".jsonl") {
		t.Errorf("%+v, %v", beside, err)
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 2 || content(t, path) != before {
		t.Errorf("left behind: %v", files)
	}
}

// Unreadable lines of a sidecar are reported; the others apply.
func TestSidecar_damaged(t *testing.T) {
	_, s, path := changed(t, old()...)
	w := apply(t, s, setLabel("L3", "kept"))
	whole := content(t, w.File)
	for name, text := range map[string]string{"random": "\xff\x00\x01\n" + whole, "half": whole + whole[:len(whole)/2]} {
		write(t, w.File, text)
		again := openSession(t, libraryWith(t, store.Config{Roots: []string{filepath.Dir(path)}, StateDir: filepath.Join(filepath.Dir(filepath.Dir(path)), "state")}), path)
		if notes := again.Notes(); labelOf(again, "L3") != "kept" || len(notes) != 1 || notes[0].Code != sidecar.NoteCode || !strings.Contains(notes[0].Text, w.File) {
			t.Errorf("%s: label %q, notes %+v", name, labelOf(again, "L3"), notes)
		}
	}
}

// A note says that the version of the file is newer than the known ones.
func TestNotes_newerVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	write(t, path, strings.Replace(header, `"version":3`, `"version":4`, 1), user("a0", "", "hello"))
	if notes := open(t, path).Notes(); len(notes) != 1 || notes[0].Code != session.NoteNewer || !strings.Contains(notes[0].Text, "version 4") {
		t.Errorf("notes %+v", notes)
	}
}

// Labels that cannot be read now are not taken for migrated, and are shown as soon as they
// can be read.
func TestAside_unreadable(t *testing.T) {
	_, s, path := changed(t, old()...)
	sidecar := apply(t, s, setLabel("L3", "kept")).File
	labels := content(t, sidecar)
	info, err := os.Stat(sidecar)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(sidecar), os.Mkdir(sidecar, 0o700), os.Chtimes(sidecar, info.ModTime(), info.ModTime())); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	if notes := s.Notes(); len(notes) != 1 || !strings.Contains(notes[0].Text, sidecar) {
		t.Errorf("notes %+v", notes)
	}
	before := content(t, path)
	if _, err := s.Migrate(ctx); err == nil || !strings.Contains(err.Error(), sidecar) || content(t, path) != before {
		t.Errorf("migrated without its labels: %v", err)
	}
	at := revision(s)
	if refresh(t, s, store.Unchanged); revision(s) != at {
		t.Error("each look at what cannot be read is a rewrite")
	}
	if err := os.Remove(sidecar); err != nil {
		t.Fatal(err)
	}
	write(t, sidecar, labels)
	if _, err := s.Refresh(ctx); err != nil || labelOf(s, "L3") != "kept" || len(s.Notes()) != 0 {
		t.Errorf("label %q, notes %+v, %v", labelOf(s, "L3"), s.Notes(), err)
	}
	if _, err := s.Migrate(ctx); err != nil || !strings.Contains(content(t, path), `"kept"`) {
		t.Error(err)
	}
}
