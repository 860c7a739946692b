package random

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Wave returns a project of Wave: several sessions of a directory and their subagents.
func Wave(seed uint64) *Project {
	w := &wave{recorder: newRecorder(seed)}
	w.begin()
	for range 4 + w.IntN(14) {
		w.step(pick(w.dice, w.sessions))
	}
	w.drain(0)
	return w.project
}

// wave is the processes of Wave that work in a directory.
type wave struct {
	recorder
	sessions []*waveSession
	agents   []*waveSession
	calls    int
}

// waveSession is the file of a session or of a subagent.
type waveSession struct {
	*file
	messages []waveMessage // as the file holds them
}

// waveMessage is a line of a file.
type waveMessage struct {
	text    string
	starts  bool // a round: a prompt begins here
	compact bool
}

const waveDir = "home-dev-proj/" // of what worked in /home/dev/proj

func (w *wave) begin() {
	s := &waveSession{file: w.newFile(waveDir + w.uuid() + ".jsonl")}
	w.sessions = append(w.sessions, s)
	w.project.Sessions = append(w.project.Sessions, s.name)
	w.header(s)
	w.turn(s)
}

// header writes the first line, which old files lack.
func (w *wave) header(s *waveSession) {
	if !w.one(4) {
		w.append(s.file, encode(map[string]any{"type": "metadata", "workdir": "/home/dev/proj", "createdAt": w.now(), "gitBranch": "main"}))
	}
}

// step is one thing that somebody does in a session.
func (w *wave) step(s *waveSession) {
	switch n := w.IntN(20); {
	case n < 2 && len(w.sessions) < 4:
		w.begin()
	case n < 5 && len(s.messages) > 2:
		w.rewind(s)
	case n < 8 && len(s.messages) > 2:
		w.compact(s)
	case n < 11:
		w.aside(s)
	case n < 13 && len(w.agents) > 0:
		w.turn(pick(w.dice, w.agents))
	default:
		w.turn(s)
	}
	w.drain(w.IntN(4))
}

// say records a message.
func (w *wave) say(s *waveSession, role string, more map[string]any, blocks ...map[string]any) {
	line := map[string]any{"id": "msg-" + w.uuid(), "role": role, "blocks": blocks, "timestamp": w.now()}
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
	m.text = w.write(s.file, line)
	s.messages = append(s.messages, m)
}

func waveText(words string) map[string]any { return map[string]any{"type": "text", "content": words} }

// turn is a prompt and what the agent makes of it.
func (w *wave) turn(s *waveSession) {
	w.say(s, "user", nil, waveText(fmt.Sprint("Prompt ", w.IntN(1000))))
	for range w.IntN(3) {
		w.answer(s)
	}
	if !w.one(6) { // else it was interrupted
		w.say(s, "assistant", map[string]any{"usage": map[string]any{"model": "made-up", "prompt_tokens": 10, "total_tokens": w.IntN(1000)}},
			map[string]any{"type": "reasoning", "content": "So."}, waveText(fmt.Sprint("Answer ", w.IntN(1000))))
	}
}

// answer calls tools, which are recorded with what came of them; some start a subagent.
func (w *wave) answer(s *waveSession) {
	var blocks []map[string]any
	var asked []string
	if w.one(2) {
		blocks = append(blocks, waveText("Let me see."))
	}
	for range 1 + w.IntN(2) {
		w.calls++
		b := map[string]any{"type": "tool", "id": fmt.Sprint("call_", w.calls), "name": "Bash", "parameters": `{"command":"ls"}`, "stage": "end", "success": true, "result": "a"}
		if w.one(8) {
			b["stage"] = "running"
		}
		if w.one(3) && !strings.Contains(s.name, "subagent-") {
			prompt := fmt.Sprint("Look for leaks in the cart, and tell me of those, part ", w.IntN(4))
			b["name"], b["parameters"] = "Agent", fmt.Sprintf(`{"description":"Leaks","prompt":%q,"subagent_type":"explore"}`, prompt)
			asked = append(asked, prompt)
		}
		blocks = append(blocks, b)
	}
	w.say(s, "assistant", nil, blocks...)
	for _, prompt := range asked {
		w.spawn(prompt)
	}
}

// spawn has a subagent work in a file of its own, which does not say whose it is.
func (w *wave) spawn(prompt string) {
	if w.one(5) || len(w.agents) > 5 {
		return
	}
	a := &waveSession{file: w.newFile(waveDir + "subagent-" + w.uuid() + ".jsonl")}
	w.agents = append(w.agents, a)
	w.header(a)
	if w.one(8) {
		prompt = "Something else"
	}
	w.say(a, "user", nil, waveText(prompt))
	for range w.IntN(3) {
		w.answer(a)
	}
	w.say(a, "assistant", nil, waveText("Seen"))
}

// compact appends a summary and the last two rounds again.
func (w *wave) compact(s *waveSession) {
	from, rounds := len(s.messages), 0
	for from > 0 && rounds < w.IntN(3) && !s.messages[from-1].compact {
		from--
		if s.messages[from].starts {
			rounds++
		}
	}
	again := slices.Clone(s.messages[from:])
	w.say(s, "assistant", map[string]any{"usage": map[string]any{"operation_type": "compact", "prompt_tokens": 10}}, map[string]any{"type": "compact", "content": fmt.Sprint("Summary ", w.IntN(100))})
	for _, m := range again {
		w.append(s.file, m.text)
	}
	s.messages = append(s.messages, again...)
}

// rewind takes messages back: the file is written anew without them, and without its
// header.
func (w *wave) rewind(s *waveSession) {
	s.messages = slices.Clone(s.messages[:w.IntN(len(s.messages))])
	var text strings.Builder
	for _, m := range s.messages {
		text.WriteString(m.text)
	}
	w.rewrite(s.file, text.String())
	if w.one(2) {
		w.turn(s)
	}
}

// aside records a message that is no turn.
func (w *wave) aside(s *waveSession) {
	switch w.IntN(6) {
	case 0:
		w.say(s, "user", nil, map[string]any{"type": "bang", "command": "ls", "output": "a", "stage": "end", "exitCode": w.IntN(2)})
	case 1:
		w.say(s, "user", map[string]any{"isMeta": true}, map[string]any{"type": "task_notification", "taskId": "t1", "taskType": "agent", "status": "completed", "summary": "Done"})
	case 2:
		w.say(s, "assistant", nil, map[string]any{"type": "error", "content": "overloaded"})
	case 3:
		w.say(s, "user", nil, map[string]any{"type": "file_history", "snapshots": []any{map[string]any{"filePath": "/home/dev/proj/a", "operation": "modify"}}})
	case 4:
		w.say(s, "user", map[string]any{"isMeta": true}, map[string]any{"type": "text", "content": "From a hook", "source": "hook"})
	default:
		w.say(s, "assistant", nil, map[string]any{"type": "never_heard_of"})
	}
}
