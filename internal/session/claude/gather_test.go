package claude

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/dag"
)

// files is a project directory in memory.
type files map[string]string

func (f files) fs() fstest.MapFS {
	m := fstest.MapFS{}
	for name, text := range f {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

// agentLine returns a line of an agent's file.
func agentLine(sid, agent, id, parent, text string) string {
	up := "null"
	if parent != "" {
		up = fmt.Sprintf("%q", parent)
	}
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":true,"agentId":%q,"uuid":%q,"sessionId":%q,"timestamp":"2026-01-01T00:01:00Z","type":"user","message":{"role":"user","content":%q}}`+"\n", up, agent, id, sid, text)
}

// callLine returns an answer that calls a tool; resultLine returns its result.
func callLine(sid, id, parent, tool, use, prompt string) string {
	return fmt.Sprintf(`{"parentUuid":%q,"isSidechain":false,"uuid":%q,"sessionId":%q,"timestamp":"2026-01-01T00:00:02Z","type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":%q,"name":%q,"input":{"prompt":%q}}]}}`+"\n", parent, id, sid, use, tool, prompt)
}

func resultLine(sid, id, parent, use, more string) string {
	return fmt.Sprintf(`{"parentUuid":%q,"isSidechain":false,"uuid":%q,"sessionId":%q,"timestamp":"2026-01-01T00:00:03Z","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"done"}]}%s}`+"\n", parent, id, sid, use, more)
}

func promptLine(sid, id string) string {
	return fmt.Sprintf(`{"parentUuid":null,"isSidechain":false,"uuid":%q,"sessionId":%q,"timestamp":"2026-01-01T00:00:01Z","type":"user","message":{"role":"user","content":"go"}}`+"\n", id, sid)
}

// readProject reads and arranges the files of a session as the store does.
func readProject(t *testing.T, f files, names ...string) (session.FileGroup, *session.Tree) {
	t.Helper()
	dir := f.fs()
	unit, err := gatherFiles(dir, names)
	if err != nil {
		t.Fatal(err)
	}
	var parts [][]session.Entry
	for k, name := range unit.Names {
		d := newTestFile()
		var part []session.Entry
		n := 0
		for line := range strings.Lines(f[name]) {
			n++
			e := d.decode(strings.TrimSuffix(line, "\n"), n)
			e.Span.File = int32(k)
			part = append(part, e)
		}
		parts = append(parts, part)
	}
	return unit, session.BuildArranged(session.Header{}, parts, nil, func(g []*session.Entry) session.Arrangement { return arrangeGroup(unit, g) })
}

// parentOf returns the id of the parent of the entry id.
func parentOf(t *session.Tree, id string) string {
	p := t.FindID(id)
	if p == session.NoPos || t.Parent(p) == session.NoPos {
		return ""
	}
	return t.At(t.Parent(p)).ID
}

func TestGather_names(t *testing.T) {
	t.Parallel()
	dir := files{
		"s1.jsonl": promptLine("s1", "u1"), "s2.jsonl": promptLine("s2", "u2"), "notes.html": "", "s1.jsonl.bak": "",
		"agent-old1.jsonl": agentLine("s1", "old1", "x1", "", "a"), "agent-old2.jsonl": agentLine("s2", "old2", "x2", "", "a"), "agent-empty.jsonl": "",
		"s1/subagents/agent-new.jsonl":              "",
		"s1/subagents/agent-new.meta.json":          `{"toolUseId":"t1","description":" Look "}`,
		"s1/subagents/workflows/run1/agent-w.jsonl": "",
		"s1/subagents/workflows/run1/journal.jsonl": "",
		"s1/workflows/run1.json":                    `{"runId":"run1","taskId":"task1","workflowProgress":[{"agentId":"w","label":"check","phaseTitle":"Test"}]}`,
		"s1/workflows/scripts/x.js":                 "",
		"s1/subagents/agent-bad.meta.json":          `{`,
		"s2/subagents/agent-other.jsonl":            "",
		"unrelated/subagents/agent-elsewhere.jsonl": "",
		"s1/tool-results/toolu_1.txt":               "",
	}
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"s1.jsonl"}, "s1.jsonl agent-old1.jsonl s1/subagents/agent-new.jsonl s1/subagents/workflows/run1/agent-w.jsonl s1/subagents/workflows/run1/journal.jsonl"},
		{[]string{"s2.jsonl"}, "s2.jsonl agent-old2.jsonl s2/subagents/agent-other.jsonl"},
		{[]string{"s2.jsonl", "s1.jsonl"}, "s2.jsonl s1.jsonl agent-old1.jsonl agent-old2.jsonl s1/subagents/agent-new.jsonl s1/subagents/workflows/run1/agent-w.jsonl s1/subagents/workflows/run1/journal.jsonl s2/subagents/agent-other.jsonl"},
		{nil, "s1.jsonl s2.jsonl agent-empty.jsonl agent-old1.jsonl agent-old2.jsonl s1/subagents/agent-new.jsonl s1/subagents/workflows/run1/agent-w.jsonl s1/subagents/workflows/run1/journal.jsonl s2/subagents/agent-other.jsonl unrelated/subagents/agent-elsewhere.jsonl"},
	} {
		unit, err := gatherFiles(dir.fs(), c.names)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(unit.Names, " "); got != c.want || unit.WholeDir != (c.names == nil) {
			t.Errorf("%v: %s, whole %v", c.names, got, unit.WholeDir)
		}
		if len(c.names) != 1 || c.names[0] != "s1.jsonl" {
			continue
		}
		want := &agentLinks{dag.AgentStarts{AgentByCall: map[string]string{"t1": "new"}, RunByAgent: map[string]string{"w": "run1", "journal": "run1"}, RunByTask: map[string]string{"task1": "run1"}},
			map[string]string{"new": "Look", "w": "Test: check"}}
		if diff := cmp.Diff(want, unit.Extra, cmp.AllowUnexported(agentLinks{})); diff != "" {
			t.Errorf("links (-want +got):\n%s", diff)
		}
	}
}

