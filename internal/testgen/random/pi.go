package random

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Pi returns random sessions of pi, which may be forks of one another.
func Pi(seed uint64) *Project { return recordPi(newRecorder(seed)) }

func recordPi(r recorder) *Project {
	w := &piWriter{recorder: r}
	w.beginSession(pickRandom(w.randomSource, []int{3, 3, 3, 3, 2, 1}), "")
	for range w.steps(3, 12) {
		w.randomStep(pickRandom(w.randomSource, w.sessions))
	}
	w.flushPending(0)
	return w.project
}

// piWriter writes a directory like concurrent processes of pi or oh-my-pi.
type piWriter struct {
	recorder
	omp      *ompWriter // nil for pi
	sessions []*piSession
	calls    int
}

// piSession is a session file.
type piSession struct {
	*queuedFile
	id      string
	version int
	lines   int        // number of records, with the header
	path    []*piEntry // from the root to the current entry
	all     []*piEntry
	agent   string // name of a sub-agent
}

// piEntry is a recorded entry.
type piEntry struct {
	id, typ string
	record  int // its number in the file
	line    map[string]any
}

func (w *piWriter) beginSession(version int, parent string) *piSession {
	s := &piSession{id: w.newUUID(), version: version}
	s.queuedFile = w.addFile(strings.NewReplacer(":", "-", ".", "-").Replace(w.nextTimestamp()) + "_" + s.id + ".jsonl")
	w.sessions = append(w.sessions, s)
	w.project.Sessions = append(w.project.Sessions, s.name)
	w.writeHeader(s, parent)
	return s
}

// writeHeader writes the first line of a file.
func (w *piWriter) writeHeader(s *piSession, parent string) {
	line := map[string]any{"type": "session", "id": s.id, "timestamp": w.nextTimestamp(), "cwd": "/home/dev/proj"}
	if s.version > 1 {
		line["version"] = s.version
	}
	if parent != "" {
		line["parentSession"] = "/home/dev/sessions/" + parent
	}
	w.appendText(s.queuedFile, encodeLine(line)) // always complete: without it there is no session
	s.lines++
}

// randomStep performs one random action in a session.
func (w *piWriter) randomStep(s *piSession) {
	switch n := w.IntN(20); {
	case n < 3 && len(s.all) > 1 && s.version > 1:
		w.branchRandomly(s)
	case n < 5 && len(s.all) > 0:
		w.addLabel(s)
	case n < 7 && len(s.path) > 2:
		w.addCompaction(s)
	case n < 8 && len(s.path) > 1 && w.room(len(w.sessions), 4):
		w.forkSession(s)
	case n < 9 && w.room(len(w.sessions), 4):
		w.beginSession(s.version, "")
	case n < 14:
		w.addSetting(s)
	default:
		w.addTurn(s)
	}
	w.flushPending(w.IntN(4))
}

// addEntry records an entry below the current one, and makes it the current one.
func (w *piWriter) addEntry(s *piSession, typ string, more map[string]any) *piEntry {
	e := &piEntry{id: fmt.Sprintf("%08x", w.Uint32()), typ: typ, record: s.lines}
	e.line = map[string]any{"type": typ, "timestamp": w.nextTimestamp()}
	if s.version > 1 {
		e.line["id"], e.line["parentId"] = e.id, nil
		if len(s.path) > 0 {
			e.line["parentId"] = s.path[len(s.path)-1].id
		}
	}
	maps.Copy(e.line, more)
	w.corruptEntry(s, e)
	s.path, s.all = append(slices.Clip(s.path), e), append(s.all, e)
	before := len(s.pending)
	w.writeLine(s.queuedFile, e.line)
	for _, l := range s.pending[before:] {
		if strings.HasPrefix(l.Text, "{") && strings.HasSuffix(l.Text, "}\n") {
			s.lines++ // it is read as a record
		}
	}
	return e
}

// corruptEntry corrupts a line at random.
func (w *piWriter) corruptEntry(s *piSession, e *piEntry) {
	if w.project.Tidy {
		return
	}
	n := w.IntN(40)
	switch {
	case n == 0:
		delete(e.line, "timestamp")
	case s.version == 1 || len(s.all) == 0:
	case n == 1:
		e.line["parentId"] = fmt.Sprintf("%08x", w.Uint32()) // a missing parent
	case n == 2:
		e.line["parentId"] = pickRandom(w.randomSource, s.all).id
	case n == 3:
		e.line["parentId"] = e.id
	case n == 4:
		e.id = pickRandom(w.randomSource, s.all).id // a repeated id: a cycle if it is on the path
		e.line["id"] = e.id
	}
}

// addMessage records a message.
func (w *piWriter) addMessage(s *piSession, role string, content any, more map[string]any) *piEntry {
	m := map[string]any{"role": role, "content": content, "timestamp": w.clock.UnixMilli()}
	maps.Copy(m, more)
	return w.addEntry(s, "message", map[string]any{"message": m})
}

func textBlock(words string) map[string]any { return map[string]any{"type": "text", "text": words} }

// addTurn adds a prompt and the agent's work.
func (w *piWriter) addTurn(s *piSession) {
	var prompt any = fmt.Sprint("Prompt ", w.IntN(1000))
	if w.oneIn(4) {
		prompt = []any{textBlock(prompt.(string)), map[string]any{"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}}
	}
	w.addMessage(s, "user", prompt, nil)
	for range w.IntN(3) {
		w.addToolCalls(s)
	}
	switch w.IntN(6) {
	case 0: // it was interrupted
	case 1:
		w.addMessage(s, "assistant", []any{}, map[string]any{"stopReason": "error", "errorMessage": "overloaded"})
	default:
		w.addMessage(s, "assistant", []any{map[string]any{"type": "thinking", "thinking": "So."}, textBlock(fmt.Sprint("Answer ", w.IntN(1000)))}, w.newUsage("stop"))
	}
}

func (w *piWriter) newUsage(stop string) map[string]any {
	return map[string]any{"stopReason": stop, "provider": "made-up", "model": "one",
		"usage": map[string]any{"input": w.IntN(1000), "output": 10, "totalTokens": 1010, "cost": map[string]any{"total": 0.25}}}
}

// addToolCalls adds tool calls; some of them have no result.
func (w *piWriter) addToolCalls(s *piSession) {
	var blocks []any
	var results []func()
	for range 1 + w.IntN(2) {
		w.calls++
		id := fmt.Sprint("call_", w.calls)
		if w.omp != nil && w.oneIn(2) {
			block, result := w.omp.newTaskCall(s, id)
			blocks, results = append(blocks, block), append(results, result)
			continue
		}
		blocks = append(blocks, map[string]any{"type": "toolCall", "id": id, "name": "bash", "arguments": map[string]any{"command": "ls " + id}})
		results = append(results, func() {
			w.addMessage(s, "toolResult", []any{textBlock("done")}, map[string]any{"toolCallId": id, "toolName": "bash", "isError": w.oneIn(5)})
		})
	}
	w.addMessage(s, "assistant", blocks, w.newUsage("toolUse"))
	for _, result := range results {
		if !w.oneIn(8) {
			result()
		}
	}
}
