package store_test

import (
	"fmt"
	"strings"
	"testing"
)

// Sessions become related while one of them is open: after every line each equals one
// opened now.
func TestClaude_JoinsWhileWritten(t *testing.T) {
	const three = "33333333-0000-4000-8000-000000000003"
	mode := func(id string) string { return `{"type":"mode","mode":"default","sessionId":"` + id + `"}` + "\n" }
	boundary := func(id, uuid, logical string) string {
		return fmt.Sprintf(`{"parentUuid":null,"logicalParentUuid":%q,"isSidechain":false,"type":"system","subtype":"compact_boundary","content":"Conversation compacted","uuid":%q,"sessionId":%q,"timestamp":"2026-01-01T10:00:%sZ"}`+"\n",
			logical, uuid, id, uuid[1:])
	}
	call := func(id string) string {
		return strings.Replace(recordedLines(id, "", "a05 a04 -"), `{"type":"text","text":"-"}`, `{"type":"tool_use","id":"t1","name":"Agent","input":{"prompt":"look"}}`, 1)
	}
	result := func(id, agent string) string {
		line := strings.Replace(recordedLines(id, fmt.Sprintf(`,"toolUseResult":{"agentId":%q}`, agent), "u08 a05 -"), `{"type":"text","text":"-"}`, `{"type":"tool_result","tool_use_id":"t1","content":"seen"}`, 1)
		return line
	}
	first := recordedLines(one, "", "u01 - draw", "a02 u01 here", "u03 a02 larger", "a04 u03 so")
	copied := recordedLines(two, "", "u01 - draw", "a02 u01 here")
	own := func(file string) string { return file + ".jsonl" }
	agent, agentNew := "agent-b1.jsonl", one+"/subagents/agent-b1.jsonl"
	for _, c := range []struct {
		name  string
		steps [][2]string // file and lines
		want  map[string]int
	}{
		{"a new file continues", [][2]string{{one, first}, {own(two), mode(two)}, {two, recordedLines(two, "", "u10 a04 go on", "a11 u10 so")}}, map[string]int{one: 2, two: 2}},
		{"a file that was empty for a while", [][2]string{{two, mode(two)}, {one, first}, {two, recordedLines(two, "", "u10 a04 go on")}}, map[string]int{one: 2, two: 2}},
		{"a copied prefix", [][2]string{{one, first}, {two, mode(two) + copied + recordedLines(two, "", "u10 a02 go on")}}, map[string]int{one: 2, two: 2}},
		{"a compaction rolled into a new file", [][2]string{{one, first}, {two, mode(two) + boundary(two, "s10", "a04") + recordedLines(two, "", "u11 s10 summed up", "a12 u11 so")}}, map[string]int{one: 2, two: 2}},
		{"a third file on the second", [][2]string{{one, first}, {two, recordedLines(two, "", "u10 a04 go on", "a11 u10 so")}, {three, mode(three) + recordedLines(three, "", "u20 a11 and on", "a21 u20 so")}}, map[string]int{one: 3, two: 3, three: 3}},
		{"two related files come to name the open one", [][2]string{{one, first}, {two, recordedLines(two, "", "u10 - alone", "a11 u10 so")}, {three, recordedLines(three, "", "u20 a11 and on")}, {two, recordedLines(two, "", "u30 a04 back to the first")}}, map[string]int{one: 3, two: 3, three: 3}},
		{"the open one comes to name an existing one", [][2]string{{two, recordedLines(two, "", "u10 - alone", "a11 u10 so")}, {one, first + recordedLines(one, "", "u20 a11 from there")}}, map[string]int{one: 2, two: 2}},
		{"the open one comes to hold what another one names", [][2]string{{two, recordedLines(two, "", "u10 a04 go on", "a11 u10 so")}, {one, first}}, map[string]int{one: 2, two: 2}},
		{"an agent, new place, before its result", [][2]string{{one, first + call(one)}, {agentNew, agentLines(one, "b1", "x06 - look", "a07 x06 seen")}, {one, result(one, "b1")}}, map[string]int{one: 2}},
		{"an agent, new place, after its result", [][2]string{{one, first + call(one) + result(one, "b1")}, {agentNew, agentLines(one, "b1", "x06 - look", "a07 x06 seen")}}, map[string]int{one: 2}},
		{"an agent, old place, before its result", [][2]string{{one, first + call(one)}, {agent, agentLines(one, "b1", "x06 - look", "a07 x06 seen")}, {one, result(one, "b1")}}, map[string]int{one: 2}},
		{"an agent, old place, after its result", [][2]string{{one, first + call(one) + result(one, "b1")}, {agent, agentLines(one, "b1", "x06 - look", "a07 x06 seen")}}, map[string]int{one: 2}},
		{"an agent before its session", [][2]string{{agentNew, agentLines(one, "b1", "x06 - look", "a07 x06 seen")}, {one, first + call(one) + result(one, "b1")}}, map[string]int{one: 2}},
		{"unrelated files", [][2]string{{one, first}, {two, recordedLines(two, "", "u10 - alone", "a11 u10 so")}, {one, recordedLines(one, "", "u30 a04 more")}}, map[string]int{one: 1, two: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, p := &recording{}, newReplay(t)
			for _, step := range c.steps {
				name := step[0]
				if !strings.HasSuffix(name, ".jsonl") {
					name = own(name)
				}
				for line := range strings.Lines(step[1]) {
					half := len(line) / 2
					p.write(r, recordedLine{file: name, text: line[:half]})
					p.compare("half a line of " + name)
					p.write(r, recordedLine{file: name, text: line[half:]})
					p.compare(line)
				}
			}
			for id, files := range c.want {
				if s := p.open[own(id)]; s == nil || len(s.Files()) != files {
					t.Errorf("%s is shown with %v, want %d files", id, s.Files(), files)
				}
			}
		})
	}
}
