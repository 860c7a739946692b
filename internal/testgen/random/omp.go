package random

import (
	"fmt"
	"path"
	"strings"
)

// OMP returns random sessions of oh-my-pi with sub-agents.
func OMP(seed uint64) *Project { return recordOMP(newRecorder(seed)) }

func recordOMP(r recorder) *Project {
	w := &piWriter{recorder: r}
	w.omp = &ompWriter{piWriter: w, hasTitleSlot: w.oneIn(2), usedFiles: map[string]bool{}}
	w.omp.beginSession("")
	for range w.steps(3, 12) {
		w.omp.randomStep(pickRandom(w.randomSource, w.sessions))
	}
	w.flushPending(0)
	return w.project
}

// ompWriter contains the differences of oh-my-pi from pi.
type ompWriter struct {
	*piWriter
	hasTitleSlot bool // files begin with a title slot, as since oh-my-pi 18
	agents       []*piSession
	usedFiles    map[string]bool // names of agents' files
}

func (w *ompWriter) beginSession(parent string) *piSession {
	s := &piSession{id: w.newSessionID(), version: 3}
	s.queuedFile = w.addFile(strings.NewReplacer(":", "-", ".", "-").Replace(w.nextTimestamp()) + "_" + s.id + ".jsonl")
	w.sessions = append(w.sessions, s)
	w.project.Sessions = append(w.project.Sessions, s.name)
	w.writeHead(s, parent)
	return s
}

// newSessionID returns the id of a session. Without a title slot it has the form by which
// oh-my-pi's files are recognized.
func (w *ompWriter) newSessionID() string {
	if w.hasTitleSlot {
		return w.newUUID()
	}
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
	id := make([]byte, 21)
	for i := range id {
		id[i] = letters[w.IntN(len(letters))]
	}
	return string(id)
}

// writeHead writes the beginning of a file.
func (w *ompWriter) writeHead(s *piSession, parent string) {
	if w.hasTitleSlot {
		w.appendText(s.queuedFile, newTitleSlot(""))
	}
	w.writeHeader(s, parent)
}

// newTitleSlot returns the 256 bytes in which oh-my-pi 18 stores a title.
func newTitleSlot(title string) string {
	start := fmt.Sprintf(`{"type":"title","v":1,"title":%q,"source":"auto","updatedAt":"2026-01-01T10:00:00.000Z","pad":"`, title)
	return start + strings.Repeat(" ", 256-len(start)-3) + "\"}\n"
}

// randomStep performs one random action in a session or an agent.
func (w *ompWriter) randomStep(s *piSession) {
	if len(w.agents) > 0 && w.oneIn(3) {
		s = pickRandom(w.randomSource, w.agents)
	}
	switch n := w.IntN(20); {
	case n < 2 && w.room(len(w.sessions), 3):
		w.beginSession("")
	case n < 3 && w.room(len(w.sessions), 3):
		w.addAdvisor(s)
	case n < 5 && s.agent == "" && w.hasTitleSlot:
		w.renameSession(s)
	case n < 7:
		w.addSetting(s)
	case n < 9 && len(s.path) > 2:
		w.addCompaction(s)
	case n < 11 && len(s.all) > 1:
		w.branchRandomly(s)
	case n < 12 && len(s.all) > 0:
		w.addLabel(s)
	default:
		w.addTurn(s)
	}
	w.flushPending(w.IntN(4))
}

// renameSession records a title and overwrites the slot.
func (w *ompWriter) renameSession(s *piSession) {
	title := fmt.Sprint("Title ", w.IntN(100))
	w.addEntry(s, "title_change", map[string]any{"title": title, "source": "user"})
	if w.oneIn(4) {
		return // it was stopped between the two writes
	}
	text := ""
	for _, l := range w.project.Lines {
		if l.File == s.name && l.Rewrite {
			text = ""
		}
		if l.File == s.name {
			text += l.Text
		}
	}
	for _, l := range s.pending {
		if l.Rewrite {
			text = ""
		}
		text += l.Text
	}
	slot := newTitleSlot(title)
	w.rewriteFile(s.queuedFile, slot+text[len(slot):])
}

