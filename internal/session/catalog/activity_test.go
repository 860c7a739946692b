package catalog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session/activity"
	"sessiontree/internal/session/catalog"
)

// calling returns an answer that calls a tool.
func calling(id, parent string, m int, call, tool, args string) string {
	return line("message", id, parent, m, fmt.Sprintf(`,"message":{"role":"assistant","content":[{"type":"toolCall","id":%q,"name":%q,"arguments":%s}],"provider":"p","model":"m-1","stopReason":"toolUse"}`, call, tool, args))
}

// stopped returns an answer that ends the turn.
func stopped(id, parent string, m int, reason string) string {
	return line("message", id, parent, m, fmt.Sprintf(`,"message":{"role":"assistant","content":[{"type":"text","text":"x"}],"provider":"p","model":"m-1","stopReason":%q}`, reason))
}

func result(id, parent string, m int, call, more string) string {
	return line("message", id, parent, m, fmt.Sprintf(`,"message":{"role":"toolResult","toolCallId":%q,"toolName":"edit","content":[{"type":"text","text":"ok"}]%s}`, call, more))
}

// claudeCalling returns a line of Claude Code that calls a tool.
func claudeCalling(id, parent string, s int, tool string) string {
	return fmt.Sprintf(`{"parentUuid":%q,"isSidechain":false,"cwd":"/p","sessionId":"s1","type":"assistant","uuid":%q,"timestamp":"2026-01-01T10:00:%02dZ","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":%q,"input":{"file_path":"/p/a.go"}}],"stop_reason":"tool_use"}}`+"\n", parent, id, s, tool)
}

// A session runs while its model or a tool works and its file is not too old. It waits for its
// user after a question, and if a tool that may need permission has no result after a minute.
func TestActivity(t *testing.T) {
	pi := header("s1") + user("u", "", 1, "go on")
	claude := recordedLine("s1", "u1", "", 1, "")
	bypass := recordedLine("s1", "u1", "", 1, `,"permissionMode":"bypassPermissions"`)
	edits := recordedLine("s1", "u1", "", 1, `,"permissionMode":"acceptEdits"`)
	for name, c := range map[string]struct {
		text    string
		age     time.Duration
		running bool
		waiting bool
	}{
		"a prompt":                      {pi, 0, true, false},
		"a prompt, a minute ago":        {pi, time.Minute, true, false},
		"a prompt, long ago":            {pi, 10 * time.Minute, false, false},
		"the end of an answer":          {pi + stopped("a", "u", 2, "stop"), 0, false, false},
		"a failed answer":               {pi + stopped("a", "u", 2, "error"), 0, false, false},
		"a tool runs":                   {pi + calling("a", "u", 2, "c", "bash", "{}"), 0, true, false},
		"a tool runs for long":          {pi + calling("a", "u", 2, "c", "bash", "{}"), 59 * time.Minute, true, false},
		"a tool ran too long":           {pi + calling("a", "u", 2, "c", "bash", "{}"), time.Hour, false, false},
		"a label after a prompt":        {pi + label("l", "u", "u", 2, "x"), 0, true, false},
		"a result":                      {pi + calling("a", "u", 2, "c", "bash", "{}") + result("r", "a", 3, "c", ""), 0, true, false},
		"a question":                    {pi + calling("a", "u", 2, "c", "ask", "{}"), 0, false, true},
		"an old question":               {pi + calling("a", "u", 2, "c", "ask", "{}"), 25 * time.Hour, false, false},
		"Claude Code runs a tool":       {claude + claudeCalling("a1", "u1", 2, "Edit"), 0, true, false},
		"Claude Code needs permission":  {claude + claudeCalling("a1", "u1", 2, "Edit"), time.Minute, false, true},
		"any tool without permission":   {bypass + claudeCalling("a1", "u1", 2, "Bash"), 10 * time.Minute, true, false},
		"the mode of an earlier prompt": {bypass + recordedLine("s1", "u2", "u1", 2, "") + claudeCalling("a1", "u2", 3, "Bash"), time.Minute, true, false},
		"an edit without permission":    {edits + claudeCalling("a1", "u1", 2, "Edit"), time.Minute, true, false},
		"a command among such edits":    {edits + claudeCalling("a1", "u1", 2, "Bash"), time.Minute, false, true},
		"Claude Code runs an agent":     {claude + claudeCalling("a1", "u1", 2, "Task"), time.Minute, true, false},
		"Claude Code shows a plan":      {claude + claudeCalling("a1", "u1", 2, "ExitPlanMode"), 0, false, true},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "s1.jsonl")
		write(t, path, c.text)
		now := time.Now()
		if err := os.Chtimes(path, now.Add(-c.age), now.Add(-c.age)); err != nil {
			t.Fatal(err)
		}
		s := filled(t, "", dir).Sessions()[0]
		if s.IsRunning(now) != c.running || s.IsWaiting(now) != c.waiting {
			t.Errorf("%s: running %v, waiting %v, want %v, %v", name, s.IsRunning(now), s.IsWaiting(now), c.running, c.waiting)
		}
	}
}

