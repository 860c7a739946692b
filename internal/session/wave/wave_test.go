package wave

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
)

const (
	one   = "0aa11111-1111-4111-8111-111111111111.jsonl"
	other = "0bb22222-2222-4222-8222-222222222222.jsonl"
	leaks = "subagent-0cc33333-3333-4333-8333-333333333333.jsonl"
	past  = "subagent-0dd44444-4444-4444-8444-444444444444.jsonl"
	alien = "subagent-0ee55555-5555-4555-8555-555555555555.jsonl"
)

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../../testdata/wave", path))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// project returns the files of a synthetic project. The modification time of each file is the time
// of its last message.
func project(t *testing.T) fstest.MapFS {
	dir := fstest.MapFS{"memory/MEMORY.md": &fstest.MapFile{}, "notes.txt": &fstest.MapFile{}, "subagent-XX.jsonl": &fstest.MapFile{}}
	for _, name := range []string{one, other, leaks, past, alien} {
		text := read(t, "project/"+name)
		entries := decode(text, 0).entries
		dir[name] = &fstest.MapFile{Data: text, ModTime: time.UnixMilli(entries[len(entries)-1].Time)}
	}
	return dir
}

// TestNames checks file names (W2, W3).
func TestNames(t *testing.T) {
	t.Parallel()
	id := "0aa11111-1111-4111-8111-111111111111"
	for name, want := range map[string][2]bool{
		id + ".jsonl": {true, false}, "subagent-" + id + ".jsonl": {false, true}, "dir/subagent-" + id + ".jsonl": {false, true},
		strings.ToUpper(id) + ".jsonl": {}, "subagent-" + strings.ToUpper(id) + ".jsonl": {}, id + ".json": {}, "agent-" + id + ".jsonl": {},
		"": {}, ".jsonl": {}, id: {}, "subagent-.jsonl": {}, id[1:] + ".jsonl": {}, id + "0.jsonl": {}, strings.ReplaceAll(id, "-", "0") + ".jsonl": {},
		"00000000-0000-0000-0000-000000000000.jsonl": {true, false},
	} {
		if got := [2]bool{isSessionFile(name), isMemberFile(name)}; got != want {
			t.Errorf("%q: session, subagent = %v, want %v", name, got, want)
		}
	}
}

func TestSniff(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]bool{
		`{"type":"metadata","workdir":"/x"}`:                         true,
		`{"type":"metadata","createdAt":"2026-01-01T00:00:00.000Z"}`: true,
		`{"type":"metadata"}`:                                        false,
		`{"timestamp":"x","id":"msg-1","role":"user","blocks":[]}`:   true,
		`{"role":"user","content":"a","timestamp":"2024"}`:           true,
		`{"role":"user","content":"a"}`:                              false,
		`{"type":"user","role":"user","content":"a","timestamp":""}`: false,
		`{"type":"session","id":"x","version":3}`:                    false,
		"not JSON\n" + `{"id":"msg-1","role":"user","blocks":[]}`:    true,
		"": false, "[]": false,
	} {
		if got := sniffSession([]byte(head)); got != want {
			t.Errorf("sniff(%s) = %v", head, got)
		}
	}
}

// TestReading checks headers, empty and bad lines, and line ends (W5, W7, W21).
func TestReading(t *testing.T) {
	t.Parallel()
	m := func(id string) string {
		return `{"timestamp":"2026-03-02T10:00:00.123456Z","id":"` + id + `","role":"user","blocks":[{"type":"text","content":"项目 🚀"}]}`
	}
	d := decode([]byte("\n  \n"+m("a")+"\r\n\n{\"broken\n"+m("b")), 0)
	if len(d.entries) != 2 || d.entries[1].Parent != "a" || d.entries[0].Preview != "项目 🚀" || d.entries[0].Time != 1772445600123 {
		t.Errorf("entries %+v", d.entries)
	}
	if d := decode([]byte(" \n"), 0); d.valid {
		t.Error("an empty file is a session")
	}
	d = decode([]byte(`{"type":"metadata","workdir":"/x","later":1}`+"\n"+m("a")+"\n"+`{"type":"metadata","workdir":"/y"}`), 0)
	if !d.valid || d.header.Cwd != "/x" || len(d.entries) != 1 {
		t.Errorf("header %+v, %d entries", d.header, len(d.entries))
	}
	if d.header.Time != session.NoTime && d.header.Time != 1772445600123 {
		t.Errorf("time %d", d.header.Time)
	}
}

