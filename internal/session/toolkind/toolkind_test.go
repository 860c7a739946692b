package toolkind

import "testing"

func TestOf(t *testing.T) {
	for _, c := range []struct {
		name, kind             string
		changes, asks, isAgent bool
	}{
		{"Edit", "edit", true, false, false},
		{"write_file", "write", true, false, false},
		{"Bash", "bash", false, false, false},
		{"AskUserQuestion", "ask", false, true, false},
		{"ExitPlanMode", "plan", false, true, false},
		{"ask", "ask", false, true, false},
		{"NotebookEdit", "edit", true, false, false},
		{"WebSearch", "web", false, false, false},
		{"todo", "todo", false, false, false},
		{"eval", "code", false, false, false},
		{"Task", "agent", false, false, true},
		{"mcp__x", "tool", false, false, false},
	} {
		if Of(c.name) != c.kind || ChangesFiles(c.name) != c.changes || AsksUser(c.name) != c.asks || StartsAgent(c.name) != c.isAgent {
			t.Errorf("%s: %s, changes files %v, asks %v, is an agent %v", c.name, Of(c.name), ChangesFiles(c.name), AsksUser(c.name), StartsAgent(c.name))
		}
	}
}

func TestSplitServer(t *testing.T) {
	for name, want := range map[string][2]string{
		"mcp__linear__get_issue": {"linear", "get_issue"}, "mcp__a__b__c": {"a", "b__c"},
		"mcp__linear": {"", "mcp__linear"}, "Bash": {"", "Bash"}, "mcp____x": {"", "mcp____x"}, "a__b": {"", "a__b"},
	} {
		if server, tool := SplitServer(name); server != want[0] || tool != want[1] {
			t.Errorf("%s: server %q, tool %q", name, server, tool)
		}
	}
}
