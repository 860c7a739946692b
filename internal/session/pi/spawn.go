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

// spawnFacts is what a line says of sub-agents.
type spawnFacts struct {
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

// maxAgentText is how much of a text is searched for the agents it names, in UTF-16 units.
const maxAgentText = 16 << 10

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
	o := jsonl.ObjectFields(args)
	tasks := jsonl.ArrayElements(o.Get("tasks"))
	if len(tasks) == 0 {
		tasks = []jsonl.Value{args}
	}
	for _, task := range tasks {
		o := jsonl.ObjectFields(task)
		name := o.Text("name")
		if name == "" {
			name = o.Text("id") // before oh-my-pi 18
		}
		names = append(names, strings.TrimSpace(name))
	}
	return names
}

// resultAgents lists the agents that a result of the task tool names.
func (m *message) resultAgents() (ids []string) {
	for _, list := range []jsonl.Value{m.details.progress, m.details.results} {
		for _, v := range jsonl.ArrayElements(list) {
			ids = appendUnique(ids, jsonl.ObjectFields(v).Text("id"))
		}
	}
	if len(ids) == 0 {
		ids = findAgentIDs(m.content.appendText(nil, maxAgentText))
	}
	return ids
}

// agentPattern is how texts name agents: in the list of those that were started, and around what
// came of one.
var agentPattern = regexp.MustCompile("(?m)^- `([^`]+)` \\(job|<task-result id=\"([^\"]+)\"")

func findAgentIDs(text []byte) (ids []string) {
	for _, m := range agentPattern.FindAllSubmatch(text, -1) {
		ids = appendUnique(ids, string(m[1])+string(m[2]))
	}
	return ids
}

func appendUnique(names []string, name string) []string {
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

// readAsyncResult tells of agents that came to an end after the call that started them.
func (l *line) readAsyncResult(e *session.Entry) {
	ids := findAgentIDs(l.content.appendText(nil, maxAgentText))
	for _, job := range jsonl.ArrayElements(jsonl.ObjectFields(l.details).Get("jobs")) {
		if o := jsonl.ObjectFields(job); o.Get("type").Is(taskTool) {
			ids = appendUnique(ids, o.Text("jobId"))
		}
	}
	if len(ids) > 0 {
		e.Details.Target, e.Extra = ids[0], &spawnFacts{ids: ids}
	}
}