// A sub-agent that writes after the end of the turn works, within the live window. A question
// and a newer answer come first.
func TestStatus_subAgent(t *testing.T) {
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		track      activity.Track
		agent, sub time.Duration // ago
		want       activity.State
		lastWrote  time.Duration
	}{
		"a finished turn":           {activity.Track{}, 5 * time.Minute, 59 * time.Second, activity.Working, 59 * time.Second},
		"a minute ago":              {activity.Track{}, 5 * time.Minute, time.Minute, activity.Finished, time.Minute},
		"before the answer":         {activity.Track{}, 5 * time.Second, 9 * time.Second, activity.Finished, 5 * time.Second},
		"long after the answer":     {activity.Track{}, 3 * time.Hour, 30 * time.Minute, activity.Finished, 30 * time.Minute},
		"a question":                {activity.Track{Turn: activity.TurnUser}, time.Minute, time.Second, activity.Waits, time.Second},
		"the model after sub-agent": {activity.Track{Turn: activity.TurnAgent}, 15 * time.Minute, 2 * time.Minute, activity.Working, 2 * time.Minute},
	} {
		s := catalog.Summary{Activity: &c.track, AgentWrote: now.Add(-c.agent), SubAgentWrote: now.Add(-c.sub)}
		status := s.Status(now)
		if status.State != c.want || !s.LastWrote().Equal(now.Add(-c.lastWrote)) || !status.Expires.After(now) {
			t.Errorf("%s: %+v, last wrote %v", name, status, s.LastWrote())
		}
	}
}

// Sub-agents whose session is gone do not wait for anybody.
func TestStatus_orphaned(t *testing.T) {
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	asked := activity.Track{Prompt: "x", Said: activity.Said{IsAsking: true}}
	for name, c := range map[string]struct {
		track activity.Track
		want  activity.State
	}{
		"the last text is a question": {asked, activity.Finished},
		"a recorded question":         {activity.Track{Turn: activity.TurnUser}, activity.Quiet},
		"the model":                   {activity.Track{Turn: activity.TurnAgent}, activity.Working},
	} {
		s := catalog.Summary{Activity: &c.track, Orphaned: true, AgentWrote: now.Add(-time.Minute)}
		if status := s.Status(now); status.State != c.want || status.Reason != activity.NoReason {
			t.Errorf("%s: %+v", name, status)
		}
	}
}

// Files are counted once, by the calls that name them; lines by the results. Failed and
// missing results do not count.
func TestFilesChanged(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s1.jsonl")
	diff := func(text string) string { return fmt.Sprintf(`,"details":{"diff":%q}`, text) }
	write(t, path, header("s1"), user("u", "", 1, "edit"),
		calling("a1", "u", 2, "c1", "edit", `{"path":"a.go"}`), result("r1", "a1", 3, "c1", diff("+1 x\n+2 y\n-1 z")),
		calling("a2", "r1", 4, "c2", "edit", `{"path":"a.go"}`), result("r2", "a2", 5, "c2", diff("+1 x")),
		calling("a3", "r2", 6, "c3", "edit", `{"path":"b.go"}`), result("r3", "a3", 7, "c3", `,"isError":true`),
		calling("a4", "r3", 8, "c4", "write", `{"path":"d.go"}`))
	check := func(c *catalog.Catalog, want string) {
		t.Helper()
		s := c.Sessions()[0]
		if got := fmt.Sprintf("%d files +%d -%d", s.FilesChanged, s.LinesAdded, s.LinesRemoved); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	c := filled(t, t.TempDir(), dir)
	check(c, "1 files +3 -1")
	more := result("r4", "a4", 9, "c4", "")
	add(t, path, more)
	fill(t, c)
	check(c, "2 files +3 -1")
	if p := c.Progress(); p.BytesScanned != int64(len(more)) {
		t.Errorf("%d bytes read for %d", p.BytesScanned, len(more))
	}
	if diff := cmp.Diff(filled(t, "", dir).Sessions(), c.Sessions()); diff != "" {
		t.Error(diff)
	}
}