// TestCompaction checks several compactions (W13): replayed messages are folded, and the context
// begins at the last compaction.
func TestCompaction(t *testing.T) {
	t.Parallel()
	tree := plant(session.FileGroup{Names: []string{one}}, decode(read(t, "forms/compaction.jsonl"), 0))
	var words []string
	for _, item := range tree.Context(tree.Leaf()).Items {
		words = append(words, item.Role+" "+tree.At(item.Pos).Preview)
	}
	want := []string{"compactionSummary ", "user Question 10", "assistant Answer 11", "user Question 13"}
	if diff := cmp.Diff(want, words); diff != "" {
		t.Errorf("context (-want +got):\n%s", diff)
	}
	o := outline.Build(tree, outline.View{Leaf: tree.Leaf(), Entry: session.NoPos})
	folds, rows := 0, 0
	for _, r := range o.Rows.All() {
		rows++
		if r.Kind == outline.RowFoldedGroup {
			folds += int(r.Count)
			if e := tree.At(r.Title); !e.HasFlag(session.FlagArtifact) || e.Status() != "duplicate record of a compaction" {
				t.Errorf("folded: %+v", e)
			}
		}
	}
	if folds != 6 || rows != 15 {
		t.Errorf("%d rows, %d folded", rows, folds)
	}
}

// TestGather checks the subagents of two sessions that ran at once, which the prompts assign.
func TestGather(t *testing.T) {
	t.Parallel()
	dir := project(t)
	for name, want := range map[string][]string{one: {one, leaks, past}, other: {other, alien}} {
		u, err := gatherSessionFiles(dir, []string{name})
		if err != nil || !slices.Equal(u.Names, want) {
			t.Errorf("gather(%s) = %v, %v; want %v", name, u.Names, err, want)
		}
	}
	u, err := gatherSessionFiles(dir, nil)
	if err != nil || !u.WholeDir || len(u.Names) != 5 {
		t.Errorf("all: %+v, %v", u, err)
	}
	if _, err := gatherSessionFiles(fstest.MapFS{}, []string{one}); err != nil {
		t.Errorf("an empty directory: %v", err)
	}
}

// TestGather_early checks a subagent that began after the last recorded line of its session, which
// Wave writes when the turn ends. It belongs to the session that began last before it.
func TestGather_early(t *testing.T) {
	t.Parallel()
	dir := project(t)
	text := bytes.ReplaceAll(read(t, "project/"+alien), []byte("2026-03-02T10:"), []byte("2026-03-02T11:"))
	dir[alien] = &fstest.MapFile{Data: text, ModTime: time.Now()}
	if u, _ := gatherSessionFiles(dir, []string{other}); !slices.Contains(u.Names, alien) {
		t.Errorf("gathered %v", u.Names)
	}
	if u, _ := gatherSessionFiles(dir, []string{one}); slices.Contains(u.Names, alien) {
		t.Errorf("gathered twice: %v", u.Names)
	}
}