// newSetting returns a line that only oh-my-pi writes.
func (w *ompWriter) newSetting(s *piSession) map[string]any {
	lines := []map[string]any{
		{"type": "model_change", "model": "made-up/" + pickRandom(w.randomSource, []string{"one", "two"}), "role": pickRandom(w.randomSource, []string{"default", "smol"})},
		{"type": "mode_change", "mode": "plan"},
		{"type": "reset_boundary"},
		{"type": "ttsr_injection", "injectedRules": []string{"be kind"}},
	}
	if name := w.startedAgent(s); name != "" {
		lines = append(lines, map[string]any{"type": "custom_message", "customType": "async-result", "display": true,
			"content": fmt.Sprintf("<task-result id=%q agent=\"task\">\ndone\n</task-result>", name)})
	}
	return pickRandom(w.randomSource, lines)
}

// startedAgent returns a started agent, "" if there is none.
func (w *ompWriter) startedAgent(*piSession) string {
	if len(w.agents) == 0 {
		return ""
	}
	return pickRandom(w.randomSource, w.agents).agent
}

// newTaskCall returns a call that starts agents, and a function that records its result.
func (w *ompWriter) newTaskCall(s *piSession, call string) (block map[string]any, result func()) {
	var tasks, progress []any
	var list strings.Builder
	for range 1 + w.IntN(2) {
		asked := pickRandom(w.randomSource, []string{"Looker", "Looker", "Second", ""})
		tasks = append(tasks, map[string]any{"name": asked, "task": "look"})
		name := w.unusedAgentName(s, asked)
		if w.oneIn(5) || len(w.agents) > 5 {
			continue // the agent was not started
		}
		w.startAgent(s, name)
		progress = append(progress, map[string]any{"id": name})
		fmt.Fprintf(&list, "- `%s` (job 1)\n", name)
	}
	block = map[string]any{"type": "toolCall", "id": call, "name": "task", "arguments": map[string]any{"tasks": tasks}}
	return block, func() {
		details := map[string]any{"usage": map[string]any{"cost": map[string]any{"total": 0.5}}}
		if w.oneIn(2) {
			details["progress"] = progress
		}
		more := map[string]any{"toolCallId": call, "toolName": "task", "details": details, "isError": w.oneIn(8)}
		w.addMessage(s, "toolResult", []any{textBlock("Spawned\n" + list.String())}, more)
	}
}

// unusedAgentName returns the name that an agent gets when it is requested under another
// one.
func (w *ompWriter) unusedAgentName(s *piSession, asked string) string {
	if asked == "" {
		asked = pickRandom(w.randomSource, []string{"BraveFox", "CalmOwl"})
	}
	if s.agent != "" {
		asked = s.agent + "." + asked
	}
	name := asked
	for n := 2; w.usedFiles[w.agentFile(s, name)]; n++ {
		name = fmt.Sprint(asked, "-", n)
	}
	return name
}

func (w *ompWriter) agentFile(s *piSession, name string) string {
	return strings.TrimSuffix(s.name, ".jsonl") + "/" + name + ".jsonl"
}

// startAgent starts an agent with its own file.
func (w *ompWriter) startAgent(s *piSession, name string) {
	a := &piSession{id: w.newSessionID(), version: 3, agent: name}
	a.queuedFile = w.addFile(w.agentFile(s, name))
	w.usedFiles[a.name] = true
	w.agents = append(w.agents, a)
	parent := path.Base(s.name)
	if w.oneIn(3) {
		parent = strings.TrimSuffix(parent, ".jsonl")
	}
	w.writeHead(a, parent)
	w.addEntry(a, "session_init", map[string]any{"systemPrompt": "", "task": "look", "tools": []string{}})
	w.addTurn(a)
}

// addAdvisor writes a session into the directory of another one that is not its agent.
func (w *ompWriter) addAdvisor(s *piSession) {
	name := w.agentFile(s, "__advisor")
	if w.usedFiles[name] {
		return
	}
	a := &piSession{id: w.newSessionID(), version: 3}
	a.queuedFile = w.addFile(name)
	w.usedFiles[name] = true
	w.writeHead(a, "")
	w.addEntry(a, "mode_change", map[string]any{"mode": "advise"})
	w.addTurn(a)
	w.project.Sessions = append(w.project.Sessions, name)
}
