package wave

import (
	"strconv"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

const (
	maxArgument    = 50   // UTF-16 units of an argument in a row
	maxCommandLine = 160  // UTF-16 units of a command in a row
	maxPrompt      = 4096 // UTF-16 units of an agent's prompt, by which its file is found
)

// makeToolCall returns the row of a tool block: its name, its most informative argument and its
// outcome, which is in the same block. args are the parsed parameters.
func (b *block) makeToolCall(n int, args jsonl.Value, home string) session.ToolCall {
	c := session.ToolCall{ID: b.callIDOr(n), Name: shortName(b.name), Outcome: b.callOutcome()}
	o := jsonl.ObjectFields(args)
	for _, key := range argumentKeys {
		v := o.Get(key)
		if !v.IsString() || v.IsBlank() {
			continue
		}
		c.Arg = rowString(v, maxArgument)
		switch key {
		case "file_path", "path", "filePath", "target_file":
			c.Arg = session.HomePath(v.Text(), home)
		case "command":
			if c.CommandLine = rowString(v, maxCommandLine); c.CommandLine == c.Arg {
				c.CommandLine = ""
			}
		}
		return c
	}
	if c.Arg = rowString(b.compact, maxArgument); c.Arg == "" {
		c.Arg = formatList(o)
	}
	if c.Arg == "" {
		out, _ := jsonl.AppendCompact(nil, args, 40)
		c.Arg = string(out)
	}
	return c
}

// argumentKeys are the arguments of Wave's tools, the most informative first.
var argumentKeys = []string{"file_path", "path", "filePath", "target_file", "command", "pattern", "description", "query", "url", "subject",
	"skill_name", "bash_id", "task_id", "taskId", "prompt"}

// formatList returns the first question of a call, or how many items of its todo list are done.
func formatList(o jsonl.Object) string {
	if questions := jsonl.ArrayElements(o.Get("questions")); len(questions) > 0 {
		return rowString(jsonl.ObjectFields(questions[0]).Get("question"), maxArgument)
	}
	todos, done := jsonl.ArrayElements(o.Get("todos")), 0
	for _, item := range todos {
		if jsonl.ObjectFields(item).Get("status").Is("completed") {
			done++
		}
	}
	if len(todos) == 0 {
		return ""
	}
	return strconv.Itoa(done) + " of " + strconv.Itoa(len(todos)) + " done"
}

// callIDOr returns the id of the n-th call of a message, one made of n if it has none.
func (b *block) callIDOr(n int) string { return callIDOrNumber(b.id.Text(), n) }

func callIDOrNumber(id string, n int) string {
	if id == "" {
		return "tool-" + strconv.Itoa(n)
	}
	return id
}

// callOutcome returns the outcome of a call.
func (b *block) callOutcome() *session.Outcome {
	o := &session.Outcome{Unsent: !b.isSentAsCall(), HasImages: len(jsonl.ArrayElements(b.images)) > 0}
	switch {
	case b.success.Kind() == 'f' || b.failure.IsTruthy():
		o.Failed, o.Status = true, "failed"
	case b.isUnfinished():
		o.Status = statusUnfinished
	case b.job.IsString():
		o.Status = "in the background"
	}
	return o
}

// parseParameters returns the parameters of a call, which Wave records as a string of JSON. If the
// JSON is cut off, it returns the string.
func parseParameters(v jsonl.Value) jsonl.Value {
	if !v.IsString() {
		return v
	}
	c := jsonl.NewCursor([]byte(v.Text()))
	if inner := c.Value(); c.End() == nil {
		return inner
	}
	return v
}

// parseSpawnRequest returns the prompt and the title of a call that starts an agent.
func parseSpawnRequest(args jsonl.Value) spawnRequest {
	o := jsonl.ObjectFields(args)
	return spawnRequest{prompt: string(jsonl.AppendText(nil, o.Get("prompt"), maxPrompt)), title: rowString(o.Get("description"), maxPreview)}
}