func TestAgents(t *testing.T) {
	t.Parallel()
	unit := session.FileGroup{Names: []string{one, leaks, past, alien}}
	var files []decoded
	for i, name := range unit.Names {
		files = append(files, decode(read(t, "project/"+name), int32(i)))
	}
	tree := plant(unit, files...)
	for id, want := range map[string]string{
		"msg-0000012d-0000-4000-8000-00000000012d": "Look for leaks",
		"msg-00000191-0000-4000-8000-000000000191": "Read the history",
		"msg-000001f5-0000-4000-8000-0000000001f5": "",
	} {
		p := tree.FindID(id)
		l := tree.Threads().StartingAt(p)
		if l == nil || l.Title != want || !tree.At(p).HasFlag(session.FlagAgent) {
			t.Fatalf("%s: line %+v", id, l)
		}
		at := ""
		if tree.Parent(p) != session.NoPos {
			at = tree.At(tree.Parent(p)).Preview
		}
		if (at == "I ask two agents.") != (want != "") || l.At != tree.Parent(p) {
			t.Errorf("%s hangs on %q", id, at)
		}
	}
	if notes := tree.Notes(); len(notes) != 1 || notes[0].Code != NoteNotAttached || notes[0].File != 3 {
		t.Errorf("notes %+v", notes)
	}
	if leaf := tree.At(tree.Leaf()); leaf.Preview != "Fixed." {
		t.Errorf("leaf %q", leaf.Preview)
	}
}

// TestRetracted checks that retracted lines follow the same entry as before, and that those
// recorded again are folded.
func TestRetracted(t *testing.T) {
	t.Parallel()
	whole := read(t, "forms/no-header.jsonl")
	first, second, _ := bytes.Cut(whole, []byte("\n"))
	again := bytes.ReplaceAll(second, []byte("So it is."), []byte("So it was."))
	unit := session.FileGroup{Names: []string{one, "kept.jsonl"}, Retracted: []session.RetractedLines{{File: 1, After: "msg-00000001-0000-4000-8000-000000000001"}}}
	kept := append(bytes.ReplaceAll(second, []byte("0002"), []byte("0009")), second...)
	tree := plant(unit, decode(append(append(first, '\n'), again...), 0), decode(kept, 1))
	p := tree.FindID("msg-00000009-0000-4000-8000-000000000009")
	if p == session.NoPos {
		t.Fatalf("the kept entry is lost:\n%s", outline.Dump(tree))
	}
	if e := tree.At(p); !e.HasFlag(session.FlagRetracted) || tree.At(tree.Parent(p)).Preview != "A file that was rewound has no header" {
		t.Errorf("kept: %+v", e)
	}
	twice := tree.FindID("msg-00000002-0000-4000-8000-000000000002~")
	if twice == session.NoPos || !tree.At(twice).HasFlag(session.FlagArtifact) {
		t.Errorf("written again:\n%s", outline.Dump(tree))
	}
	if tree.At(tree.Leaf()).Preview != "So it was." {
		t.Errorf("leaf %+v", tree.At(tree.Leaf()))
	}
}

func TestNamed(t *testing.T) {
	t.Parallel()
	const id = "0aa11111-1111-4111-8111-111111111111"
	for _, c := range []struct {
		path, cwd string
		want      session.Header
	}{
		{"/w/home-dev-my_shop/" + id + ".jsonl", "/home/dev/my-shop",
			session.Header{ID: id, Cwd: "/home/dev/my-shop", Resume: "cd /home/dev/my-shop && wave --restore " + id}},
		{"/w/home-dev-my_shop/" + id + ".jsonl", "", session.Header{ID: id, Cwd: "/home/dev/my shop", CwdGuessed: true, Resume: "wave --restore " + id}},
		{"/w/x/" + id + ".jsonl", "/it's", session.Header{ID: id, Cwd: "/it's", Resume: `cd '/it'\''s' && wave --restore ` + id}},
		{"/w/x/subagent-" + id + ".jsonl", "/a\nb", session.Header{ID: id, Cwd: "/a\nb"}},
		{"/w/x/copy.jsonl", "/a", session.Header{ID: "copy", Cwd: "/a"}},
	} {
		h := session.Header{Cwd: c.cwd}
		completeHeader(&h, c.path)
		if diff := cmp.Diff(c.want, h); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.path, diff)
		}
	}
}

func TestCan(t *testing.T) {
	t.Parallel()
	c := fileCapabilities(session.Header{Version: blockVersion})
	if !c.Label.InSidecar || !c.Name.InSidecar || !c.Fork.IsPossible() || c.Branch.IsPossible() || c.Copy.IsPossible() || c.Migrate.IsPossible() {
		t.Errorf("%+v", c)
	}
	if fileCapabilities(session.Header{Version: textVersion}).Fork.IsPossible() {
		t.Error("a file of texts can be forked")
	}
}

