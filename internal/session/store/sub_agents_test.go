package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

const ompID = "01a20263-0f5d-70e0-b7b2-7638770984ec"

// ompName is a session's file name without extension, in oh-my-pi's scheme.
const ompName = "2026-11-22T08-32-56-157Z_" + ompID

// agentFile is the file of a session or a sub-agent of oh-my-pi while it is written.
type agentFile struct {
	path string // without the extension
	n    int
	ids  []string
	last string
}

// agentSession is a session of oh-my-pi with sub-agents.
type agentSession struct {
	t     testing.TB
	dir   string
	main  *agentFile
	begun map[string]string // completions of files whose start was written, by path
}

func newAgentSession(t testing.TB) *agentSession {
	c := &agentSession{t: t, dir: t.TempDir(), begun: map[string]string{}}
	c.main = c.begin(ompName, "")
	c.say(c.main, "user", "hello")
	return c
}

// begin writes the start of a file: a title slot, and the header.
func (c *agentSession) begin(path, parent string) *agentFile {
	f := &agentFile{path: filepath.Join(c.dir, path)}
	if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
		c.t.Fatal(err)
	}
	c.raw(f, slot(""), c.header(path, parent))
	return f
}

func (c *agentSession) header(path, parent string) string {
	id := ompID
	if parent != "" {
		id, parent = fmt.Sprintf("agent-%x", path), fmt.Sprintf(`,"parentSession":"/home/dev/.omp/agent/sessions/-p/%s.jsonl"`, parent)
	}
	return fmt.Sprintf(`{"type":"session","version":3,"id":%q,"timestamp":"2026-11-22T08:32:56.157Z","cwd":"/p"%s}`+"\n", id, parent)
}

func (c *agentSession) raw(f *agentFile, lines ...string) {
	if _, err := os.Stat(f.path + ".jsonl"); err != nil {
		write(c.t, f.path+".jsonl", lines...)
		return
	}
	add(c.t, f.path+".jsonl", lines...)
}

// line returns an entry that is a child of the last one in its file.
func (f *agentFile) line(typ, rest string) string {
	f.n++
	id, parent := fmt.Sprintf("%08x", f.n), "null"
	if f.last != "" {
		parent = `"` + f.last + `"`
	}
	f.last = id
	f.ids = append(f.ids, id)
	return fmt.Sprintf(`{"type":%q,"id":%q,"parentId":%s,"timestamp":"2026-11-22T08:33:%02d.000Z",%s}`+"\n", typ, id, parent, f.n%60, rest)
}

func (c *agentSession) say(f *agentFile, role, text string) string {
	c.raw(f, f.line("message", fmt.Sprintf(`"message":{"role":%q,"content":[{"type":"text","text":%q}]}`, role, text)))
	return f.last
}

// call starts agents of these names.
func (c *agentSession) call(f *agentFile, id string, names ...string) string {
	var tasks []string
	for _, name := range names {
		tasks = append(tasks, fmt.Sprintf(`{"name":%q,"agent":"task","task":"look"}`, name))
	}
	c.raw(f, f.line("message", fmt.Sprintf(`"message":{"role":"assistant","content":[{"type":"toolCall","id":%q,"name":"task","arguments":{"context":"","tasks":[%s]}}],"stopReason":"toolUse"}`,
		id, strings.Join(tasks, ","))))
	return f.last
}

// result records which agents a call started.
func (c *agentSession) result(f *agentFile, id string, failed bool, agents ...string) string {
	var progress []string
	for _, a := range agents {
		progress = append(progress, fmt.Sprintf(`{"id":%q}`, a))
	}
	c.raw(f, f.line("message", fmt.Sprintf(`"message":{"role":"toolResult","toolCallId":%q,"toolName":"task","content":[{"type":"text","text":"Spawned"}],"details":{"results":[],"progress":[%s],"usage":{"cost":{"total":0.5}}},"isError":%v}`,
		id, strings.Join(progress, ","), failed)))
	return f.last
}

func (c *agentSession) told(f *agentFile, agent string) string {
	c.raw(f, f.line("custom_message", fmt.Sprintf(`"customType":"async-result","content":"<task-result id=\"%s\" agent=\"task\">\ndone\n</task-result>","display":true`, agent)))
	return f.last
}

