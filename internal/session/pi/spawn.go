package pi

import (
	"regexp"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// taskTool starts sub-agents. Its arguments name them; where a name is taken or there is
// none, the agent makes up another one, which the result tells.
const taskTool = "task"

// spawned is what a line says of sub-agents.
type spawned struct {
	calls  []taskCall // of an answer
	ids    []string   // of a result or a message: the agents that it names
	failed bool       // of a result: the call failed
	cost   float64    // of a result: what its agents spent, which their own files say too
}

// taskCall is one call of the task tool.
type taskCall struct {
	id    string
	names []string // as asked for, "" where there is none
}

// maxTold is how much of a text is searched for the agents it names, in UTF-16 units.
const maxTold = 16 << 10

// taskCalls lists the calls among an answer's blocks that start sub-agents.
func taskCalls(blocks []block) (calls []taskCall) {
	for i := range blocks {
		b := &blocks[i]
		if b.typ.Is("toolCall") && b.name.Is(taskTool) {
			calls = append(calls, taskCall{string(shortID(jsonl.AppendID(nil, b.id))), taskNames(b.args)})
		}
	}
	return calls
}

// taskNames are the names in the arguments of a call: of several tasks, or of one.
func taskNames(args jsonl.Value) (names []string) {
	o := jsonl.Fields(args)
	tasks := jsonl.Elements(o.Get("tasks"))
	if len(tasks) == 0 {
		tasks = []jsonl.Value{args}
	}
	for _, task := range tasks {
		o := jsonl.Fields(task)
		name := o.Text("name")
		if name == "" {
			name = o.Text("id") // before oh-my-pi 18
		}
		names = append(names, strings.TrimSpace(name))
	}
	return names
}

// toldBy lists the agents that a result of the task tool names.
func (m *message) toldBy() (ids []string) {
	for _, list := range []jsonl.Value{m.details.progress, m.details.results} {
		for _, v := range jsonl.Elements(list) {
			ids = addName(ids, jsonl.Fields(v).Text("id"))
		}
	}
	if len(ids) == 0 {
		ids = idsIn(m.content.append(nil, maxTold))
	}
	return ids
}

// told is how texts name agents: in the list of those that were started, and around what
// came of one.
var told = regexp.MustCompile("(?m)^- `([^`]+)` \\(job|<task-result id=\"([^\"]+)\"")

func idsIn(text []byte) (ids []string) {
	for _, m := range told.FindAllSubmatch(text, -1) {
		ids = addName(ids, string(m[1])+string(m[2]))
	}
	return ids
}

func addName(names []string, name string) []string {
	if name = strings.TrimSpace(name); name == "" {
		return names
	}
	for _, known := range names {
		if known == name {
			return names
		}
	}
	return append(names, name)
}

// asyncResult tells of agents that came to an end after the call that started them.
func (l *line) asyncResult(e *session.Entry) {
	ids := idsIn(l.content.append(nil, maxTold))
	for _, job := range jsonl.Elements(jsonl.Fields(l.details).Get("jobs")) {
		if o := jsonl.Fields(job); o.Get("type").Is(taskTool) {
			ids = addName(ids, o.Text("jobId"))
		}
	}
	if len(ids) > 0 {
		e.Target, e.Extra = ids[0], &spawned{ids: ids}
	}
}
