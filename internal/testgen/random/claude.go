package random

import (
	"fmt"
	"slices"
)

// Claude returns a random project of Claude Code.
func Claude(seed uint64) *Project { return recordClaude(newRecorder(seed)) }

func recordClaude(r recorder) *Project {
	w := &claudeWriter{recorder: r}
	w.project.SharesFiles = true
	w.beginSession()
	for range w.steps(4, 14) {
		w.randomStep(pickRandom(w.randomSource, w.sessions))
	}
	w.flushPending(0)
	return w.project
}

// claudeWriter writes a project like concurrent processes of Claude Code.
type claudeWriter struct {
	recorder
	sessions []*claudeSession
	agents   []*claudeSession
	calls    int
}

// claudeSession is a session or an agent.
type claudeSession struct {
	*queuedFile
	id, agent string
	path      []claudeRecord // from the root to the current entry
	all       []claudeRecord
	version   int // 0 is the oldest; later ones add forkedFrom and progress lines
}

// claudeRecord is a line with a uuid.
type claudeRecord struct {
	uuid, typ string
	line      map[string]any
}

func (w *claudeWriter) beginSession() *claudeSession {
	s := &claudeSession{id: w.newUUID(), version: w.IntN(3)}
	s.queuedFile = w.addFile(s.id + ".jsonl")
	w.sessions = append(w.sessions, s)
	w.project.Sessions = append(w.project.Sessions, s.name)
	w.addMetadata(s)
	return s
}

// maxForks limits the sessions made by forks and resumptions.
const maxForks = 1000

// randomStep performs one random action in a session.
func (w *claudeWriter) randomStep(s *claudeSession) {
	switch n := w.IntN(20); {
	case n < 9:
		w.addTurn(s)
	case n < 12 && len(s.path) > 2:
		s.path = slices.Clone(s.path[:1+w.IntN(len(s.path)-1)]) // a rewind writes nothing
		w.addTurn(s)
	case n < 13 && len(s.path) > 3 && w.room(len(w.sessions), maxForks):
		w.forkSession(s)
	case n < 14 && len(s.path) > 1 && w.room(len(w.sessions), maxForks):
		w.resumeSession(s)
	case n < 16 && len(s.path) > 2:
		w.addCompaction(s)
	case n < 17:
		w.addCommand(s)
	case n < 18 && w.room(len(w.sessions), 4):
		w.beginSession()
	default:
		w.addTurn(s)
	}
	w.flushPending(w.IntN(4))
}

// addRecord records a line with a uuid below the current entry.
func (w *claudeWriter) addRecord(s *claudeSession, typ string, more map[string]any) claudeRecord {
	r := w.recordLine(s, typ, more)
	s.path = append(s.path, r)
	return r
}

// recordLine writes a line with a uuid. Its parent is that in more, else the current
// entry.
func (w *claudeWriter) recordLine(s *claudeSession, typ string, more map[string]any) claudeRecord {
	var parent any
	if len(s.path) > 0 {
		parent = s.path[len(s.path)-1].uuid
	}
	r := claudeRecord{uuid: w.newUUID(), typ: typ}
	r.line = map[string]any{"type": typ, "uuid": r.uuid, "parentUuid": parent, "sessionId": s.id, "isSidechain": s.agent != "", "timestamp": w.nextTimestamp(),
		"cwd": "/home/dev/proj", "version": []string{"1.0.24", "2.1.80", "2.1.330"}[s.version]}
	if s.agent != "" {
		r.line["agentId"] = s.agent
	}
	for k, v := range more {
		r.line[k] = v
	}
	w.corruptLine(s, r.line)
	s.all = append(s.all, r)
	w.writeLine(s.queuedFile, r.line)
	return r
}

// corruptLine corrupts a line at random.
func (w *claudeWriter) corruptLine(s *claudeSession, line map[string]any) {
	if w.project.Tidy {
		return
	}
	switch w.IntN(40) {
	case 0:
		line["parentUuid"] = w.newUUID() // of a deleted file
	case 1:
		delete(line, "timestamp")
	case 2:
		if len(s.all) > 0 {
			line["parentUuid"] = pickRandom(w.randomSource, s.all).uuid
		}
	case 3:
		if other := pickRandom(w.randomSource, w.sessions); len(other.all) > 0 {
			line["parentUuid"] = pickRandom(w.randomSource, other.all).uuid
		}
	}
}

