package view

import (
	"cmp"
	"strings"

	"sessiontree/internal/session"
)

// toolKinds maps the names of tools to kinds.
var toolKinds = map[string]string{
	"bash": "bash", "shell": "bash", "exec": "bash",
	"read": "read", "read_file": "read",
	"edit": "edit", "multiedit": "edit", "multi_edit": "edit", "str_replace": "edit", "patch": "edit",
	"write": "write", "write_file": "write",
	"notebookedit": "edit", "toolsearch": "search",
	"task": "agent", "agent": "agent", "webfetch": "web", "websearch": "web",
	"todowrite": "todo", "exitplanmode": "plan", "askuserquestion": "ask", "workflow": "script",
	"grep": "search", "find": "search", "ls": "search", "glob": "search", "search": "search", "web_search": "search",
}

// ToolKind returns what the tool of a name does, in one word that selects its icon: "tool" if
// the name is unknown.
func ToolKind(name string) string { return cmp.Or(toolKinds[strings.ToLower(name)], "tool") }

// CallOutcome returns the outcome of an entry's n-th call if the entry itself records it,
// otherwise nil.
func CallOutcome(e *session.Entry, n int) *session.Outcome {
	if n >= len(e.Calls()) {
		return nil
	}
	return e.Calls()[n].Outcome
}
