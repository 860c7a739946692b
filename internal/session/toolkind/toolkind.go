// Package toolkind says what the tools of agents do, by their names.
package toolkind

import (
	"cmp"
	"strings"
)

// kinds maps the names of tools to kinds.
var kinds = map[string]string{
	"bash": "bash", "shell": "bash", "exec": "bash", "ssh": "bash",
	"read": "read", "read_file": "read",
	"edit": "edit", "multiedit": "edit", "multi_edit": "edit", "str_replace": "edit", "patch": "edit", "notebookedit": "edit",
	"write": "write", "write_file": "write",
	"task": "agent", "agent": "agent", "workflow": "script",
	"webfetch": "web", "websearch": "web", "web_search": "web", "fetch": "web",
	"todowrite": "todo", "todo_write": "todo", "todo": "todo",
	"exitplanmode": "plan", "exit_plan_mode": "plan",
	"askuserquestion": "ask", "ask": "ask",
	"skill": "skill", "eval": "code", "python": "code",
	"grep": "search", "find": "search", "ls": "search", "glob": "search", "search": "search", "toolsearch": "search", "ast_grep": "search",
}

// Of returns what the tool of a name does, in one word: "tool" if the name is unknown.
func Of(name string) string { return cmp.Or(kinds[strings.ToLower(name)], "tool") }

// ChangesFiles reports whether a tool changes the file that its calls name.
func ChangesFiles(name string) bool {
	kind := Of(name)
	return kind == "edit" || kind == "write"
}

// AsksUser reports whether a tool waits for an answer of the user.
func AsksUser(name string) bool {
	kind := Of(name)
	return kind == "ask" || kind == "plan"
}

// StartsAgent reports whether a tool runs a sub-agent, which may take long.
func StartsAgent(name string) bool {
	kind := Of(name)
	return kind == "agent" || kind == "script"
}

// SplitServer splits the name of a tool that a server offers, "mcp__SERVER__TOOL". The server
// is "" for other names.
func SplitServer(name string) (server, tool string) {
	rest, ok := strings.CutPrefix(name, "mcp__")
	server, tool, found := strings.Cut(rest, "__")
	if !ok || !found || server == "" || tool == "" {
		return "", name
	}
	return server, tool
}
