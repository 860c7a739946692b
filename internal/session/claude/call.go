package claude

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

const (
	maxArg  = 50  // UTF-16 units of an argument that a row shows
	maxLine = 160 // of a command on one line
)

// call reduces a tool call to a row: its name and the argument that tells most.
func call(b *block, home string) session.ToolCall {
	c := session.ToolCall{ID: b.id.Text(), Name: word(b.name)}
	o := jsonl.Fields(b.input)
	for _, key := range telling {
		v := o.Get(key)
		if !v.IsString() || v.Blank() {
			continue
		}
		c.Arg = short(v, maxArg)
		switch key {
		case "file_path", "path", "notebook_path":
			c.Arg = shorten(v.Text(), home)
		case "command":
			c.Line = short(v, maxLine)
			if c.Line == c.Arg {
				c.Line = ""
			}
		}
		return c
	}
	out, _ := jsonl.AppendCompact(nil, b.input, 40)
	c.Arg = string(out)
	return c
}

// telling are the arguments of the tools known, the ones that tell most first.
var telling = []string{"file_path", "notebook_path", "command", "pattern", "description", "query", "url", "subject", "skill",
	"path", "shell_id", "bash_id", "task_id", "taskId", "prompt", "to", "name", "plan"}

// shorten shows the home directory as "~".
func shorten(path, home string) string {
	if rest, ok := strings.CutPrefix(path, home); ok && home != "" && (rest == "" || rest[0] == '/') {
		return "~" + rest
	}
	return path
}
