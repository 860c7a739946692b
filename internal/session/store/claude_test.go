package store_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
)

// project is a directory of Claude Code sessions. Lines are written as
//
//	ID PARENT TEXT...
//
// which is a prompt, or an answer if the id starts with "a"; "-" is no parent.
type project struct {
	t   testing.TB
	dir string
	lib *store.Library
}

func newProject(t testing.TB) *project {
	dir := t.TempDir()
	return &project{t, dir, libraryWith(t, store.Config{Formats: format.All, Roots: []string{dir}, StateDir: t.TempDir()})}
}

func (p *project) path(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

// recordedLines returns recorded lines of a session; more is added to each line.
func recordedLines(id, more string, lines ...string) string {
	var out strings.Builder
	for _, l := range lines {
		words := strings.SplitN(l, " ", 3)
		parent, role := fmt.Sprintf("%q", words[1]), "user"
		if words[1] == "-" {
			parent = "null"
		}
		if strings.HasPrefix(words[0], "a") {
			role = "assistant"
		}
		// The last digit of an id is the second at which it was recorded.
		fmt.Fprintf(&out, `{"parentUuid":%s,"isSidechain":false,"cwd":"/p","sessionId":%q,"version":"2.1.0","type":%q,"uuid":%q,"timestamp":"2026-01-01T10:00:%sZ","message":{"role":%q,"content":[{"type":"text","text":%q}]}%s}`+"\n",
			parent, id, role, words[0], words[0][1:], role, words[2], more)
	}
	return out.String()
}

// agentLines returns lines of a sub-agent's file.
func agentLines(id, agent string, lines ...string) string {
	return strings.ReplaceAll(recordedLines(id, fmt.Sprintf(`,"agentId":%q`, agent), lines...), `"isSidechain":false`, `"isSidechain":true`)
}

const (
	one = "11111111-0000-4000-8000-000000000001"
	two = "22222222-0000-4000-8000-000000000002"
)

// first returns a session of four lines.
func (p *project) first() *store.Session {
	write(p.t, p.path(one+".jsonl"), recordedLines(one, "", "u01 - draw a bird", "a02 u01 here it is", "u03 a02 a larger one", "a04 u03 larger"))
	return p.open(one)
}

func (p *project) open(id string) *store.Session {
	p.t.Helper()
	s, err := p.lib.Open(ctx, p.path(id+".jsonl"))
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

// changed refreshes a session for a changed path, as the watcher of the project does.
func (p *project) changed(s *store.Session, path string) {
	p.t.Helper()
	if _, err := s.RefreshPath(ctx, path); err != nil {
		p.t.Fatal(err)
	}
}

func parentOfEntry(s *store.Session, id string) (up string) {
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		if p := t.FindID(id); p != session.NoPos && t.Parent(p) != session.NoPos {
			up = t.At(t.Parent(p)).ID
		}
	})
	return up
}

func TestClaude_AgentAppearsAndGrows(t *testing.T) {
	p := newProject(t)
	s := p.first()
	refresh(t, s, store.Unchanged)
	file := p.path(one + "/subagents/agent-b1.jsonl")
	before := revision(s)
	write(t, file, agentLines(one, "b1", "x10 - look around"))
	write(t, p.path(one+"/subagents/agent-b1.meta.json"), `{"description":"Look"}`)
	refresh(t, s, store.Appended)
	wantIDs(t, s, "u01 a02 u03 a04 x10")
	if at, ok := s.FirstEntrySince(before); !ok || at != 4 {
		t.Errorf("Since = %d %v", at, ok)
	}
	add(t, file, agentLines(one, "b1", "a11 x10 found a nest"))
	refresh(t, s, store.Appended)
	if up := parentOfEntry(s, "a11"); up != "x10" {
		t.Errorf("a11 hangs on %q", up)
	}
	raw, err := s.ReadRawLine(ctx, pos(t, s, "a11"))
	if err != nil || !bytes.Contains(raw, []byte("found a nest")) {
		t.Errorf("Raw = %s, %v", raw, err)
	}
	body, err := s.ReadBody(ctx, pos(t, s, "a11"))
	if err != nil || body.Blocks[0].Text != "found a nest" {
		t.Errorf("Body = %+v, %v", body, err)
	}
	hits, err := s.Search(ctx, "nest")
	if err != nil || len(hits) != 1 || hits[0] != pos(t, s, "a11") {
		t.Errorf("Search = %v, %v", hits, err)
	}
	if line, err := s.ReadNoteLine(ctx, session.Note{File: 1, Line: 2}); err != nil || !bytes.Equal(line, raw) {
		t.Errorf("Line = %s, %v", line, err)
	}
	for _, n := range []session.Note{{File: 2, Line: 1}, {File: -1, Line: 1}, {File: 1, Line: 9}} {
		if _, err := s.ReadNoteLine(ctx, n); !errors.Is(err, session.ErrNotFound) {
			t.Errorf("Line of %+v: %v", n, err)
		}
	}
}

