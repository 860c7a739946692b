package claude

import (
	"fmt"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/toolresult"
	"sessiontree/internal/session/jsonl"
)

const (
	maxArgument    = 50  // UTF-16 units of an argument in a row
	maxCommandLine = 160 // UTF-16 units of a command in a row
)

// toolCall returns the row of a tool call: its name and its most informative argument.
func (l *line) toolCall(b *block, home string) session.ToolCall {
	c := session.ToolCall{ID: l.interner.Intern(b.id), Name: l.internName(b.name)}
	l.innerCursor.Reset(b.input.Raw)
	l.innerFields = jsonl.AppendFields(l.innerFields[:0], &l.innerCursor)
	o := l.innerFields
	if say := argumentFormatters[c.Name]; say != nil {
		c.Arg = say(o)
	}
	for i := 0; i < len(argumentKeys) && c.Arg == ""; i++ {
		v := o.Get(argumentKeys[i])
		if !v.IsString() || v.IsBlank() {
			continue
		}
		c.Arg = rowString(v, maxArgument)
		switch argumentKeys[i] {
		case "file_path", "path", "notebook_path":
			c.Arg = session.HomePath(v.Text(), home) + formatLineRange(o)
		case "command":
			c.CommandLine = rowString(v, maxCommandLine)
			if c.CommandLine == c.Arg {
				c.CommandLine = ""
			}
		}
	}
	if c.Arg == "" && strings.HasPrefix(c.Name, "mcp__") {
		c.Arg = firstText(o)
	}
	if c.Arg == "" {
		out, _ := jsonl.AppendCompact(nil, b.input, 40)
		if c.Arg = string(out); c.Arg == "{}" {
			c.Arg = ""
		}
	}
	return c
}

// argumentKeys are the arguments of known tools, the most informative first.
var argumentKeys = []string{"file_path", "notebook_path", "command", "pattern", "subject", "description", "query", "url", "skill",
	"path", "shell_id", "bash_id", "task_id", "taskId", "prompt", "to", "name", "plan"}

// argumentFormatters are for tools whose row combines several arguments.
var argumentFormatters = map[string]func(jsonl.Object) string{
	"TodoWrite":       formatTodoProgress,
	"AskUserQuestion": formatQuestions,
	"ExitPlanMode": func(o jsonl.Object) string {
		return flattenText(cutRow(toolresult.PlanTitle(o.Text("plan")), maxArgument))
	},
	"SendMessage": formatRecipient,
	"TaskUpdate":  formatTaskUpdate,
	"TeamCreate":  func(o jsonl.Object) string { return rowString(o.Get("team_name"), maxArgument) },
	"Workflow":    findWorkflowName,
	"CronCreate": func(o jsonl.Object) string {
		return joinNonEmpty(" ", rowString(o.Get("cron"), maxArgument), rowString(o.Get("prompt"), maxArgument))
	},
	"ScheduleWakeup": func(o jsonl.Object) string { return rowString(o.Get("reason"), maxArgument) },
}

// formatTodoProgress returns how many items of a to-do list are done.
func formatTodoProgress(o jsonl.Object) string {
	all, done := 0, 0
	for _, item := range jsonl.ArrayElements(o.Get("todos")) {
		if all++; item.Kind() == '{' && jsonl.ObjectFields(item).Text("status") == "completed" {
			done++
		}
	}
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d done", done, all)
}

// firstText returns the first argument that is a text: tools of servers have names of their own.
func firstText(o jsonl.Object) string {
	for _, f := range o {
		if f.Value.IsString() && !f.Value.IsBlank() {
			return rowString(f.Value, maxArgument)
		}
	}
	return ""
}

// formatQuestions returns the first question and the number of others.
func formatQuestions(o jsonl.Object) string {
	list := jsonl.ArrayElements(o.Get("questions"))
	if len(list) == 0 {
		return rowString(o.Get("question"), maxArgument)
	}
	text := rowString(jsonl.ObjectFields(list[0]).Get("question"), maxArgument)
	if more := len(list) - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func formatRecipient(o jsonl.Object) string {
	to, about := o.Text("to"), rowString(o.Get("summary"), maxArgument)
	if to == "" {
		to = o.Text("recipient")
	}
	for _, key := range []string{"message", "content", "type"} {
		if about == "" {
			about = rowString(o.Get(key), maxArgument)
		}
	}
	return joinNonEmpty(": ", flattenText(cutRow(to, maxArgument)), about)
}

func formatTaskUpdate(o jsonl.Object) string {
	about := rowString(o.Get("status"), maxArgument)
	if about == "" {
		about = rowString(o.Get("subject"), maxArgument)
	}
	return joinNonEmpty(" ", "#"+flattenText(cutRow(o.Text("taskId"), maxArgument)), underscoresToSpaces(about))
}

// findWorkflowName returns the name of a workflow, which its script declares at the start.
func findWorkflowName(o jsonl.Object) string {
	if name := rowString(o.Get("name"), maxArgument); name != "" {
		return name
	}
	_, rest, ok := strings.Cut(cutRow(o.Text("script"), 4096), "name:")
	rest = strings.TrimLeft(rest, " ")
	if !ok || rest == "" || !strings.ContainsRune(`'"`+"`", rune(rest[0])) {
		return ""
	}
	name, _, _ := strings.Cut(rest[1:], rest[:1])
	return flattenText(cutRow(name, maxArgument))
}

func joinNonEmpty(with, a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + with + b
}

// formatLineRange returns the range of lines that a call reads, or "".
func formatLineRange(o jsonl.Object) string {
	from, hasFrom := o.Get("offset").Number()
	n, hasN := o.Get("limit").Number()
	if !hasFrom {
		from = 1
	}
	switch {
	case hasN:
		return fmt.Sprintf(":%d-%d", int64(from), int64(from+n-1))
	case hasFrom:
		return fmt.Sprintf(":%d", int64(from))
	}
	return ""
}
