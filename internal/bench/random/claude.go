package random

import (
	"fmt"
	"slices"
	"strings"
)

// Claude returns a project of Claude Code.
func Claude(seed uint64) *Project {
	w := &claude{recorder: newRecorder(seed)}
	w.project.Joined = true
	w.begin()
	for range 4 + w.IntN(14) {
		w.step(pick(w.dice, w.sessions))
	}
	w.drain(0)
	return w.project
}

// claude is the processes of Claude Code that work in a project.
type claude struct {
	recorder
	sessions []*claudeSession
	agents   []*claudeSession
	calls    int
}

// claudeSession is a session, or an agent.
type claudeSession struct {
	*file
	id, agent string
	path      []record // from the root to where it stands
	all       []record
	version   int // 0 the oldest: forkedFrom and progress lines come later
}

// record is a line with a uuid.
type record struct {
	uuid, typ string
	line      map[string]any
}

func (w *claude) begin() *claudeSession {
	s := &claudeSession{id: w.uuid(), version: w.IntN(3)}
	s.file = w.newFile(s.id + ".jsonl")
	w.sessions = append(w.sessions, s)
	w.project.Sessions = append(w.project.Sessions, s.name)
	w.metadata(s)
	return s
}

// step is one thing that somebody does in a session.
func (w *claude) step(s *claudeSession) {
	switch n := w.IntN(20); {
	case n < 9:
		w.turn(s)
	case n < 12 && len(s.path) > 2:
		s.path = slices.Clone(s.path[:1+w.IntN(len(s.path)-1)]) // rewound: nothing is written
		w.turn(s)
	case n < 13 && len(s.path) > 3:
		w.fork(s)
	case n < 14 && len(s.path) > 1:
		w.resume(s)
	case n < 16 && len(s.path) > 2:
		w.compact(s)
	case n < 17:
		w.command(s)
	case n < 18 && len(w.sessions) < 4:
		w.begin()
	default:
		w.turn(s)
	}
	w.drain(w.IntN(4))
}

// say records a line with a uuid below where the session stands.
func (w *claude) say(s *claudeSession, typ string, more map[string]any) record {
	r := w.record(s, typ, more)
	s.path = append(s.path, r)
	return r
}

// record writes a line with a uuid. Its parent is what more says, else where the
// session stands.
func (w *claude) record(s *claudeSession, typ string, more map[string]any) record {
	var parent any
	if len(s.path) > 0 {
		parent = s.path[len(s.path)-1].uuid
	}
	r := record{uuid: w.uuid(), typ: typ}
	r.line = map[string]any{"type": typ, "uuid": r.uuid, "parentUuid": parent, "sessionId": s.id, "isSidechain": s.agent != "", "timestamp": w.now(),
		"cwd": "/home/dev/proj", "version": []string{"1.0.24", "2.1.80", "2.1.330"}[s.version]}
	if s.agent != "" {
		r.line["agentId"] = s.agent
	}
	for k, v := range more {
		r.line[k] = v
	}
	w.disturb(s, r.line)
	s.all = append(s.all, r)
	w.write(s.file, r.line)
	return r
}

// disturb makes a line what it should not be.
func (w *claude) disturb(s *claudeSession, line map[string]any) {
	if w.project.Tidy {
		return
	}
	switch w.IntN(40) {
	case 0:
		line["parentUuid"] = w.uuid() // of a file that is gone
	case 1:
		delete(line, "timestamp")
	case 2:
		if len(s.all) > 0 {
			line["parentUuid"] = pick(w.dice, s.all).uuid
		}
	case 3:
		if other := pick(w.dice, w.sessions); len(other.all) > 0 {
			line["parentUuid"] = pick(w.dice, other.all).uuid
		}
	}
}