// The spawning call of a sub-agent may be recorded after the sub-agent's first lines.
func TestClaude_AgentIsLinkedLater(t *testing.T) {
	p := newProject(t)
	call := strings.Replace(recordedLines(one, "", "a05 a04 -"), `{"type":"text","text":"-"}`, `{"type":"tool_use","id":"t1","name":"Agent","input":{}}`, 1)
	file := p.path(one + "/subagents/agent-b1.jsonl")
	write(t, file, agentLines(one, "b1", "x10 - look around"))
	s := p.first()
	add(t, s.Path(), call)
	refresh(t, s, store.Appended)
	if up := parentOfEntry(s, "x10"); up != "" {
		t.Errorf("x10 hangs on %q", up)
	}
	write(t, p.path(one+"/subagents/agent-b1.meta.json"), `{"toolUseId":"t1"}`)
	refresh(t, s, store.Rewritten)
	if up := parentOfEntry(s, "x10"); up != "a05" {
		t.Errorf("x10 hangs on %q", up)
	}
}

// A change of a member file changes the entries of that file only.
func TestClaude_AgentFileChanges(t *testing.T) {
	text := agentLines(one, "b1", "x10 - look around", "a11 x10 found a nest")
	for _, c := range []struct {
		name   string
		change func(t *testing.T, file string)
		want   string
		kind   store.ChangeKind
		note   string
	}{
		{"replaced", func(t *testing.T, file string) { replace(t, file, agentLines(one, "b1", "x20 - something else")) }, "u01 a02 u03 a04 x20", store.Rewritten, ""},
		{"shrunk", func(t *testing.T, file string) { write(t, file, agentLines(one, "b1", "x10 - look around")) }, "u01 a02 u03 a04 x10", store.Rewritten, ""},
		{"emptied", func(t *testing.T, file string) { write(t, file, "") }, "u01 a02 u03 a04", store.Rewritten, ""},
		{"deleted", func(t *testing.T, file string) { remove(t, file) }, "u01 a02 u03 a04 x10 a11", store.Unchanged, ""},
		{"torn", func(t *testing.T, file string) { add(t, file, `{"type":"user","uuid":"x1`) }, "u01 a02 u03 a04 x10 a11", store.Appended, session.NoteTornLine},
		{"bad line", func(t *testing.T, file string) { add(t, file, "nonsense\n") }, "u01 a02 u03 a04 x10 a11", store.Appended, session.NoteBadLine},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t)
			file := p.path(one + "/subagents/agent-b1.jsonl")
			write(t, file, text)
			s := p.first()
			wantIDs(t, s, "u01 a02 u03 a04 x10 a11")
			c.change(t, file)
			refresh(t, s, c.kind)
			wantIDs(t, s, c.want)
			if c.note != "" && !slices.ContainsFunc(s.Notes(), func(n session.Note) bool { return n.Code == c.note && n.File == 1 }) {
				t.Errorf("no note %s: %v", c.note, s.Notes())
			}
			if s.FileError() != nil {
				t.Error(s.FileError())
			}
		})
	}
}