// TestFork checks that a fork has its own header and the unchanged path with the messages that its
// compactions recorded again, and that it reads as the same conversation.
func TestFork(t *testing.T) {
	t.Parallel()
	text := read(t, "forms/compaction.jsonl")
	tree := plant(session.FileGroup{Names: []string{one}}, decode(text, 0))
	mint := session.IDSource{Now: 1772445600000, OrderedSessionID: func() string { return "1f0c8fe4-e9fa-68a0-9b76-5d753709fbaa" }}
	for p := range session.Pos(tree.Len()) {
		f, err := forkPath(tree, p, "", nil, mint)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		for _, l := range f.Lines {
			if l.Text == nil {
				s := tree.At(l.Pos).Span
				l.Text = text[s.Off : s.Off+int64(s.Len)]
			}
			b.Write(append(slices.Clone(l.Text), '\n'))
		}
		made := plant(session.FileGroup{Names: []string{f.Name}}, decode(b.Bytes(), 0))
		if got, want := path(made, made.Leaf()), path(tree, p); got != want && !tree.At(p).HasFlag(session.FlagArtifact) {
			t.Errorf("fork of %s:\n%s\nwant:\n%s", tree.At(p).ID, got, want)
		}
		if got, want := len(made.Context(made.Leaf()).Items), len(tree.Context(p).Items); got != want && !tree.At(p).HasFlag(session.FlagArtifact) {
			t.Errorf("fork of %s: %d messages in the context, want %d", tree.At(p).ID, got, want)
		}
		if !sniffSession(b.Bytes()) || !isSessionFile(f.Name) {
			t.Errorf("%s is no session of Wave", f.Name)
		}
	}
	f, _ := forkPath(tree, 0, "", nil, mint)
	const want = `{"type":"metadata","workdir":"/home/dev/shop","createdAt":"2026-03-02T10:00:00.000Z","gitBranch":"main"}`
	if got := string(f.Lines[0].Text); got != want {
		t.Errorf("header %s, want %s", got, want)
	}
}

func path(t *session.Tree, leaf session.Pos) string {
	var b strings.Builder
	for _, p := range t.Path(leaf) {
		fmt.Fprintln(&b, t.At(p).ID, t.At(p).Kind)
	}
	return b.String()
}

