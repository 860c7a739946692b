package view_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
	"sessiontree/internal/web/view/tree"
	"sessiontree/internal/web/viewtest"
)

// openBirdSession opens a session of the sample project with its related sessions.
func openBirdSession(t testing.TB, name string) *store.Session {
	t.Helper()
	return viewtest.OpenFile(t, "../../../testdata/claude/project/"+name+".jsonl", "")
}

const (
	wren = "11111111-0000-4000-8000-000000000001"
	nest = "22222222-0000-4000-8000-000000000002"
)

// The start of an agent or session is linked in both directions.
func TestThreadLinks(t *testing.T) {
	find := func(sess *store.Session, p view.Params, id string) string {
		t.Helper()
		for _, m := range viewtest.DescribeItems(viewtest.PathOf(t, sess, p, path.Query{}).Items) {
			if m.ID == id {
				href := ""
				if m.Edit != nil {
					href = m.Edit.Text + " " + strings.TrimPrefix(m.Edit.Href, "/sessions/"+sess.Key())
				}
				pairs := ""
				for _, x := range m.Pairs {
					pairs += " " + x.Name + " " + x.Value
				}
				return strings.Join([]string{m.Title, m.Detail, m.Edited, href + pairs, m.Error}, "|")
			}
		}
		return "none"
	}
	first, second := openBirdSession(t, wren), openBirdSession(t, nest)
	for _, c := range []struct {
		sess     *store.Session
		p        view.Params
		id, want string
	}{
		{first, view.Params{}, "j-r4-g1", "Sub-agent|4 entries, 1 call, 9.1k tokens, $0.01, 5.0s||Compare with a robin ?entry=g1&leaf=g4|"},
		{first, view.Params{}, "j-a9-v1", "Session|continues from here, 5 entries||Now a nest ?entry=v1&leaf=w2|"},
		{first, view.Params{Entry: "g1"}, "h-g1", "Sub-agent|Compare with a robin|started at|“Task Compare with a robin” ?entry=r4&leaf=g4|"},
		{first, view.Params{Entry: "g1"}, "j-r4-g1", "none"},
		{first, view.Params{}, "h-u1", "none"},
		{second, view.Params{}, "h-v1", "Session|Now a nest|continues from|“Softer, like a robin.” ?entry=a9 in A wren that sings softly|"},
		{second, view.Params{}, "h-u1", "Session|A wren that sings softly|||"},
		{second, view.Params{}, "j-a9-v1", "none"},
	} {
		if got := find(c.sess, c.p, c.id); got != c.want {
			t.Errorf("%+v: %s is %q, want %q", c.p, c.id, got, c.want)
		}
	}
}

// The prompt of an agent is not listed among the user's prompts.
func TestAgentPrompt(t *testing.T) {
	sess := openBirdSession(t, wren)
	for _, m := range viewtest.DescribeItems(viewtest.PathOf(t, sess, view.Params{Entry: "g1"}, path.Query{}).Items) {
		if m.Entry == "g1" && m.Kind == "user" && m.Who != "Main agent" {
			t.Errorf("it is said by %q", m.Who)
		}
	}
	viewtest.Look(t, sess, view.Params{Filter: outline.FilterUserOnly}, func(s view.Scene) {
		if rows := viewtest.DumpRows(tree.RowsModel(s, 0, 100).Rows); strings.Contains(rows, "Compare the wren") || strings.Contains(rows, "<agent>") {
			t.Errorf("rows:\n%s", rows)
		}
	})
}

// The switcher does not offer agents as branches; it offers sessions.
func TestSwitcherWithoutAgents(t *testing.T) {
	sess := openBirdSession(t, wren)
	heads := map[string]string{}
	for _, p := range []view.Params{{}, {Entry: "g1"}} {
		for _, m := range viewtest.DescribeItems(viewtest.PathOf(t, sess, p, path.Query{}).Items) {
			if m.Switch != nil {
				heads[m.Switch.Head] = m.Switch.NextText
			}
		}
	}
	for id, want := range map[string]bool{"u3": true, "c1": true, "a9": false, "g1": false} {
		if _, got := heads[id]; got != want {
			t.Errorf("switcher before %s: %v, want %v", id, got, want)
		}
	}
	if heads["c1"] != "Now a nest" {
		t.Errorf("the next branch is called %q", heads["c1"])
	}
}

// The ruler shows compactions with titles.
func TestCompactionTick(t *testing.T) {
	viewtest.Look(t, openBirdSession(t, wren), view.Params{}, func(s view.Scene) {
		for _, tick := range tree.SessionFrame(s, tree.SessionInfo{}).Ticks {
			if tick.Class == "compaction" {
				if tick.Title != "Compacted, 115k tokens, manual" || tick.Time.ISO == "" {
					t.Errorf("tick %+v", tick)
				}
				return
			}
		}
		t.Error("no tick for the compaction")
	})
}