func replace(t testing.TB, path, text string) {
	t.Helper()
	write(t, path+".new", text)
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

func remove(t testing.TB, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// A note reports a torn line until the line is complete.
func TestClaude_TornLineOfAnAgent(t *testing.T) {
	p := newProject(t)
	file := p.path(one + "/subagents/agent-b1.jsonl")
	line := agentLines(one, "b1", "a11 x10 found a nest")
	write(t, file, agentLines(one, "b1", "x10 - look around"), line[:40])
	s := p.first()
	torn := func() bool {
		return slices.ContainsFunc(s.Notes(), func(n session.Note) bool { return n.Code == session.NoteTornLine })
	}
	if !torn() {
		t.Error("no note about the torn line")
	}
	add(t, file, line[40:])
	refresh(t, s, store.Appended)
	wantIDs(t, s, "u01 a02 u03 a04 x10 a11")
	if torn() {
		t.Error("the note stands though the line is whole")
	}
}

func TestClaude_UnreadableAgent(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	p := newProject(t)
	file := p.path(one + "/subagents/agent-b1.jsonl")
	write(t, file, agentLines(one, "b1", "x10 - look around"))
	if err := os.Chmod(file, 0); err != nil {
		t.Fatal(err)
	}
	s := p.first()
	wantIDs(t, s, "u01 a02 u03 a04")
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	refresh(t, s, store.Rewritten)
	wantIDs(t, s, "u01 a02 u03 a04 x10")
}

func TestClaude_SessionsJoin(t *testing.T) {
	p := newProject(t)
	s := p.first()
	wantIDs(t, s, "u01 a02 u03 a04")
	write(t, p.path("33333333-0000-4000-8000-000000000003.jsonl"), recordedLines("33333333-0000-4000-8000-000000000003", "", "u50 - another matter"))
	write(t, p.path(two+".jsonl"), recordedLines(two, "", "u10 a04 go on elsewhere"))
	p.changed(s, p.path(two+".jsonl"))
	wantIDs(t, s, "u01 a02 u03 a04 u10")
	add(t, p.path(two+".jsonl"), recordedLines(two, "", "a11 u10 here"))
	refresh(t, s, store.Appended)
	wantIDs(t, s, "u01 a02 u03 a04 u10 a11")
	if up := parentOfEntry(s, "u10"); up != "a04" {
		t.Errorf("u10 hangs on %q", up)
	}
	other := p.open(two)
	if up := parentOfEntry(other, "u10"); up != "a04" {
		t.Errorf("opened from the other end u10 hangs on %q", up)
	}
}

// A label belongs to the session of its entry, wherever that is shown.
func TestClaude_LabelsAndNames(t *testing.T) {
	p := newProject(t)
	s := p.first()
	write(t, p.path(two+".jsonl"), recordedLines(two, "", "u10 a04 go on elsewhere", "a11 u10 here"))
	p.changed(s, p.path(two+".jsonl"))
	for _, id := range []string{"a02", "a11"} {
		w := apply(t, s, setLabel(id, "mark "+id))
		if !w.InSidecar || len(w.Lines) != 0 {
			t.Errorf("%+v", w)
		}
	}
	p.rename(s, "The bird")
	want := func(s *store.Session, name, a02, a11 string) {
		t.Helper()
		if nameOf(s) != name || labelOf(s, "a02") != a02 || labelOf(s, "a11") != a11 {
			t.Errorf("name %q, labels %q %q", nameOf(s), labelOf(s, "a02"), labelOf(s, "a11"))
		}
	}
	want(s, "The bird", "mark a02", "mark a11")
	other := p.open(two)
	want(other, "", "mark a02", "mark a11")
	apply(t, other, setLabel("a02", ""))
	refresh(t, s, store.Rewritten)
	want(s, "The bird", "", "mark a11")
	for _, op := range []session.Op{session.OpBranch, session.OpCopy} {
		err := refused(t, s, session.Change{Op: op, Entry: "a02", CopyIDs: []string{"a02"}}, store.Precondition{}, session.ErrConflict)
		if err == nil || !strings.Contains(err.Error(), "decides where to resume") {
			t.Error(err)
		}
	}
}

// rename names a session and checks that the file has the two lines for it, and that
// the leaf is unchanged.
func (p *project) rename(s *store.Session, name string) {
	p.t.Helper()
	before, leaf := content(p.t, s.Path()), leafOf(s)
	w, err := s.ApplyChange(ctx, session.Change{Op: session.OpName, Text: name}, store.Precondition{})
	if err != nil {
		p.t.Fatal(err)
	}
	text, _ := json.Marshal(strings.TrimSpace(name))
	want := fmt.Sprintf(`{"type":"custom-title","customTitle":%s,"sessionId":%q}`+"\n"+`{"type":"agent-name","agentName":%[1]s,"sessionId":%[2]q}`+"\n", text, one)
	if got := strings.TrimPrefix(content(p.t, s.Path()), before); got != want {
		p.t.Errorf("appended\n%swant\n%s", got, want)
	}
	if w.InSidecar || w.Leaf != leaf || leafOf(s) != leaf || len(w.Lines) != 2 || w.Lines[0].ID == "" || w.Repaired != 0 {
		p.t.Errorf("%+v, leaf %s, was %s", w, leafOf(s), leaf)
	}
}

func TestClaude_Rename(t *testing.T) {
	p := newProject(t)
	write(t, p.path(one+"/custom-title.json"), `{"customTitle":"Kept by the agent"}`)
	s := p.first()
	named := func(want string) {
		t.Helper()
		if got := nameOf(s); got != want {
			t.Errorf("the name is %q, want %q", got, want)
		}
		if again := p.open(one); nameOf(again) != want {
			t.Errorf("opened again the name is %q, want %q", nameOf(again), want)
		}
	}
	named("Kept by the agent")
	lines, err := s.PreviewChange(ctx, session.Change{Op: session.OpName, Text: "The bird"})
	if err != nil || len(lines) != 2 || !strings.Contains(string(lines[1].Text), `"agent-name"`) {
		t.Errorf("preview %v, %v", lines, err)
	}
	p.rename(s, " The \"bird\" ")
	named(`The "bird"`)
	p.rename(s, "")
	named("")
	if got := content(t, p.path(one+"/custom-title.json")); got != `{"customTitle":"Kept by the agent"}` {
		t.Errorf("the agent's own file was written: %s", got)
	}
	add(t, s.Path(), `{"type":"custom-title","customTitle":"By the agent","sessionId":"`+one+`"}`+"\n")
	refresh(t, s, store.Appended)
	named("By the agent")
}

// A name in the sidecar, from before names were written to files, is shown until the
// file has a newer one.
func TestClaude_NameOfTheSidecar(t *testing.T) {
	for _, c := range []struct {
		name, recorded, over string
		want                 string // after the agent has named the session
	}{
		{"set over none", "", "", "Newer"},
		{"set over the agent's title", `{"type":"ai-title","aiTitle":"Found","sessionId":"` + one + `"}` + "\n", "Found", "Newer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t)
			write(t, p.path(one+".jsonl"), recordedLines(one, "", "u01 - draw a bird", "a02 u01 here it is"), c.recorded)
			s := p.open(one)
			if err := p.lib.AddAnnotations(ctx, s.Format(), one, session.Annotations{Name: &session.NameAnnotation{Text: "Kept", Over: c.over}}); err != nil {
				t.Fatal(err)
			}
			refresh(t, s, store.Rewritten)
			if nameOf(s) != "Kept" {
				t.Errorf("the name is %q, want the one that was kept", nameOf(s))
			}
			add(t, s.Path(), `{"type":"custom-title","customTitle":"Newer","sessionId":"`+one+`"}`+"\n")
			if _, err := s.Refresh(ctx); err != nil || nameOf(s) != c.want {
				t.Errorf("%v, the name is %q, want %q", err, nameOf(s), c.want)
			}
			p.rename(s, "")
			if nameOf(s) != strings.Trim(c.over, " ") {
				t.Errorf("without a name it is called %q, want %q", nameOf(s), c.over)
			}
		})
	}
}

// A name that must not be written to the file is not kept elsewhere.
func TestClaude_RenameRefused(t *testing.T) {
	p := newProject(t)
	s := p.first()
	if err := os.Chmod(s.Path(), 0o444); err != nil {
		t.Fatal(err)
	}
	if err := refused(t, s, session.Change{Op: session.OpName, Text: "x"}, store.Precondition{}, session.ErrReadOnly); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Error(err)
	}
	if err := os.Chmod(s.Path(), 0o644); err != nil {
		t.Fatal(err)
	}
	remove(t, s.Path())
	if _, err := s.ApplyChange(ctx, session.Change{Op: session.OpName, Text: "x"}, store.Precondition{}); err == nil {
		t.Error("a session whose file is gone was renamed")
	}
}

