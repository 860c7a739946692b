package random

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Wave returns a random project of Wave: several sessions of a directory and their
// sub-agents.
func Wave(seed uint64) *Project { return recordWave(newRecorder(seed)) }

func recordWave(r recorder) *Project {
	w := &waveWriter{recorder: r}
	w.beginSession()
	for range w.steps(4, 14) {
		w.randomStep(pickRandom(w.randomSource, w.sessions))
	}
	w.flushPending(0)
	return w.project
}

// waveWriter writes a directory like concurrent processes of Wave.
type waveWriter struct {
	recorder
	sessions []*waveSession
	agents   []*waveSession
	calls    int
}

// waveSession is the file of a session or a sub-agent.
type waveSession struct {
	*queuedFile
	messages []waveMessage // current content of the file
}

// waveMessage is a line of a file.
type waveMessage struct {
	text    string
	starts  bool // a prompt, which begins a round
	compact bool
}

const waveDir = "home-dev-proj/" // for the working directory /home/dev/proj

func (w *waveWriter) beginSession() {
	s := &waveSession{queuedFile: w.addFile(waveDir + w.newUUID() + ".jsonl")}
	w.sessions = append(w.sessions, s)
	w.project.Sessions = append(w.project.Sessions, s.name)
	w.writeHeader(s)
	w.addTurn(s)
}

// writeHeader writes the first line, which old files lack.
func (w *waveWriter) writeHeader(s *waveSession) {
	if !w.oneIn(4) {
		w.appendText(s.queuedFile, encodeLine(map[string]any{"type": "metadata", "workdir": "/home/dev/proj", "createdAt": w.nextTimestamp(), "gitBranch": "main"}))
	}
}

// randomStep performs one random action in a session.
func (w *waveWriter) randomStep(s *waveSession) {
	switch n := w.IntN(20); {
	case n < 2 && w.room(len(w.sessions), 4):
		w.beginSession()
	case n < 5 && len(s.messages) > 2:
		w.rewindSession(s)
	case n < 8 && len(s.messages) > 2:
		w.addCompaction(s)
	case n < 11:
		w.addSpecialMessage(s)
	case n < 13 && len(w.agents) > 0:
		w.addTurn(pickRandom(w.randomSource, w.agents))
	default:
		w.addTurn(s)
	}
	w.flushPending(w.IntN(4))
}

// addMessage records a message.
func (w *waveWriter) addMessage(s *waveSession, role string, more map[string]any, blocks ...map[string]any) {
	line := map[string]any{"id": "msg-" + w.newUUID(), "role": role, "blocks": blocks, "timestamp": w.nextTimestamp()}
	maps.Copy(line, more)
	if !w.project.Tidy {
		switch w.IntN(40) {
		case 0:
			delete(line, "timestamp")
		case 1:
			delete(line, "id")
		}
	}
	m := waveMessage{starts: role == "user", compact: blocks[0]["type"] == "compact"}
	m.text = w.writeLine(s.queuedFile, line)
	s.messages = append(s.messages, m)
}

func waveTextBlock(words string) map[string]any {
	return map[string]any{"type": "text", "content": words}
}

// addTurn adds a prompt and the agent's work.
func (w *waveWriter) addTurn(s *waveSession) {
	w.addMessage(s, "user", nil, waveTextBlock(fmt.Sprint("Prompt ", w.IntN(1000))))
	for range w.IntN(3) {
		w.addToolCalls(s)
	}
	if !w.oneIn(6) { // else it was interrupted
		w.addMessage(s, "assistant", map[string]any{"usage": map[string]any{"model": "made-up", "prompt_tokens": 10, "total_tokens": w.IntN(1000)}},
			map[string]any{"type": "reasoning", "content": "So."}, waveTextBlock(fmt.Sprint("Answer ", w.IntN(1000))))
	}
}

