// Package toolkind says what the tools of agents do, by their names.
package toolkind

import (
	"cmp"
	"strings"
)

// kinds maps the names of tools to kinds.
var kinds = map[string]string{
	"bash": "bash", "shell": "bash", "exec": "bash",
	"read": "read", "read_file": "read",
	"edit": "edit", "multiedit": "edit", "multi_edit": "edit", "str_replace": "edit", "patch": "edit",
	"write": "write", "write_file": "write",
	"notebookedit": "edit", "toolsearch": "search",
	"task": "agent", "agent": "agent", "webfetch": "web", "websearch": "web",
	"todowrite": "todo", "exitplanmode": "plan", "askuserquestion": "ask", "workflow": "script",
	"grep": "search", "find": "search", "ls": "search", "glob": "search", "search": "search", "web_search": "search",
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
	return kind == "ask" || kind == "plan" || strings.EqualFold(name, "ask")
}

// StartsAgent reports whether a tool runs a sub-agent, which may take long.
func StartsAgent(name string) bool {
	kind := Of(name)
	return kind == "agent" || kind == "script"
}
