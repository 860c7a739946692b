package view

import (
	"strings"
	"testing"
)

// Several agents started by one call are named by their prompts.
func TestAgentsOfOneCall(t *testing.T) {
	line := func(id, up, more string) string {
		return `{"uuid":"` + id + `","parentUuid":` + up + `,"sessionId":"s","timestamp":"2026-03-01T10:00:0` + id[1:] + `.000Z",` + more + "}\n"
	}
	said := func(id, up, agent, text string) string {
		return line(id, up, `"type":"user","isSidechain":true,"agentId":"`+agent+`","message":{"role":"user","content":"`+text+`"}`)
	}
	calls := line("u1", "null", `"type":"user","isSidechain":false,"message":{"role":"user","content":"Go"}`) +
		line("a2", `"u1"`, `"type":"assistant","isSidechain":false,"message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Task","input":{"description":"The birds","prompt":"Sing."}}]}`) +
		line("r3", `"a2"`, `"type":"user","isSidechain":false,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"Launched"}]},"toolUseResult":{"status":"async_launched","agentId":"wren"}`)
	for _, c := range []struct {
		agents string
		want   []string
	}{
		{said("x4", `"r3"`, "wren", "Sing low"), []string{"The birds"}},
		{said("x4", `"r3"`, "wren", "Sing low") + said("x5", `"r3"`, "lark", "Sing high"), []string{"Sing low", "Sing high"}},
	} {
		look(t, open(t, calls+c.agents), Params{}, func(s Scene) {
			rows := dumpRows(RowsModel(s, 0, 100).Rows)
			for _, want := range c.want {
				if !strings.Contains(rows, "<agent> "+want) {
					t.Errorf("no agent %q in\n%s", want, rows)
				}
			}
		})
	}
}