// agent starts the file of an agent with a message.
func (c *agentSession) agent(path string) *agentFile {
	parent := filepath.Base(filepath.Dir(path))
	f := c.begin(path, parent)
	c.raw(f, f.line("session_init", `"systemPrompt":"","task":"look","tools":[]`))
	c.say(f, "user", "look")
	return f
}

func (c *agentSession) open() *store.Session {
	c.t.Helper()
	return open(c.t, c.main.path+".jsonl")
}

// drawnAgents returns everything that a session with agents shows, whatever the order
// in which its files were read.
func drawnAgents(s *store.Session) string {
	var b strings.Builder
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		id := func(p session.Pos) string {
			if p == session.NoPos {
				return "-"
			}
			return t.At(p).ID
		}
		all := func(ps []session.Pos) string {
			var ids []string
			for _, p := range ps {
				ids = append(ids, id(p))
			}
			return strings.Join(ids, " ")
		}
		var lines []string
		for p := range session.Pos(t.Len()) {
			e := t.At(p)
			lines = append(lines, fmt.Sprintf("%s < %s (%s) flags %x cost %v call %s target %s label %v", e.ID, id(t.Parent(p)), all(t.Children(p)), e.Flags, e.Cost(), e.CallID(), e.Target(), labelAt(t, p)))
		}
		for _, l := range t.Threads().All() {
			lines = append(lines, fmt.Sprintf("line %s of %s at %s of %s: %s %q %s", l.Name, l.Parent, id(l.At), l.Session, l.Agent, l.Title, all(l.Entries)))
		}
		sort.Strings(lines)
		fmt.Fprintf(&b, "leaf %s\nroots %s\n%s\n", id(t.Leaf()), all(t.Roots()), strings.Join(lines, "\n"))
	})
	var notes []string
	for _, n := range s.Notes() {
		notes = append(notes, fmt.Sprintf("%s line %d %s: %s", n.Code, n.Line, n.Entry, n.Text))
	}
	sort.Strings(notes)
	return b.String() + strings.Join(notes, "\n")
}

func labelAt(t *session.Tree, p session.Pos) string {
	l, _ := t.Label(p)
	return l.Text
}

// wantParents checks the parents of entries: "child parent", "-" for none.
func wantParents(t testing.TB, s *store.Session, pairs ...string) {
	t.Helper()
	for _, pair := range pairs {
		child, parent, _ := strings.Cut(pair, " ")
		s.ReadTree(func(tree *session.Tree, _ store.Revision) {
			p, up := tree.FindID(child), "-"
			if p == session.NoPos {
				t.Errorf("no entry %s", child)
				return
			}
			if at := tree.Parent(p); at != session.NoPos {
				up = tree.At(at).ID
			}
			if up != parent {
				t.Errorf("%s is attached to %s, want %s", child, up, parent)
			}
		})
	}
}

// Sub-agents are attached to the calls that started them, named by their files.
func TestSubAgents(t *testing.T) {
	c := newAgentSession(t)
	call := c.call(c.main, "t1", "Looker", "Second")
	c.result(c.main, "t1", false, "Looker", "Second")
	looker := c.agent(ompName + "/Looker")
	nested := c.call(looker, "n1", "Sub")
	c.result(looker, "n1", false, "Looker.Sub")
	c.agent(ompName + "/Looker/Looker.Sub")
	c.agent(ompName + "/Second")
	end := c.say(c.main, "assistant", "done")
	s := c.open()
	wantParents(t, s, "Looker:00000001 "+call, "Second:00000001 "+call, "Looker:00000002 Looker:00000001", "Looker/Looker.Sub:00000001 Looker:"+nested, "00000001 -")
	s.ReadTree(func(tree *session.Tree, _ store.Revision) {
		if leaf := tree.At(tree.Leaf()).ID; leaf != end {
			t.Errorf("the leaf is %s", leaf)
		}
		for _, id := range []string{"Looker", "Second", "Looker.Sub"} {
			if l := tree.Threads().OfAgent(id); l == nil || l.Title != id || !tree.At(l.Entries[0]).HasFlag(session.FlagAgent) || l.Session != ompID {
				t.Errorf("%s: %+v", id, l)
			}
		}
		if ctx := tree.Context(tree.FindID("Looker:00000002")); len(ctx.Items) != 1 {
			t.Errorf("the context of an agent: %+v", ctx.Items)
		}
		if notes := tree.Notes(); len(notes) > 0 {
			t.Errorf("%+v", notes)
		}
	})
	if got := len(s.Files()); got != 4 {
		t.Errorf("%d files", got)
	}
}

