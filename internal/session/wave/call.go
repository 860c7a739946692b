package wave

import (
	"strconv"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

const (
	maxArg   = 50   // UTF-16 units of an argument that a row shows
	maxLine  = 160  // of a command on one line
	maxAsked = 4096 // of what an agent was asked, by which its file is found
)

// call reduces a tool block to a row: its name, the argument that tells most, and
// what came of it, which the block holds too.
func (b *block) call(n int, home string) session.ToolCall {
	c := session.ToolCall{ID: b.callID(n), Name: word(b.name), Outcome: b.outcome()}
	args := params(b.params)
	o := jsonl.Fields(args)
	for _, key := range telling {
		v := o.Get(key)
		if !v.IsString() || v.Blank() {
			continue
		}
		c.Arg = short(v, maxArg)
		switch key {
		case "file_path", "path":
			c.Arg = session.HomePath(v.Text(), home)
		case "command":
			if c.Line = short(v, maxLine); c.Line == c.Arg {
				c.Line = ""
			}
		}
		return c
	}
	if c.Arg = short(b.compact, maxArg); c.Arg == "" {
		out, _ := jsonl.AppendCompact(nil, args, 40)
		c.Arg = string(out)
	}
	return c
}

// telling are the arguments of Wave's tools, those that tell most first.
var telling = []string{"file_path", "path", "command", "pattern", "description", "query", "url", "subject", "skill_name", "bash_id",
	"task_id", "taskId", "prompt"}

// callID is the id of the n-th call of a message, by its place when it has none.
func (b *block) callID(n int) string { return callID(b.id.Text(), n) }

func callID(id string, n int) string {
	if id == "" {
		return "tool-" + strconv.Itoa(n)
	}
	return id
}

// outcome is what came of a call.
func (b *block) outcome() *session.Outcome {
	o := &session.Outcome{Unsent: !b.sentAsCall(), Images: len(jsonl.Elements(b.images)) > 0}
	switch {
	case b.success.Kind() == 'f' || b.failure.Truthy():
		o.Failed, o.Status = true, "failed"
	case b.unfinished():
		o.Status = unfinished
	case b.job.IsString():
		o.Status = "in the background"
	}
	return o
}

// params is what a call was given. Wave records it as a string that holds JSON; one
// that was cut off is answered as the string.
func params(v jsonl.Value) jsonl.Value {
	if !v.IsString() {
		return v
	}
	c := jsonl.Open([]byte(v.Text()))
	if inner := c.Value(); c.End() == nil {
		return inner
	}
	return v
}

// ask is what an agent was started with.
func (b *block) ask() ask {
	o := jsonl.Fields(params(b.params))
	return ask{prompt: string(jsonl.AppendText(nil, o.Get("prompt"), maxAsked)), title: short(o.Get("description"), maxPreview)}
}
