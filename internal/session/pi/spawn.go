package pi

import (
	"regexp"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// taskTool is the tool that starts sub-agents. Its arguments name them. If a name is in use or
// missing, the agent chooses another one, which the result records.
const taskTool = "task"

// spawnFacts is what a line records about sub-agents.
type spawnFacts struct {
	calls  []taskCall // of an answer
	ids    []string   // of a result or a message: the named agents
	failed bool       // of a result: the call failed
	cost   float64    // of a result: the cost of its agents, which their own files record, too
}

// taskCall is one call of the task tool.
type taskCall struct {
	id    string
	names []string // requested names, "" for a task without one
}

// maxAgentText is the number of UTF-16 units of a text that are searched for names of agents.
const maxAgentText = 16 << 10

// taskCalls lists the calls that start sub-agents.
func taskCalls(blocks []block) (calls []taskCall) {
	for i := range blocks {
		b := &blocks[i]
		if b.typ.Is("toolCall") && b.name.Is(taskTool) {
			calls = append(calls, taskCall{string(shortID(jsonl.AppendID(nil, b.id))), taskNames(b.args)})
		}
	}
	return calls
}

// taskNames returns the names in a call's arguments, which describe one or several tasks.
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

// agentPattern matches names of agents in texts: in the list of started agents, and around an
// agent's result.
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

// readAsyncResult reads the agents that finished after the call that started them had returned.
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