// If a requested name is ambiguous or missing, the name is the one in the result, or
// else one that the agent makes up.
func TestSubAgents_Names(t *testing.T) {
	c := newAgentSession(t)
	first := c.call(c.main, "t1", "Looker", "")
	second := c.call(c.main, "t2", "Looker")
	failed := c.call(c.main, "t3", "Looker")
	c.result(c.main, "t3", true)
	third := c.call(c.main, "t4", "Looker")
	c.result(c.main, "t1", false, "Looker", "BraveFox")
	by := c.told(c.main, "Unseen")
	for _, name := range []string{"Looker", "Looker-2", "Looker-3", "BraveFox", "Unseen", "Stray"} {
		c.agent(ompName + "/" + name)
	}
	s := c.open()
	wantParents(t, s, "Looker:00000001 "+first, "BraveFox:00000001 "+first, "Looker-2:00000001 "+second, "Looker-3:00000001 "+third, "Unseen:00000001 "+by, "Stray:00000001 -")
	_ = failed
	notes := s.Notes()
	if len(notes) != 1 || notes[0].Code != "not-attached" || notes[0].Entry != "Stray:00000001" || !strings.HasPrefix(notes[0].Text, "Parent unknown") {
		t.Errorf("%+v", notes)
	}
}

// Agents that name each other, while the call that started them is not recorded, are not
// attached in a circle.
func TestSubAgents_Circle(t *testing.T) {
	c := newAgentSession(t)
	s := c.open()
	looker, second := c.agent(ompName+"/Looker"), c.agent(ompName+"/Second")
	c.told(looker, "Second")
	c.told(second, "Looker")
	inner := c.agent(ompName + "/Second/Inner")
	c.told(inner, "Second")
	for name, s := range map[string]*store.Session{"live": s, "cold": c.open()} {
		if _, err := s.Refresh(ctx); err != nil {
			t.Fatal(err)
		}
		wantParents(t, s, "Looker:00000001 -", "Second:00000001 "+"Looker:00000003", "Second/Inner:00000001 -")
		if notes := s.Notes(); len(notes) != 2 || notes[0].Entry != "Looker:00000001" || notes[0].Code != "not-attached" {
			t.Errorf("%s: %+v", name, notes)
		}
	}
	call := c.call(c.main, "t1", "Looker", "Second")
	if _, err := s.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	wantParents(t, s, "Looker:00000001 "+call, "Second:00000001 "+call)
}

// Files in the directory that belong to other sessions, or to none, are not part of
// this one.
func TestSubAgents_Others(t *testing.T) {
	c := newAgentSession(t)
	other := c.begin(ompName+"/Advisor", "")
	c.say(other, "user", "I watch")
	c.raw(&agentFile{path: filepath.Join(c.dir, ompName, "Alien")}, c.header("x", "another_session"))
	write(t, filepath.Join(c.dir, ompName, "Empty.jsonl"), "")
	write(t, filepath.Join(c.dir, ompName, "notes.md"), "# x")
	s := c.open()
	if got := len(s.Files()); got != 1 {
		t.Errorf("files %q", s.Files())
	}
	if s.Path() == "" || ids(s) != "00000001" {
		t.Errorf("entries %s", ids(s))
	}
}

// A file in place of the directory, or an unreadable directory, does not prevent
// opening the session.
func TestSubAgents_NoDirectory(t *testing.T) {
	c := newAgentSession(t)
	write(t, filepath.Join(c.dir, ompName), "no directory")
	wantIDs(t, c.open(), "00000001")
}