func TestPart(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"/p/s1.jsonl": false, "/p/agent-1.jsonl": true, "/p/s1/subagents/agent-1.jsonl": true,
		"/p/s1/subagents/workflows/run/journal.jsonl": true, "/subagent/s1.jsonl": false, "/p/s-agent-1.jsonl": false,
	} {
		if got := isMemberFile(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestHome(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"/p/agent-1.jsonl": "/p/s1.jsonl", "/p/s2/subagents/agent-1.jsonl": "/p/s2.jsonl", "/p/s2/subagents/workflows/run/agent-1.jsonl": "/p/s2.jsonl",
		"/p/s2/subagents/workflows/run/journal.jsonl": "",
	} {
		if got := ownerPath(name, []byte("torn\n"+agentLine("s1", "1", "x", "", "look"))); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := ownerPath("/p/agent-1.jsonl", nil); got != "" {
		t.Errorf("an empty file belongs to %q", got)
	}
}

// TestGather_anchors checks where agents are attached, by each source of information.
func TestGather_anchors(t *testing.T) {
	t.Parallel()
	talk := promptLine("s1", "u1") + callLine("s1", "a1", "u1", "Agent", "t1", "look") + resultLine("s1", "r1", "a1", "t1", "")
	in := func(name string) string { return "s1/subagents/" + name }
	for _, c := range []struct {
		name  string
		files files
		want  map[string]string // parent by entry
	}{
		{"a result names the agent", files{
			"s1.jsonl":           promptLine("s1", "u1") + callLine("s1", "a1", "u1", "Agent", "t1", "look") + resultLine("s1", "r1", "a1", "t1", `,"toolUseResult":{"agentId":"b1"}`),
			in("agent-b1.jsonl"): agentLine("s1", "b1", "x1", "", "look"),
		}, map[string]string{"x1": "r1"}},
		{"meta.json names the call", files{
			"s1.jsonl": talk, in("agent-b1.jsonl"): agentLine("s1", "b1", "x1", "", "other words"), in("agent-b1.meta.json"): `{"toolUseId":"t1"}`,
		}, map[string]string{"x1": "r1"}},
		{"the call has no result yet", files{
			"s1.jsonl":           promptLine("s1", "u1") + callLine("s1", "a1", "u1", "Agent", "t1", "look"),
			in("agent-b1.jsonl"): agentLine("s1", "b1", "x1", "", "look"), in("agent-b1.meta.json"): `{"toolUseId":"t1"}`,
		}, map[string]string{"x1": "a1"}},
		{"an old agent began with the words of the call", files{
			"s1.jsonl":       promptLine("s1", "u1") + callLine("s1", "a1", "u1", "Task", "t1", "Look  around") + resultLine("s1", "r1", "a1", "t1", ""),
			"agent-b1.jsonl": agentLine("s1", "b1", "x1", "", "look around"),
		}, map[string]string{"x1": "r1"}},
		{"a teammate was told so by the lead", files{
			"s1.jsonl":           promptLine("s1", "u1") + callLine("s1", "a1", "u1", "Task", "t1", "look") + resultLine("s1", "r1", "a1", "t1", ""),
			in("agent-b1.jsonl"): agentLine("s1", "b1", "x1", "", `<teammate-message teammate_id="team-lead" color="blue">look</teammate-message>`),
		}, map[string]string{"x1": "r1"}},
		{"an agent of an agent", files{
			"s1.jsonl": talk, in("agent-b1.jsonl"): agentLine("s1", "b1", "x1", "", "look") + agentLine("s1", "b1", "x2", "x1", "more"), in("agent-b1.meta.json"): `{"toolUseId":"t1"}`,
			in("agent-c1.jsonl"): agentLine("s1", "c1", "y1", "x2", "deeper"),
		}, map[string]string{"x1": "r1", "x2": "x1", "y1": "x2"}},
		{"a run of a workflow", files{
			"s1.jsonl":                         promptLine("s1", "u1") + callLine("s1", "a1", "u1", "Workflow", "t1", "") + resultLine("s1", "r1", "a1", "t1", `,"toolUseResult":{"runId":"run1"}`),
			in("workflows/run1/agent-w.jsonl"): agentLine("s1", "w", "x1", "", "check"),
			in("workflows/run1/journal.jsonl"): `{"type":"started","key":"k","agentId":"w"}` + "\n",
		}, map[string]string{"x1": "r1", "journal:L1": "x1"}},
		{"nothing is known", files{"s1.jsonl": talk, in("agent-b1.jsonl"): agentLine("s1", "b1", "x1", "", "other words")}, map[string]string{"x1": ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, tree := readProject(t, c.files, "s1.jsonl")
			for id, want := range c.want {
				if tree.FindID(id) == session.NoPos {
					t.Fatalf("%s is not there", id)
				}
				if got := parentOf(tree, id); got != want {
					t.Errorf("%s hangs on %q, want %q", id, got, want)
				}
			}
			for _, l := range tree.Threads().All() {
				if first := tree.At(l.Entries[0]); strings.Contains(l.Name, "#agent-") != first.HasFlag(session.FlagAgent) {
					t.Errorf("line %s is marked %v", l.Name, first.Flags)
				}
			}
		})
	}
}