// An agent whose start is not recorded is a root with a warning.
func TestUnattachedAgent(t *testing.T) {
	line := func(id, up, more string) string {
		return `{"uuid":"` + id + `","parentUuid":` + up + `,"sessionId":"s","timestamp":"2026-03-01T10:00:0` + id[1:] + `.000Z",` + more + `}`
	}
	sess := viewtest.Open(t, strings.Join([]string{
		line("u1", "null", `"type":"user","isSidechain":false,"message":{"role":"user","content":"Go"}`),
		line("a2", `"u1"`, `"type":"assistant","isSidechain":false,"message":{"role":"assistant","content":[{"type":"text","text":"Going"}]}`),
		line("x3", "null", `"type":"user","isSidechain":true,"agentId":"lost","message":{"role":"user","content":"Alone"}`),
		line("y4", `"x3"`, `"type":"assistant","isSidechain":true,"agentId":"lost","message":{"role":"assistant","content":[{"type":"text","text":"Done"}]}`),
	}, "\n")+"\n")
	viewtest.Look(t, sess, view.Params{}, func(s view.Scene) {
		if p := s.Tree.FindID("x3"); s.Tree.Parent(p) != session.NoPos {
			t.Fatal("it is attached")
		}
		rows := viewtest.DumpRows(tree.RowsModel(s, 0, 100).Rows)
		if !strings.Contains(rows, "<agent> Alone") || !strings.Contains(rows, "(parent unknown) ("+view.UnattachedText+")") {
			t.Errorf("rows:\n%s", rows)
		}
	})
	items := viewtest.DumpItems(viewtest.PathOf(t, sess, view.Params{Entry: "x3"}, path.Query{}).Items)
	if !strings.Contains(items, "join h-x3 | agent | Sub-agent | Alone | "+view.UnattachedText) {
		t.Errorf("items:\n%s", items)
	}
}