// addToolCalls adds tool calls, which are recorded with their results. Some start a
// sub-agent.
func (w *waveWriter) addToolCalls(s *waveSession) {
	var blocks []map[string]any
	var asked []string
	if w.oneIn(2) {
		blocks = append(blocks, waveTextBlock("Let me see."))
	}
	for range 1 + w.IntN(2) {
		w.calls++
		b := map[string]any{"type": "tool", "id": fmt.Sprint("call_", w.calls), "name": "Bash", "parameters": `{"command":"ls"}`, "stage": "end", "success": true, "result": "a"}
		if w.oneIn(8) {
			b["stage"] = "running"
		}
		if w.oneIn(3) && !strings.Contains(s.name, "subagent-") {
			prompt := fmt.Sprint("Look for leaks in the cart, and tell me of those, part ", w.IntN(4))
			b["name"], b["parameters"] = "Agent", fmt.Sprintf(`{"description":"Leaks","prompt":%q,"subagent_type":"explore"}`, prompt)
			asked = append(asked, prompt)
		}
		blocks = append(blocks, b)
	}
	w.addMessage(s, "assistant", nil, blocks...)
	for _, prompt := range asked {
		w.startAgent(prompt)
	}
}

// startAgent starts a sub-agent with its own file, which does not record its session.
func (w *waveWriter) startAgent(prompt string) {
	if w.oneIn(5) || len(w.agents) > 5 {
		return
	}
	a := &waveSession{queuedFile: w.addFile(waveDir + "subagent-" + w.newUUID() + ".jsonl")}
	w.agents = append(w.agents, a)
	w.writeHeader(a)
	if w.oneIn(8) {
		prompt = "Something else"
	}
	w.addMessage(a, "user", nil, waveTextBlock(prompt))
	for range w.IntN(3) {
		w.addToolCalls(a)
	}
	w.addMessage(a, "assistant", nil, waveTextBlock("Seen"))
}

// addCompaction appends a summary and the last rounds again.
func (w *waveWriter) addCompaction(s *waveSession) {
	from, rounds := len(s.messages), 0
	for from > 0 && rounds < w.IntN(3) && !s.messages[from-1].compact {
		from--
		if s.messages[from].starts {
			rounds++
		}
	}
	again := slices.Clone(s.messages[from:])
	w.addMessage(s, "assistant", map[string]any{"usage": map[string]any{"operation_type": "compact", "prompt_tokens": 10}}, map[string]any{"type": "compact", "content": fmt.Sprint("Summary ", w.IntN(100))})
	for _, m := range again {
		w.appendText(s.queuedFile, m.text)
	}
	s.messages = append(s.messages, again...)
}

// rewindSession retracts messages by rewriting the file without them and without its
// header.
func (w *waveWriter) rewindSession(s *waveSession) {
	s.messages = slices.Clone(s.messages[:w.IntN(len(s.messages))])
	var text strings.Builder
	for _, m := range s.messages {
		text.WriteString(m.text)
	}
	w.rewriteFile(s.queuedFile, text.String())
	if w.oneIn(2) {
		w.addTurn(s)
	}
}

// addSpecialMessage records a message that is no prompt or answer.
func (w *waveWriter) addSpecialMessage(s *waveSession) {
	switch w.IntN(6) {
	case 0:
		w.addMessage(s, "user", nil, map[string]any{"type": "bang", "command": "ls", "output": "a", "stage": "end", "exitCode": w.IntN(2)})
	case 1:
		w.addMessage(s, "user", map[string]any{"isMeta": true}, map[string]any{"type": "task_notification", "taskId": "t1", "taskType": "agent", "status": "completed", "summary": "Done"})
	case 2:
		w.addMessage(s, "assistant", nil, map[string]any{"type": "error", "content": "overloaded"})
	case 3:
		w.addMessage(s, "user", nil, map[string]any{"type": "file_history", "snapshots": []any{map[string]any{"filePath": "/home/dev/proj/a", "operation": "modify"}}})
	case 4:
		w.addMessage(s, "user", map[string]any{"isMeta": true}, map[string]any{"type": "text", "content": "From a hook", "source": "hook"})
	default:
		w.addMessage(s, "assistant", nil, map[string]any{"type": "never_heard_of"})
	}
}
