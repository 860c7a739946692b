package claude

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/dag"
	"sessiontree/internal/slowtest"
)

// TestProperty_lineByLine checks that extending an arrangement line by line gives the same tree as
// arranging all lines at once. The lines hold prompts, answers, calls and results, hooks, agents,
// titles, compactions, copies, orphans and rings, with times that run backward.
func TestProperty_lineByLine(t *testing.T) {
	t.Parallel()
	slowtest.SkipIfShort(t)
	rounds := 10 // of 100 cases each
	if n, err := strconv.Atoi(os.Getenv("PROJECTS")); err == nil && n > 1 {
		rounds = n / 10
	}
	for range rounds {
		rapid.Check(t, lineByLine)
	}
}

func lineByLine(rt *rapid.T) {
	unit := session.FileGroup{Names: []string{"s0.jsonl", "s1.jsonl", "s0/subagents/agent-b1.jsonl", "agent-b2.jsonl"},
		Extra: &agentLinks{starts: dag.AgentStarts{AgentByCall: map[string]string{"t3": "b1"}}, purposes: map[string]string{"b1": "look"}}}
	var given []*session.Entry
	files := []*testFile{newTestFile(), newTestFile(), newTestFile(), newTestFile()}
	for i := range rapid.IntRange(1, 30).Draw(rt, "lines") {
		file := rapid.SampledFrom([]int{0, 0, 0, 0, 1, 1, 2, 3}).Draw(rt, "file")
		e := files[file].decode(randomLine(rt, i, file), len(given)+1)
		e.Span.File = int32(file)
		given = append(given, &e)
	}
	compareExtended(rt, "random", unit, given)
}

func randomLine(rt *rapid.T, i, file int) string {
	agent := []string{"", "", "b1", "b2"}[file]
	sid := fmt.Sprintf("s%d", file%2*(1-file/2)) // both agents belong to the first session
	up := rapid.SampledFrom([]int{i - 1, i - 1, i - 1, i - 1, i - 2, i - 2, i - 3, i - 5, 0, i + 2, -1}).Draw(rt, "parent")
	clock := fmt.Sprintf("2026-01-01T00:00:%02dZ", 10+i+rapid.SampledFrom([]int{0, 0, 0, 0, -3, 1}).Draw(rt, "time"))
	if line := randomMetadata(rt, sid, agent, clock, up); line != "" {
		return line
	}
	parent := "null"
	if up >= 0 {
		parent = fmt.Sprintf(`"n%d"`, up)
	}
	id := fmt.Sprintf("n%d", i)
	if rapid.IntRange(0, 20).Draw(rt, "copy") == 0 {
		id = "n0"
	}
	more := rapid.SampledFrom([]string{
		`"type":"user","message":{"role":"user","content":"a prompt"}`,
		`"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"an answer"}]}`,
		fmt.Sprintf(`"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{}}]}`, i),
		fmt.Sprintf(`"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Task","input":{"prompt":"a prompt"}}]}`, i),
		fmt.Sprintf(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"out"}]}`, up),
		fmt.Sprintf(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"out"}]}`, up),
		fmt.Sprintf(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"out"}]},"toolUseResult":{"agentId":"b2"}`, up),
		`"type":"attachment","attachment":{"type":"hook_success"}`,
		`"type":"progress","data":{}`,
		`"type":"system","content":"x"`,
	}).Draw(rt, "what")
	switch rapid.IntRange(0, 25).Draw(rt, "compaction or copy") {
	case 0:
		parent, more = "null", fmt.Sprintf(`"type":"system","subtype":"compact_boundary","logicalParentUuid":"n%d"`, i-1)
	case 1:
		parent, more = "null", fmt.Sprintf(`"type":"system","subtype":"compact_boundary","logicalParentUuid":"n%d","compactMetadata":{"preservedMessages":{"uuids":["n%d","n%d"]}}`, i+1, i-4, i-2)
	case 2:
		more = `"requestSessionId":"s0","type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"an answer"}]}`
	}
	if agent != "" {
		more += fmt.Sprintf(`,"agentId":%q`, agent)
	}
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":%t,"uuid":%q,"sessionId":%q,"timestamp":%q,%s}`, parent, agent != "", id, sid, clock, more)
}

// randomMetadata returns a line without a uuid, or "".
func randomMetadata(rt *rapid.T, sid, agent, clock string, up int) string {
	of := ""
	if agent != "" {
		of = fmt.Sprintf(`,"agentId":%q`, agent)
	}
	switch rapid.IntRange(0, 22).Draw(rt, "kind of line") {
	case 0:
		return fmt.Sprintf(`{"type":"last-prompt","leafUuid":"n%d","sessionId":%q%s}`, up, sid, of)
	case 1:
		return fmt.Sprintf(`{"type":"custom-title","customTitle":"T%d","sessionId":%q%s}`, up%2, sid, of)
	case 2:
		return fmt.Sprintf(`{"type":"summary","summary":"S","leafUuid":"n%d"}`, up)
	case 3:
		return `{"type":"result","agentId":"b1","key":"k"}`
	case 4:
		return fmt.Sprintf(`{"type":"queue-operation","timestamp":%q,"sessionId":%q%s}`, clock, sid, of)
	case 5:
		return fmt.Sprintf(`{"type":"mode","sessionId":%q%s}`, sid, of)
	}
	return ""
}