// A line without an id is named after its file in another session.
func TestClaude_LabelOfALineWithoutID(t *testing.T) {
	p := newProject(t)
	mode := `{"type":"mode","mode":"plan"}` + "\n"
	write(t, p.path(one+".jsonl"), recordedLines(one, "", "u01 - draw a bird"), mode)
	write(t, p.path(two+".jsonl"), recordedLines(two, "", "u10 u01 go on elsewhere"), mode)
	s, other := p.open(one), p.open(two)
	apply(t, s, setLabel("L2", "of the first"))
	apply(t, s, setLabel(two+":L2", "of the second"))
	refresh(t, other, store.Rewritten)
	for _, c := range []struct {
		s        *store.Session
		id, want string
	}{{s, "L2", "of the first"}, {s, two + ":L2", "of the second"}, {other, "L2", "of the second"}, {other, one + ":L2", "of the first"}} {
		if got := labelOf(c.s, c.id); got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.id, filepath.Base(c.s.Path()), got, c.want)
		}
	}
}

// A fork has the lines of the path, also those of other files, and is read as a session
// related to its source.
func TestClaude_Fork(t *testing.T) {
	p := newProject(t)
	s := p.first()
	write(t, p.path(two+".jsonl"), recordedLines(two, "", "u10 a02 go on elsewhere", "a11 u10 here"), `{"type":"last-prompt","leafUuid":"a11"}`+"\n")
	p.changed(s, p.path(two+".jsonl"))
	before := content(t, p.path(one+".jsonl"))
	made, err := s.Fork(ctx, "a11", "")
	if err != nil {
		t.Fatal(err)
	}
	if made.Path != p.path(made.ID+".jsonl") || made.Lines != 4 {
		t.Errorf("%+v", made)
	}
	if content(t, p.path(one+".jsonl")) != before {
		t.Error("the source changed")
	}
	var ids []string
	for _, line := range strings.Split(strings.TrimSuffix(content(t, made.Path), "\n"), "\n") {
		var l struct {
			UUID, SessionID, Cwd string
			ForkedFrom           struct{ SessionID, MessageUUID string }
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		from := one
		if l.UUID == "u10" || l.UUID == "a11" {
			from = two
		}
		if l.SessionID != made.ID || l.ForkedFrom.SessionID != from || l.ForkedFrom.MessageUUID != l.UUID || l.Cwd != "/p" {
			t.Errorf("%+v", l)
		}
		ids = append(ids, l.UUID)
	}
	if got := strings.Join(ids, " "); got != "u01 a02 u10 a11" {
		t.Errorf("lines %s", got)
	}
	fork := p.open(made.ID)
	if got := strings.Join(pathIDs(fork), " "); got != "u01 a02 u10 a11" {
		t.Errorf("the fork's path is %s", got)
	}
	notes := fork.Notes() // one for each run of copies
	if len(notes) != 2 || notes[0].Code != session.NoteCopy || notes[1].Code != session.NoteCopy {
		t.Errorf("a copied prefix has the notes %v", notes)
	}
	if _, err := s.Fork(ctx, "a11", made.Path); !errors.Is(err, session.ErrExists) {
		t.Errorf("over a file: %v", err)
	}
}

// pathIDs returns the ids from the root to the leaf.
func pathIDs(s *store.Session) (ids []string) {
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		for _, p := range t.Path(t.Leaf()) {
			ids = append(ids, t.At(p).ID)
		}
	})
	return ids
}

func TestClaude_ForkRefused(t *testing.T) {
	p := newProject(t)
	write(t, p.path(one+"/subagents/agent-b1.jsonl"), agentLines(one, "b1", "x10 - look around"))
	s := p.first()
	if _, err := s.Fork(ctx, "x10", ""); !errors.Is(err, session.ErrInvalid) || !strings.Contains(err.Error(), "agent") {
		t.Errorf("of an agent: %v", err)
	}
	write(t, p.path(two+".jsonl"), `{"type":"system","uuid":"y01","parentUuid":null,"sessionId":"`+two+`","timestamp":"2026-01-01T10:00:01Z","content":"hello"}`+"\n")
	if _, err := p.open(two).Fork(ctx, "y01", ""); !errors.Is(err, session.ErrInvalid) || !strings.Contains(err.Error(), "no message") {
		t.Errorf("without a message: %v", err)
	}
}
