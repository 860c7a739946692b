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
		{"ask", "tool", false, true, false},
		{"Task", "agent", false, false, true},
		{"mcp__x", "tool", false, false, false},
	} {
		if Of(c.name) != c.kind || ChangesFiles(c.name) != c.changes || AsksUser(c.name) != c.asks || StartsAgent(c.name) != c.isAgent {
			t.Errorf("%s: %s, changes files %v, asks %v, is an agent %v", c.name, Of(c.name), ChangesFiles(c.name), AsksUser(c.name), StartsAgent(c.name))
		}
	}
}
