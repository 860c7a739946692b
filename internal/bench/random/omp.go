package random

import (
	"fmt"
	"path"
	"strings"
)

// OMP returns sessions of oh-my-pi, which start sub-agents.
func OMP(seed uint64) *Project {
	w := &pi{recorder: newRecorder(seed)}
	w.omp = &omp{pi: w, slotted: w.one(2), taken: map[string]bool{}}
	w.omp.begin("")
	for range 3 + w.IntN(12) {
		w.omp.step(pick(w.dice, w.sessions))
	}
	w.drain(0)
	return w.project
}

// omp is what oh-my-pi does otherwise than pi.
type omp struct {
	*pi
	slotted bool // files begin with a title slot, as since oh-my-pi 18
	agents  []*piSession
	taken   map[string]bool // names of agents' files
}

func (w *omp) begin(parent string) *piSession {
	s := &piSession{id: w.newID(), version: 3}
	s.file = w.newFile(strings.NewReplacer(":", "-", ".", "-").Replace(w.now()) + "_" + s.id + ".jsonl")
	w.sessions = append(w.sessions, s)
	w.project.Sessions = append(w.project.Sessions, s.name)
	w.head(s, parent)
	return s
}

// newID makes the id of a session; without a title slot the one by which files of
// oh-my-pi are known.
func (w *omp) newID() string {
	if w.slotted {
		return w.uuid()
	}
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
	id := make([]byte, 21)
	for i := range id {
		id[i] = letters[w.IntN(len(letters))]
	}
	return string(id)
}

// head writes what a file begins with.
func (w *omp) head(s *piSession, parent string) {
	if w.slotted {
		w.append(s.file, titleSlot(""))
	}
	w.header(s, parent)
}

// titleSlot returns the 256 bytes in which oh-my-pi 18 keeps a title.
func titleSlot(title string) string {
	start := fmt.Sprintf(`{"type":"title","v":1,"title":%q,"source":"auto","updatedAt":"2026-01-01T10:00:00.000Z","pad":"`, title)
	return start + strings.Repeat(" ", 256-len(start)-3) + "\"}\n"
}

// step is one thing that somebody does in a session, or an agent.
func (w *omp) step(s *piSession) {
	if len(w.agents) > 0 && w.one(3) {
		s = pick(w.dice, w.agents)
	}
	switch n := w.IntN(20); {
	case n < 2 && len(w.sessions) < 3:
		w.begin("")
	case n < 3 && len(w.sessions) < 3:
		w.advisor(s)
	case n < 5 && s.agent == "" && w.slotted:
		w.rename(s)
	case n < 7:
		w.settings(s)
	case n < 9 && len(s.path) > 2:
		w.compact(s)
	case n < 11 && len(s.all) > 1:
		w.branch(s)
	case n < 12 && len(s.all) > 0:
		w.label(s)
	default:
		w.turn(s)
	}
	w.drain(w.IntN(4))
}

// rename records a title and overwrites the slot.
func (w *omp) rename(s *piSession) {
	title := fmt.Sprint("Title ", w.IntN(100))
	w.say(s, "title_change", map[string]any{"title": title, "source": "user"})
	if w.one(4) {
		return // it was stopped between the two
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
	slot := titleSlot(title)
	w.rewrite(s.file, slot+text[len(slot):])
}

// setting is a line that oh-my-pi alone writes.
func (w *omp) setting(s *piSession) map[string]any {
	lines := []map[string]any{
		{"type": "model_change", "model": "made-up/" + pick(w.dice, []string{"one", "two"}), "role": pick(w.dice, []string{"default", "smol"})},
		{"type": "mode_change", "mode": "plan"},
		{"type": "reset_boundary"},
		{"type": "ttsr_injection", "injectedRules": []string{"be kind"}},
	}
	if name := w.heard(s); name != "" {
		lines = append(lines, map[string]any{"type": "custom_message", "customType": "async-result", "display": true,
			"content": fmt.Sprintf("<task-result id=%q agent=\"task\">\ndone\n</task-result>", name)})
	}
	return pick(w.dice, lines)
}

// heard is an agent that somebody started.
func (w *omp) heard(*piSession) string {
	if len(w.agents) == 0 {
		return ""
	}
	return pick(w.dice, w.agents).agent
}

// task is a call that starts agents, and its result.
func (w *omp) task(s *piSession, call string) (block map[string]any, result func()) {
	var tasks, progress []any
	var list strings.Builder
	for range 1 + w.IntN(2) {
		asked := pick(w.dice, []string{"Looker", "Looker", "Second", ""})
		tasks = append(tasks, map[string]any{"name": asked, "task": "look"})
		name := w.freeName(s, asked)
		if w.one(5) || len(w.agents) > 5 {
			continue // it did not come to that
		}
		w.spawn(s, name)
		progress = append(progress, map[string]any{"id": name})
		fmt.Fprintf(&list, "- `%s` (job 1)\n", name)
	}
	block = map[string]any{"type": "toolCall", "id": call, "name": "task", "arguments": map[string]any{"tasks": tasks}}
	return block, func() {
		details := map[string]any{"usage": map[string]any{"cost": map[string]any{"total": 0.5}}}
		if w.one(2) {
			details["progress"] = progress
		}
		more := map[string]any{"toolCallId": call, "toolName": "task", "details": details, "isError": w.one(8)}
		w.message(s, "toolResult", []any{textBlock("Spawned\n" + list.String())}, more)
	}
}

// freeName is what an agent is called that was asked for under a name.
func (w *omp) freeName(s *piSession, asked string) string {
	if asked == "" {
		asked = pick(w.dice, []string{"BraveFox", "CalmOwl"})
	}
	if s.agent != "" {
		asked = s.agent + "." + asked
	}
	name := asked
	for n := 2; w.taken[w.agentFile(s, name)]; n++ {
		name = fmt.Sprint(asked, "-", n)
	}
	return name
}

func (w *omp) agentFile(s *piSession, name string) string {
	return strings.TrimSuffix(s.name, ".jsonl") + "/" + name + ".jsonl"
}

// spawn has an agent work in a file of its own.
func (w *omp) spawn(s *piSession, name string) {
	a := &piSession{id: w.newID(), version: 3, agent: name}
	a.file = w.newFile(w.agentFile(s, name))
	w.taken[a.name] = true
	w.agents = append(w.agents, a)
	parent := path.Base(s.name)
	if w.one(3) {
		parent = strings.TrimSuffix(parent, ".jsonl")
	}
	w.head(a, parent)
	w.say(a, "session_init", map[string]any{"systemPrompt": "", "task": "look", "tools": []string{}})
	w.turn(a)
}

// advisor writes a session into the directory of another one that is not its agent.
func (w *omp) advisor(s *piSession) {
	name := w.agentFile(s, "__advisor")
	if w.taken[name] {
		return
	}
	a := &piSession{id: w.newID(), version: 3}
	a.file = w.newFile(name)
	w.taken[name] = true
	w.head(a, "")
	w.say(a, "mode_change", map[string]any{"mode": "advise"})
	w.turn(a)
	w.project.Sessions = append(w.project.Sessions, name)
}