// Ids are unique within one file only: those of agents do not collide with others.
func TestSubAgents_SameIDs(t *testing.T) {
	c := newAgentSession(t)
	c.call(c.main, "t1", "A")
	a := c.agent(ompName + "/A")
	c.raw(a, a.line("label", `"targetId":"00000002","label":"mine"`))
	c.raw(c.main, `{"type":"message","id":"A:00000001","parentId":"00000002","timestamp":"2026-11-22T08:34:00.000Z","message":{"role":"user","content":"called alike"}}`+"\n")
	s := c.open()
	wantParents(t, s, "A:00000001 00000002", "A:00000001' 00000002", "A:00000002 A:00000001'")
	if labelOf(s, "A:00000002") != "mine" || labelOf(s, "00000002") != "" {
		t.Error("a label is on the entry of another file")
	}
}

// The cost of sub-agents is counted once.
func TestSubAgents_Cost(t *testing.T) {
	c := newAgentSession(t)
	c.call(c.main, "t1", "A")
	c.result(c.main, "t1", false, "A")
	a := c.agent(ompName + "/A")
	c.raw(a, a.line("message", `"message":{"role":"assistant","content":[],"usage":{"cost":{"total":0.5}}}`))
	sum := 0.0
	c.open().ReadTree(func(t *session.Tree, _ store.Revision) {
		for p := range session.Pos(t.Len()) {
			sum += t.At(p).Cost()
		}
	})
	if sum != 0.5 {
		t.Errorf("%v dollars, want 0.5", sum)
	}
}

// Entries of an agent's file cannot be changed from the session, except labels, which
// go to the sidecar.
func TestSubAgents_Changes(t *testing.T) {
	c := newAgentSession(t)
	c.call(c.main, "t1", "A")
	a := c.agent(ompName + "/A")
	lib := libraryWith(t, store.Config{Roots: []string{c.dir}, StateDir: t.TempDir()})
	s, err := lib.Open(ctx, c.main.path+".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	before := content(t, a.path+".jsonl")
	if w := apply(t, s, setLabel("A:00000002", "here")); !w.InSidecar || labelOf(s, "A:00000002") != "here" {
		t.Errorf("%+v", w)
	}
	for _, ch := range []session.Change{{Op: session.OpBranch, Entry: "A:00000002"}, {Op: session.OpSwitch, Entry: "A:00000002"}, {Op: session.OpCopy, CopyIDs: []string{"00000001", "A:00000002"}}} {
		refused(t, s, ch, store.Precondition{}, session.ErrConflict)
		if _, err := s.PreviewChange(ctx, ch); err == nil {
			t.Errorf("%+v is previewed", ch)
		}
	}
	apply(t, s, setLabel("00000001", "of the session"))
	if content(t, a.path+".jsonl") != before {
		t.Error("the agent's file was written to")
	}
}

// Notes and labels are in the order of file names, whichever file was read first.
func TestSubAgents_Order(t *testing.T) {
	c := newAgentSession(t)
	s := c.open()
	for _, name := range []string{"Stray", "Lost"} {
		a := c.agent(ompName + "/" + name)
		c.raw(a, a.line("label", `"targetId":"00000001","label":"of `+name+`"`))
		if _, err := s.Refresh(ctx); err != nil {
			t.Fatal(err)
		}
	}
	var notes, labels []string
	for _, n := range s.Notes() {
		notes = append(notes, n.Entry)
	}
	s.ReadTree(func(tree *session.Tree, _ store.Revision) {
		for _, l := range tree.Labels() {
			labels = append(labels, tree.At(l.Target).ID)
		}
	})
	const want = "Lost:00000001 Stray:00000001"
	if strings.Join(notes, " ") != want || strings.Join(labels, " ") != want {
		t.Errorf("notes about %s, labels on %s, want %s", notes, labels, want)
	}
}

// A line is read from its own file.
func TestSubAgents_Raw(t *testing.T) {
	c := newAgentSession(t)
	c.call(c.main, "t1", "A")
	c.agent(ompName + "/A")
	s := c.open()
	line, err := s.ReadRawLine(ctx, pos(t, s, "A:00000002"))
	if err != nil || !strings.Contains(string(line), `"look"`) {
		t.Errorf("%s %v", line, err)
	}
}

// A followed session with agents always equals one opened now, however its files are
// created and grow.
func TestSubAgents_Live(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		c := newAgentSession(t)
		defer os.RemoveAll(c.dir)
		lib := libraryWith(t, store.Config{Roots: []string{c.dir}})
		s, err := lib.Open(ctx, c.main.path+".jsonl")
		if err != nil {
			r.Fatal(err)
		}
		files := map[string]*agentFile{"": c.main}
		calls := 0
		for range rapid.IntRange(1, 25).Draw(r, "steps") {
			c.step(r, files, &calls)
			if rapid.IntRange(0, 3).Draw(r, "refresh") == 0 {
				continue
			}
			change, err := s.Refresh(ctx)
			if err != nil {
				r.Fatal(err)
			}
			fresh, err := libraryWith(t, store.Config{Roots: []string{c.dir}}).Open(ctx, c.main.path+".jsonl")
			if err != nil {
				r.Fatal(err)
			}
			if got, want := drawnAgents(s), drawnAgents(fresh); got != want {
				r.Fatalf("after %+v the session shows\n%s\n\nopened now\n%s", change, got, want)
			}
		}
	})
}