// metadata writes some of the lines without a uuid that Claude Code writes between
// others.
func (w *claude) metadata(s *claudeSession) {
	for range w.IntN(4) {
		line := map[string]any{"sessionId": s.id, "type": pick(w.dice, []string{"mode", "atis-latch", "tools-used", "cost-state", "queue-operation", "file-history-snapshot", "never-heard-of"})}
		if s.agent != "" {
			line["agentId"] = s.agent
		}
		if w.one(3) {
			line["timestamp"] = w.now()
		}
		w.write(s.file, line)
	}
	if s.agent != "" {
		return // the rest is about sessions
	}
	switch w.IntN(6) {
	case 0:
		w.write(s.file, map[string]any{"type": "custom-title", "customTitle": fmt.Sprint("Title ", w.IntN(100)), "sessionId": s.id})
	case 1:
		if len(s.all) > 0 {
			w.write(s.file, map[string]any{"type": "last-prompt", "leafUuid": pick(w.dice, s.all).uuid, "sessionId": s.id})
		}
	case 2:
		if other := pick(w.dice, w.sessions); len(other.all) > 0 {
			w.write(s.file, map[string]any{"type": "summary", "summary": fmt.Sprint("Summary ", w.IntN(100)), "leafUuid": pick(w.dice, other.all).uuid})
		}
	}
}

func text(role, words string) map[string]any {
	return map[string]any{"message": map[string]any{"role": role, "content": []any{map[string]any{"type": "text", "text": words}}}}
}

// turn is a prompt and what the agent makes of it.
func (w *claude) turn(s *claudeSession) {
	w.metadata(s)
	w.say(s, "user", text("user", fmt.Sprint("Prompt ", w.IntN(1000))))
	if w.one(4) {
		w.say(s, "attachment", map[string]any{"attachment": map[string]any{"type": "environment"}})
	}
	for range w.IntN(3) {
		w.answer(s)
	}
	if !w.one(6) { // else it was interrupted
		w.say(s, "assistant", w.reply(s, map[string]any{"type": "text", "text": fmt.Sprint("Answer ", w.IntN(1000))}))
	}
	w.metadata(s)
}

// reply is an answer of one block.
func (w *claude) reply(s *claudeSession, block map[string]any) map[string]any {
	w.calls++
	m := map[string]any{"message": map[string]any{"id": fmt.Sprint("msg_", w.calls), "role": "assistant", "model": "claude-test", "content": []any{block}}}
	if s.version == 2 && w.one(2) {
		m["requestSessionId"] = s.id
	}
	return m
}

// answer calls tools, one or several at once: the calls follow one another, and each
// result hangs on its own call.
func (w *claude) answer(s *claudeSession) {
	type call struct {
		record
		use, tool string
	}
	var calls []call
	for range 1 + w.IntN(3) {
		w.calls++
		c := call{use: fmt.Sprint("toolu_", w.calls), tool: pick(w.dice, []string{"Bash", "Read", "Bash", "Task", "Agent"})}
		c.record = w.say(s, "assistant", w.reply(s, map[string]any{"type": "tool_use", "id": c.use, "name": c.tool, "input": map[string]any{"prompt": "Look " + c.use}}))
		calls = append(calls, c)
	}
	for _, c := range calls {
		result := map[string]any{"parentUuid": c.uuid, "message": map[string]any{"role": "user",
			"content": []any{map[string]any{"type": "tool_result", "tool_use_id": c.use, "content": "done"}}}}
		if c.tool == "Task" || c.tool == "Agent" {
			if id := w.spawn(s, c.use); id != "" && !w.one(3) {
				result["toolUseResult"] = map[string]any{"agentId": id}
			}
		}
		if w.one(8) {
			continue // it never returned
		}
		r := w.record(s, "user", result)
		s.path = append(s.path, r)
		switch {
		case s.version == 1 && w.one(4):
			w.record(s, "progress", map[string]any{"data": map[string]any{"type": "hook_progress"}})
		case w.one(5):
			w.say(s, "attachment", map[string]any{"attachment": map[string]any{"type": "hook_success"}})
		}
	}
}