// addMetadata writes some lines without a uuid, as Claude Code does between others.
func (w *claudeWriter) addMetadata(s *claudeSession) {
	for range w.IntN(4) {
		line := map[string]any{"sessionId": s.id, "type": pickRandom(w.randomSource, []string{"mode", "atis-latch", "tools-used", "cost-state", "queue-operation", "file-history-snapshot", "never-heard-of"})}
		if s.agent != "" {
			line["agentId"] = s.agent
		}
		if w.oneIn(3) {
			line["timestamp"] = w.nextTimestamp()
		}
		w.writeLine(s.queuedFile, line)
	}
	if s.agent != "" {
		return // the other kinds are only in sessions
	}
	switch w.IntN(6) {
	case 0:
		w.writeLine(s.queuedFile, map[string]any{"type": "custom-title", "customTitle": fmt.Sprint("Title ", w.IntN(100)), "sessionId": s.id})
	case 1:
		if len(s.all) > 0 {
			w.writeLine(s.queuedFile, map[string]any{"type": "last-prompt", "leafUuid": pickRandom(w.randomSource, s.all).uuid, "sessionId": s.id})
		}
	case 2:
		if other := pickRandom(w.randomSource, w.sessions); len(other.all) > 0 {
			w.writeLine(s.queuedFile, map[string]any{"type": "summary", "summary": fmt.Sprint("Summary ", w.IntN(100)), "leafUuid": pickRandom(w.randomSource, other.all).uuid})
		}
	}
}

func textMessage(role, words string) map[string]any {
	return map[string]any{"message": map[string]any{"role": role, "content": []any{map[string]any{"type": "text", "text": words}}}}
}

// addTurn adds a prompt and the agent's work.
func (w *claudeWriter) addTurn(s *claudeSession) {
	w.addMetadata(s)
	w.addRecord(s, "user", textMessage("user", fmt.Sprint("Prompt ", w.IntN(1000))))
	if w.oneIn(4) {
		w.addRecord(s, "attachment", map[string]any{"attachment": map[string]any{"type": "environment"}})
	}
	for range w.IntN(3) {
		w.addToolCalls(s)
	}
	if !w.oneIn(6) { // else it was interrupted
		w.addRecord(s, "assistant", w.newReply(s, map[string]any{"type": "text", "text": fmt.Sprint("Answer ", w.IntN(1000))}))
	}
	w.addMetadata(s)
}

// newReply returns an answer of one block.
func (w *claudeWriter) newReply(s *claudeSession, block map[string]any) map[string]any {
	w.calls++
	m := map[string]any{"message": map[string]any{"id": fmt.Sprint("msg_", w.calls), "role": "assistant", "model": "claude-test", "content": []any{block}}}
	if s.version == 2 && w.oneIn(2) {
		m["requestSessionId"] = s.id
	}
	return m
}

// addToolCalls adds one or several parallel tool calls: each call is the child of the
// previous one, and each result is the child of its own call.
func (w *claudeWriter) addToolCalls(s *claudeSession) {
	type call struct {
		claudeRecord
		use, tool string
	}
	var calls []call
	for range 1 + w.IntN(3) {
		w.calls++
		c := call{use: fmt.Sprint("toolu_", w.calls), tool: pickRandom(w.randomSource, []string{"Bash", "Read", "Bash", "Task", "Agent"})}
		c.claudeRecord = w.addRecord(s, "assistant", w.newReply(s, map[string]any{"type": "tool_use", "id": c.use, "name": c.tool, "input": map[string]any{"prompt": "Look " + c.use}}))
		calls = append(calls, c)
	}
	for _, c := range calls {
		result := map[string]any{"parentUuid": c.uuid, "message": map[string]any{"role": "user",
			"content": []any{map[string]any{"type": "tool_result", "tool_use_id": c.use, "content": "done"}}}}
		if c.tool == "Task" || c.tool == "Agent" {
			if id := w.startAgent(s, c.use); id != "" && !w.oneIn(3) {
				result["toolUseResult"] = map[string]any{"agentId": id}
			}
		}
		if w.oneIn(8) {
			continue // no result was recorded
		}
		r := w.recordLine(s, "user", result)
		s.path = append(s.path, r)
		switch {
		case s.version == 1 && w.oneIn(4):
			w.recordLine(s, "progress", map[string]any{"data": map[string]any{"type": "hook_progress"}})
		case w.oneIn(5):
			w.addRecord(s, "attachment", map[string]any{"attachment": map[string]any{"type": "hook_success"}})
		}
	}
}
