package claude

import (
	"fmt"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

const (
	maxArg  = 50  // UTF-16 units of an argument that a row shows
	maxLine = 160 // of a command on one line
)

// call reduces a tool call to a row: its name and the argument that tells most.
func (l *line) call(b *block, home string) session.ToolCall {
	c := session.ToolCall{ID: l.texts.Text(b.id), Name: l.word(b.name)}
	l.inner.Reset(b.input.Raw)
	l.fields = jsonl.AppendFields(l.fields[:0], &l.inner)
	o := l.fields
	if say := sayings[c.Name]; say != nil {
		c.Arg = say(o)
	}
	for i := 0; i < len(telling) && c.Arg == ""; i++ {
		v := o.Get(telling[i])
		if !v.IsString() || v.Blank() {
			continue
		}
		c.Arg = short(v, maxArg)
		switch telling[i] {
		case "file_path", "path", "notebook_path":
			c.Arg = session.HomePath(v.Text(), home) + lineRange(o)
		case "command":
			c.Line = short(v, maxLine)
			if c.Line == c.Arg {
				c.Line = ""
			}
		}
	}
	if c.Arg == "" {
		out, _ := jsonl.AppendCompact(nil, b.input, 40)
		if c.Arg = string(out); c.Arg == "{}" {
			c.Arg = ""
		}
	}
	return c
}

// telling are the arguments of the tools known, the ones that tell most first.
var telling = []string{"file_path", "notebook_path", "command", "pattern", "subject", "description", "query", "url", "skill",
	"path", "shell_id", "bash_id", "task_id", "taskId", "prompt", "to", "name", "plan"}

// sayings are the tools of which several arguments tell together.
var sayings = map[string]func(jsonl.Object) string{
	"TodoWrite":       todosDone,
	"AskUserQuestion": question,
	"ExitPlanMode":    func(o jsonl.Object) string { return strings.TrimLeft(short(o.Get("plan"), maxArg), "# ") },
	"SendMessage":     messageTo,
	"TaskUpdate":      taskUpdate,
	"TeamCreate":      func(o jsonl.Object) string { return short(o.Get("team_name"), maxArg) },
	"Workflow":        workflowName,
	"CronCreate": func(o jsonl.Object) string {
		return join(" ", short(o.Get("cron"), maxArg), short(o.Get("prompt"), maxArg))
	},
	"ScheduleWakeup": func(o jsonl.Object) string { return short(o.Get("reason"), maxArg) },
}

// todosDone counts what is done of a list.
func todosDone(o jsonl.Object) string {
	all, done := 0, 0
	for _, item := range jsonl.Elements(o.Get("todos")) {
		if all++; item.Kind() == '{' && jsonl.Fields(item).Text("status") == "completed" {
			done++
		}
	}
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d done", done, all)
}

// question is the first one asked, and how many follow.
func question(o jsonl.Object) string {
	list := jsonl.Elements(o.Get("questions"))
	if len(list) == 0 {
		return short(o.Get("question"), maxArg)
	}
	text := short(jsonl.Fields(list[0]).Get("question"), maxArg)
	if more := len(list) - 1; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func messageTo(o jsonl.Object) string {
	to, about := o.Text("to"), short(o.Get("summary"), maxArg)
	if to == "" {
		to = o.Text("recipient")
	}
	for _, key := range []string{"message", "content", "type"} {
		if about == "" {
			about = short(o.Get(key), maxArg)
		}
	}
	return join(": ", flat(cut(to, maxArg)), about)
}

func taskUpdate(o jsonl.Object) string {
	about := short(o.Get("status"), maxArg)
	if about == "" {
		about = short(o.Get("subject"), maxArg)
	}
	return join(" ", "#"+flat(cut(o.Text("taskId"), maxArg)), about)
}

// workflowName finds the name in the script, which begins with a description of
// itself.
func workflowName(o jsonl.Object) string {
	if name := short(o.Get("name"), maxArg); name != "" {
		return name
	}
	_, rest, ok := strings.Cut(cut(o.Text("script"), 4096), "name:")
	rest = strings.TrimLeft(rest, " ")
	if !ok || rest == "" || !strings.ContainsRune(`'"`+"`", rune(rest[0])) {
		return ""
	}
	name, _, _ := strings.Cut(rest[1:], rest[:1])
	return flat(cut(name, maxArg))
}

func join(with, a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + with + b
}

// lineRange words which lines of a file were asked for.
func lineRange(o jsonl.Object) string {
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