func TestFork_refused(t *testing.T) {
	t.Parallel()
	mint := session.IDSource{OrderedSessionID: func() string { return "" }}
	hidden := []byte(`{"timestamp":"2026-03-02T10:00:00.000Z","id":"a","role":"user","blocks":[],"isMeta":true}`)
	unit := session.FileGroup{Names: []string{one, leaks}}
	agent := plant(unit, decode(read(t, "project/"+one), 0), decode(read(t, "project/"+leaks), 1))
	for name, tree := range map[string]*session.Tree{
		"text": plant(unit, decode(read(t, "forms/text.jsonl"), 0)), "hidden": plant(unit, decode(hidden, 0)), "agent": agent,
	} {
		if _, err := forkPath(tree, session.Pos(tree.Len()-1), "", nil, mint); err == nil {
			t.Errorf("%s was forked", name)
		}
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	a := fingerprintLine([]byte(`{"id":"msg-1","role":"user","blocks":[1]}`))
	if b := fingerprintLine([]byte(`{ "blocks": [1], "role":"user", "id":"msg-2"}`)); a != b {
		t.Error("the id and the order of keys count")
	}
	if b := fingerprintLine([]byte(`{"id":"msg-1","role":"user","blocks":[2]}`)); a == b {
		t.Error("the blocks do not count")
	}
}

// TestArrange_prefixes checks that the tree does not depend on how the files are divided into
// reads.
func TestArrange_prefixes(t *testing.T) {
	t.Parallel()
	unit := session.FileGroup{Names: []string{one, leaks, past}}
	var all []session.Entry
	for i, name := range unit.Names {
		all = append(all, decode(read(t, "project/"+name), int32(i)).entries...)
	}
	whole := plant(unit, decoded{entries: slices.Clone(all)})
	grown := plant(unit, decoded{})
	for i := range all {
		grown.AppendEntries(session.Header{}, all[i:i+1], nil)
	}
	if diff := cmp.Diff(outline.Dump(whole), outline.Dump(grown)); diff != "" {
		t.Errorf("at once and line by line differ:\n%s", diff)
	}
}

// TestArrange_extend checks that only a compaction's replay changes an existing entry, so that the
// cost of extending depends on the new entries alone.
func TestArrange_extend(t *testing.T) {
	t.Parallel()
	unit := session.FileGroup{Names: []string{one}}
	all := decode(read(t, "forms/compaction.jsonl"), 0).entries
	whole, grown := plant(unit, decoded{entries: slices.Clone(all)}), plant(unit, decoded{})
	for i := range all {
		rebuilt := grown.AppendEntries(session.Header{}, all[i:i+1], nil)
		if again := i > 0 && all[i].HasFlag(session.FlagArtifact) && all[i-1].Kind == session.KindCompaction; rebuilt != again {
			t.Errorf("line %d: rebuilt %v", all[i].Span.Line, rebuilt)
		}
		if grown.At(grown.Leaf()).HasFlag(session.FlagArtifact) {
			t.Errorf("line %d is the leaf", all[i].Span.Line)
		}
	}
	if diff := cmp.Diff(outline.Dump(whole), outline.Dump(grown)); diff != "" {
		t.Errorf("at once and line by line differ:\n%s", diff)
	}
	if diff := cmp.Diff(whole.Context(whole.Leaf()), grown.Context(grown.Leaf())); diff != "" {
		t.Errorf("the context differs:\n%s", diff)
	}
}

// BenchmarkExtend shows that an append does not process a long session again.
func BenchmarkExtend(b *testing.B) {
	var text bytes.Buffer
	for i := range 50000 {
		fmt.Fprintf(&text, `{"timestamp":"2026-03-02T10:00:00.000Z","id":"msg-%d","role":"user","blocks":[]}`+"\n", i)
	}
	d := decode(text.Bytes(), 0)
	unit := session.FileGroup{Names: []string{one}}
	tree := plant(unit, decoded{entries: d.entries[:1]})
	tree.AppendEntries(session.Header{}, d.entries[1:40000], nil)
	i := 40000
	for b.Loop() {
		if i < len(d.entries) {
			tree.AppendEntries(session.Header{}, d.entries[i:i+1], nil)
			i++
		}
	}
}

func FuzzScan(f *testing.F) {
	err := filepath.WalkDir("../../../testdata/wave", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".jsonl" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, l := range bytes.Split(text, []byte("\n")) {
			f.Add(l)
		}
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		sniffSession(text)
		r, err := scanLine(text, "/home/dev")
		var object map[string]json.RawMessage
		if isObject := json.Unmarshal(text, &object) == nil && object != nil; (err == nil) != isObject {
			t.Fatalf("scan: %v, an object: %v", err, isObject)
		}
		if _, bodyErr := decodeBody(text); (err == nil) != (bodyErr == nil) {
			t.Fatalf("scan: %v, body: %v", err, bodyErr)
		}
		if err != nil || r.Header != nil {
			return
		}
		fingerprintLine(text)
		lines := bytes.Join([][]byte{text, text, []byte(`{"timestamp":"","id":"z","role":"user","blocks":[]}`)}, []byte("\n"))
		if bytes.ContainsRune(text, '\n') {
			return
		}
		d := decode(lines, 0)
		tree := plant(session.FileGroup{Names: []string{one}}, d)
		if tree.Len() != len(d.entries) || tree.Len() != 3 {
			t.Fatalf("3 lines, %d entries in the tree:\n%s", tree.Len(), outline.Dump(tree))
		}
	})
}