var agentNames = []string{"A", "B", "A-2", ""}

// step writes something, as agents do or do not.
func (c *agentSession) step(r *rapid.T, files map[string]*agentFile, calls *int) {
	var paths []string
	for path := range files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	path := rapid.SampledFrom(paths).Draw(r, "file")
	f := files[path]
	name := func() string { return rapid.SampledFrom(agentNames).Draw(r, "name") }
	switch rapid.SampledFrom([]string{"say", "say", "call", "result", "told", "agent", "agent", "half", "back", "again", "orphan", "label", "late"}).Draw(r, "what") {
	case "say":
		c.say(f, "assistant", "x")
	case "call":
		*calls++
		c.call(f, fmt.Sprint("t", *calls), name(), name())
	case "result":
		id := fmt.Sprint("t", rapid.IntRange(0, *calls+1).Draw(r, "call"))
		var agents []string
		if rapid.Bool().Draw(r, "named") {
			agents = append(agents, name())
		}
		c.result(f, id, rapid.Bool().Draw(r, "failed"), agents...)
	case "told":
		c.told(f, name())
	case "agent", "half":
		own := name()
		if own == "" {
			own = "C"
		}
		at := filepath.Join(ompName, path, own)
		key := filepath.Join(path, own)
		if files[key] != nil {
			c.say(files[key], "user", "more")
			return
		}
		if rest := c.begun[key]; rest != "" { // the rest of a line whose start was written before
			g := &agentFile{path: filepath.Join(c.dir, at)}
			c.raw(g, rest)
			files[key], c.begun[key] = g, ""
			return
		}
		parent := filepath.Base(filepath.Dir(at))
		if err := os.MkdirAll(filepath.Join(c.dir, filepath.Dir(at)), 0o755); err != nil {
			r.Fatal(err)
		}
		g := &agentFile{path: filepath.Join(c.dir, at)}
		head := slot("") + c.header(at, parent)
		if cut := rapid.SampledFrom([]int{0, 1, 256, 300, len(head) - 1, len(head)}).Draw(r, "cut"); cut < len(head) {
			c.raw(g, head[:cut])
			c.begun[key] = head[cut:]
			return
		}
		files[key] = g
		c.raw(g, head)
		if rapid.Bool().Draw(r, "speaks") {
			c.say(g, "user", "look")
		}
	case "back":
		if len(f.ids) > 0 {
			f.last = rapid.SampledFrom(f.ids).Draw(r, "to")
		}
	case "again":
		if len(f.ids) > 1 {
			id := rapid.SampledFrom(f.ids).Draw(r, "id")
			c.raw(f, fmt.Sprintf(`{"type":"message","id":%q,"parentId":%q,"timestamp":"2026-11-22T08:33:30.000Z","message":{"role":"user","content":"again"}}`+"\n", id, f.ids[0]))
		}
	case "orphan":
		f.last = "gone"
		c.say(f, "user", "lost")
	case "label":
		if len(f.ids) > 0 {
			c.raw(f, f.line("label", fmt.Sprintf(`"targetId":%q,"label":"l%d"`, rapid.SampledFrom(f.ids).Draw(r, "of"), f.n)))
		}
	case "late": // an entry whose parent follows it
		f.last = fmt.Sprintf("%08x", f.n+2)
		c.say(f, "user", "before its parent")
	}
}