// A session without a title takes the title that another file records.
func TestSession_TitleFromOtherFile(t *testing.T) {
	dir := t.TempDir()
	first := `{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s1","isSidechain":false,"timestamp":"2026-03-01T10:00:01.000Z","message":{"role":"user","content":"Draw a bird"}}` + "\n"
	second := `{"type":"summary","summary":"A bird was drawn","leafUuid":"u1"}` + "\n" +
		`{"type":"user","uuid":"v1","parentUuid":"u1","sessionId":"s2","isSidechain":false,"timestamp":"2026-03-01T10:00:02.000Z","message":{"role":"user","content":"And a nest"}}` + "\n"
	sess := viewtest.OpenFile(t, filepath.Join(dir, "s1.jsonl"), first)
	name := func() (name string) {
		viewtest.Look(t, sess, view.Params{}, func(s view.Scene) { name = view.SessionName(s.Tree) })
		return name
	}
	if got := name(); got != "Draw a bird" {
		t.Errorf("alone it is called %q", got)
	}
	other := filepath.Join(dir, "s2.jsonl")
	if err := os.WriteFile(other, []byte(second), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sess.RefreshPath(context.Background(), other); err != nil {
		t.Fatal(err)
	}
	if got := name(); got != "A bird was drawn" {
		t.Errorf("it is called %q", got)
	}
}

// A file with bookkeeping only is named after the file and has no start time.
func TestSession_Nameless(t *testing.T) {
	sess := viewtest.OpenFile(t, filepath.Join(t.TempDir(), "a95fea4a.jsonl"), `{"type":"file-history-snapshot","messageId":"m","snapshot":{}}`+"\n")
	viewtest.Look(t, sess, view.Params{}, func(s view.Scene) {
		if m := tree.SessionFrame(s, tree.SessionInfo{File: sess.Path()}); m.Name != "a95fea4a" || m.Page.Title != "a95fea4a" {
			t.Errorf("it is called %q, %q", m.Name, m.Page.Title)
		}
		if at := s.Tree.Header().Time; at != session.NoTime {
			t.Errorf("it begins at %d", at)
		}
	})
}

// The lines of one reply form one answer with the id of the last line.
func TestReply(t *testing.T) {
	line := func(id, up, reply, block string) string {
		return `{"type":"assistant","uuid":"` + id + `","parentUuid":"` + up + `","sessionId":"s","isSidechain":false,"timestamp":"2026-03-01T10:00:0` + id[1:] + `.000Z","message":{"id":"` + reply + `","role":"assistant","content":[` + block + `]}}`
	}
	text := func(s string) string { return `{"type":"text","text":"` + s + `"}` }
	sess := viewtest.Open(t, strings.Join([]string{
		`{"type":"user","uuid":"u0","parentUuid":null,"sessionId":"s","isSidechain":false,"timestamp":"2026-03-01T10:00:00.000Z","message":{"role":"user","content":"Go"}}`,
		line("a1", "u0", "m1", text(`\n\n`)),
		line("a2", "a1", "m1", `{"type":"thinking","thinking":"How?"}`),
		line("a3", "a2", "m1", text("So.")),
		line("a4", "a3", "m1", `{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}`),
		line("a5", "a4", "m2", text("Another reply.")),
		line("a6", "a5", "m2", text("It goes on.")),
	}, "\n")+"\n")
	want := `user e-u0 | You
  md: <p>Go</p>
asst e-a1
  and a1:  
  and a2:  
  thinking | How?: <p>How?</p>
  md: <p>So.</p>
tools t-a4
  tool c-a4-0 [bash] | Bash | ls | no result
    out: <span class="prompt-sign">$</span> ls
asst e-a5
  and a5:  
  md: <p>Another reply.</p>
  md: <p>It goes on.</p>
leaf path-end | Current leaf | entry 7
`
	m := viewtest.PathOf(t, sess, view.Params{}, path.Query{})
	if diff := cmp.Diff(want, viewtest.DumpItems(m.Items)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if viewtest.DescribeItems(m.Items)[1].Entry != "a3" {
		t.Errorf("the answer is called %q", viewtest.DescribeItems(m.Items)[1].Entry)
	}
	if m := viewtest.PathOf(t, sess, view.Params{Entry: "a2"}, path.Query{}); !viewtest.DescribeItems(m.Items)[1].Target {
		t.Error("a line of the answer is viewed, and not it")
	}
}

// The notification of a background agent links to its branch.
func TestTaskNotification(t *testing.T) {
	dir := t.TempDir()
	line := func(id, up, more string) string {
		return `{"uuid":"` + id + `","parentUuid":` + up + `,"sessionId":"s","timestamp":"2026-03-01T10:00:0` + id[1:] + `.000Z",` + more + "}\n"
	}
	session := line("u1", "null", `"type":"user","isSidechain":false,"message":{"role":"user","content":"Go"}`) +
		line("a2", `"u1"`, `"type":"assistant","isSidechain":false,"message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Task","input":{"description":"Sing","prompt":"Sing."}}]}`) +
		line("r3", `"a2"`, `"type":"user","isSidechain":false,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"Launched"}]},"toolUseResult":{"isAsync":true,"status":"async_launched","agentId":"c3"}`) +
		line("n6", `"r3"`, `"type":"user","isSidechain":false,"message":{"role":"user","content":"<task-notification><task-id>c3</task-id><status>completed</status><summary>It sang</summary></task-notification>"}`)
	agent := line("x4", "null", `"type":"user","isSidechain":true,"agentId":"c3","message":{"role":"user","content":"Sing."}`) +
		line("y5", `"x4"`, `"type":"assistant","isSidechain":true,"agentId":"c3","message":{"role":"assistant","content":[{"type":"text","text":"La"}]}`)
	if err := os.MkdirAll(filepath.Join(dir, "s", "subagents"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "s", "subagents", "agent-c3.jsonl"), []byte(agent), 0o600); err != nil {
		t.Fatal(err)
	}
	sess := viewtest.OpenFile(t, filepath.Join(dir, "s.jsonl"), session)
	items := viewtest.DumpItems(viewtest.PathOf(t, sess, view.Params{}, path.Query{}).Items)
	for _, want := range []string{"custom e-n6 | Task | completed", "join j-r3-x4 | agent | Sub-agent | 2 entries", "join j-n6-x4 | agent | Sub-agent | 2 entries"} {
		if !strings.Contains(items, want) {
			t.Errorf("no %q in\n%s", want, items)
		}
	}
}

// The output of a command is shown with the command.
func TestCommandOutput(t *testing.T) {
	m := viewtest.PathOf(t, openBirdSession(t, wren), view.Params{Entry: "c3"}, path.Query{})
	for i, it := range viewtest.DescribeItems(m.Items) {
		if (it.Entry == "c1" || it.Entry == "c3") && it.Kind != "fork" {
			t.Errorf("the caveat or the output has an item of its own: %s", it.Kind)
		}
		if it.Entry == "c2" {
			if dump := viewtest.DumpItems(m.Items[i : i+1]); !strings.Contains(dump, "and c1:") || !strings.Contains(dump, "and c3:") || !strings.Contains(dump, "| /compact | Compacted | folded") || !strings.Contains(dump, "aside | Caveat") || !it.Target {
				t.Errorf("the command:\n%s", dump)
			}
		}
	}
}
