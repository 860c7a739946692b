package claude

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session"
)

// What several files give line by line is what they give at once: prompts, answers,
// calls and their results, hooks, agents, titles, copies, orphans and rings.
func TestProperty_lineByLine(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		unit := session.Unit{Names: []string{"s0.jsonl", "s1.jsonl", "s0/subagents/agent-b1.jsonl"},
			Extra: &links{spawned: map[string]string{"t3": "b1"}, about: map[string]string{"b1": "look"}}}
		var given []*session.Entry
		files := []*testFile{newTestFile(), newTestFile(), newTestFile()}
		for i := range rapid.IntRange(1, 30).Draw(rt, "lines") {
			file := rapid.SampledFrom([]int{0, 0, 0, 0, 1, 2}).Draw(rt, "file")
			e := files[file].decode(randomLine(rt, i, file), len(given)+1)
			e.Span.File = int32(file)
			given = append(given, &e)
		}
		grows(rt, "random", unit, given)
	})
}

func randomLine(rt *rapid.T, i, file int) string {
	sid := fmt.Sprintf("s%d", file%2)
	up := rapid.SampledFrom([]int{i - 1, i - 1, i - 1, i - 1, i - 2, i - 2, i - 3, i - 5, 0, i + 2, -1}).Draw(rt, "parent")
	switch rapid.IntRange(0, 20).Draw(rt, "kind of line") {
	case 0:
		return fmt.Sprintf(`{"type":"last-prompt","leafUuid":"n%d","sessionId":%q}`, up, sid)
	case 1:
		return fmt.Sprintf(`{"type":"custom-title","customTitle":"T%d","sessionId":%q}`, i%2, sid)
	case 2:
		return fmt.Sprintf(`{"type":"summary","summary":"S","leafUuid":"n%d"}`, up)
	case 3:
		return `{"type":"result","agentId":"b1","key":"k"}`
	}
	parent := "null"
	if up >= 0 {
		parent = fmt.Sprintf(`"n%d"`, up)
	}
	id := fmt.Sprintf("n%d", i)
	if rapid.IntRange(0, 20).Draw(rt, "copy") == 0 {
		id = "n0"
	}
	clock := i + rapid.SampledFrom([]int{0, 0, 0, 0, -3, 1}).Draw(rt, "time")
	more := rapid.SampledFrom([]string{
		`"type":"user","message":{"role":"user","content":"a prompt"}`,
		`"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"an answer"}]}`,
		fmt.Sprintf(`"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{}}]}`, i),
		fmt.Sprintf(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"out"}]}`, up),
		fmt.Sprintf(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"out"}]}`, up),
		`"type":"attachment","attachment":{"type":"hook_success"}`,
		`"type":"progress","data":{}`,
		`"type":"system","content":"x"`,
	}).Draw(rt, "what")
	if rapid.IntRange(0, 15).Draw(rt, "boundary") == 0 {
		parent, more = "null", fmt.Sprintf(`"type":"system","subtype":"compact_boundary","logicalParentUuid":"n%d"`, i-1)
	}
	agent := ""
	if file == 2 {
		agent = `,"agentId":"b1"`
	}
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":%t,"uuid":%q,"sessionId":%q,"timestamp":"2026-01-01T00:00:%02dZ",%s%s}`,
		parent, file == 2, id, sid, clock+10, more, agent)
}