// spawn has an agent work in a file of its own, where versions put them.
func (w *claude) spawn(s *claudeSession, use string) string {
	if w.one(5) || len(w.agents) > 5 {
		return ""
	}
	a := &claudeSession{id: s.id, agent: fmt.Sprintf("a%08x", w.Uint32()), version: s.version}
	base := s.id + "/subagents/agent-" + a.agent
	if s.version == 0 {
		base = "agent-" + a.agent
	}
	a.file = w.newFile(base + ".jsonl")
	w.agents = append(w.agents, a)
	if s.version > 0 && !w.one(4) {
		w.project.Side[base+".meta.json"] = fmt.Sprintf(`{"agentType":"general","description":"Look %d","toolUseId":%q}`, w.IntN(10), use)
	}
	w.metadata(a)
	w.say(a, "user", text("user", "Look "+use))
	for range w.IntN(3) {
		w.answer(a)
	}
	w.say(a, "assistant", w.reply(a, map[string]any{"type": "text", "text": "Seen"}))
	w.metadata(a)
	return a.agent
}

// fork copies the path of a session into a new one that goes on by itself, in one of
// the ways in which versions have done so.
func (w *claude) fork(s *claudeSession) {
	n := w.begin()
	n.version = s.version
	for _, r := range s.path {
		line := map[string]any{}
		for k, v := range r.line {
			line[k] = v
		}
		line["sessionId"] = n.id
		switch from, _ := r.line["sessionId"].(string); s.version {
		case 1:
			line["forkedFrom"] = map[string]any{"sessionId": from, "messageUuid": r.uuid}
		case 2:
			if _, told := line["requestSessionId"]; r.typ == "assistant" && !told {
				line["requestSessionId"] = from
			}
		}
		n.path, n.all = append(n.path, record{r.uuid, r.typ, line}), append(n.all, record{r.uuid, r.typ, line})
		w.write(n.file, line)
	}
	if w.one(2) {
		w.turn(n)
	}
}

// resume goes on from a session in a new file.
func (w *claude) resume(s *claudeSession) {
	n := w.begin()
	n.version, n.path = s.version, slices.Clone(s.path)
	w.turn(n)
}

// compact summarises what was said.
func (w *claude) compact(s *claudeSession) {
	leaf := s.path[len(s.path)-1].uuid
	meta := map[string]any{"trigger": "manual", "preTokens": 1000}
	if w.one(2) {
		kept := s.path[max(0, len(s.path)-1-w.IntN(4)):]
		var ids []string
		for _, r := range kept {
			ids = append(ids, r.uuid)
		}
		meta["preservedMessages"] = map[string]any{"uuids": ids}
	}
	s.path = nil
	boundary := map[string]any{"subtype": "compact_boundary", "content": "Conversation compacted", "parentUuid": nil, "logicalParentUuid": leaf, "compactMetadata": meta}
	if !w.project.Tidy && w.one(6) {
		delete(boundary, "logicalParentUuid")
	}
	w.say(s, "system", boundary)
	summary := text("user", "This session is being continued from a previous conversation that ran out of context. "+strings.Repeat("So it was. ", 1+w.IntN(3)))
	summary["isCompactSummary"] = true
	w.say(s, "user", summary)
}

// command is a command of the prompt line: it hangs on a caveat.
func (w *claude) command(s *claudeSession) {
	path := s.path
	caveat := text("user", "<local-command-caveat>Caveat: The messages below were generated by the user</local-command-caveat>")
	caveat["isMeta"] = true
	if w.one(3) {
		caveat["parentUuid"] = nil
	}
	w.say(s, "user", caveat)
	w.say(s, "user", text("user", "<command-name>/doctor</command-name>"))
	w.say(s, "system", map[string]any{"subtype": "local_command", "content": "<local-command-stdout>fine</local-command-stdout>"})
	if w.one(2) {
		s.path = path
	}
}
