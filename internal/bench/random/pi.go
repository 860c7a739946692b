package random

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Pi returns sessions of pi, which fork from one another.
func Pi(seed uint64) *Project {
	w := &pi{recorder: newRecorder(seed)}
	w.begin(pick(w.dice, []int{3, 3, 3, 3, 2, 1}), "")
	for range 3 + w.IntN(12) {
		w.step(pick(w.dice, w.sessions))
	}
	w.drain(0)
	return w.project
}

// pi is the processes of pi, or of oh-my-pi, that work in a directory.
type pi struct {
	recorder
	omp      *omp // nil: pi
	sessions []*piSession
	calls    int
}

// piSession is a session file.
type piSession struct {
	*file
	id      string
	version int
	lines   int        // records so far, the header included
	path    []*piEntry // from the root to where it stands
	all     []*piEntry
	agent   string // the name of a sub-agent
}

// piEntry is an entry as it was recorded.
type piEntry struct {
	id, typ string
	record  int // its number in the file
	line    map[string]any
}

func (w *pi) begin(version int, parent string) *piSession {
	s := &piSession{id: w.uuid(), version: version}
	s.file = w.newFile(strings.NewReplacer(":", "-", ".", "-").Replace(w.now()) + "_" + s.id + ".jsonl")
	w.sessions = append(w.sessions, s)
	w.project.Sessions = append(w.project.Sessions, s.name)
	w.header(s, parent)
	return s
}

// header writes the first line of a file.
func (w *pi) header(s *piSession, parent string) {
	line := map[string]any{"type": "session", "id": s.id, "timestamp": w.now(), "cwd": "/home/dev/proj"}
	if s.version > 1 {
		line["version"] = s.version
	}
	if parent != "" {
		line["parentSession"] = "/home/dev/sessions/" + parent
	}
	w.append(s.file, encode(line)) // always whole: without it there is no session
	s.lines++
}

// step is one thing that somebody does in a session.
func (w *pi) step(s *piSession) {
	switch n := w.IntN(20); {
	case n < 3 && len(s.all) > 1 && s.version > 1:
		w.branch(s)
	case n < 5 && len(s.all) > 0:
		w.label(s)
	case n < 7 && len(s.path) > 2:
		w.compact(s)
	case n < 8 && len(s.path) > 1 && len(w.sessions) < 4:
		w.fork(s)
	case n < 9 && len(w.sessions) < 4:
		w.begin(s.version, "")
	case n < 14:
		w.settings(s)
	default:
		w.turn(s)
	}
	w.drain(w.IntN(4))
}

// say records an entry below where the session stands, and stands there.
func (w *pi) say(s *piSession, typ string, more map[string]any) *piEntry {
	e := &piEntry{id: fmt.Sprintf("%08x", w.Uint32()), typ: typ, record: s.lines}
	e.line = map[string]any{"type": typ, "timestamp": w.now()}
	if s.version > 1 {
		e.line["id"], e.line["parentId"] = e.id, nil
		if len(s.path) > 0 {
			e.line["parentId"] = s.path[len(s.path)-1].id
		}
	}
	maps.Copy(e.line, more)
	w.disturb(s, e)
	s.path, s.all = append(slices.Clip(s.path), e), append(s.all, e)
	before := len(s.pending)
	w.write(s.file, e.line)
	for _, l := range s.pending[before:] {
		if strings.HasPrefix(l.Text, "{") && strings.HasSuffix(l.Text, "}\n") {
			s.lines++ // what is read as a record
		}
	}
	return e
}

// disturb makes a line what it should not be.
func (w *pi) disturb(s *piSession, e *piEntry) {
	if w.project.Tidy {
		return
	}
	n := w.IntN(40)
	switch {
	case n == 0:
		delete(e.line, "timestamp")
	case s.version == 1 || len(s.all) == 0:
	case n == 1:
		e.line["parentId"] = fmt.Sprintf("%08x", w.Uint32()) // which is gone
	case n == 2:
		e.line["parentId"] = pick(w.dice, s.all).id
	case n == 3:
		e.line["parentId"] = e.id
	case n == 4:
		e.id = pick(w.dice, s.all).id // recorded once more: a loop, where it is on the path
		e.line["id"] = e.id
	}
}

// message records a message.
func (w *pi) message(s *piSession, role string, content any, more map[string]any) *piEntry {
	m := map[string]any{"role": role, "content": content, "timestamp": w.clock.UnixMilli()}
	maps.Copy(m, more)
	return w.say(s, "message", map[string]any{"message": m})
}

func textBlock(words string) map[string]any { return map[string]any{"type": "text", "text": words} }

// turn is a prompt and what the agent makes of it.
func (w *pi) turn(s *piSession) {
	var prompt any = fmt.Sprint("Prompt ", w.IntN(1000))
	if w.one(4) {
		prompt = []any{textBlock(prompt.(string)), map[string]any{"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"}}
	}
	w.message(s, "user", prompt, nil)
	for range w.IntN(3) {
		w.answer(s)
	}
	switch w.IntN(6) {
	case 0: // it was interrupted
	case 1:
		w.message(s, "assistant", []any{}, map[string]any{"stopReason": "error", "errorMessage": "overloaded"})
	default:
		w.message(s, "assistant", []any{map[string]any{"type": "thinking", "thinking": "So."}, textBlock(fmt.Sprint("Answer ", w.IntN(1000)))}, w.usage("stop"))
	}
}

func (w *pi) usage(stop string) map[string]any {
	return map[string]any{"stopReason": stop, "provider": "made-up", "model": "one",
		"usage": map[string]any{"input": w.IntN(1000), "output": 10, "totalTokens": 1010, "cost": map[string]any{"total": 0.25}}}
}

// answer calls tools; some of them have no result.
func (w *pi) answer(s *piSession) {
	var blocks []any
	var results []func()
	for range 1 + w.IntN(2) {
		w.calls++
		id := fmt.Sprint("call_", w.calls)
		if w.omp != nil && w.one(2) {
			block, result := w.omp.task(s, id)
			blocks, results = append(blocks, block), append(results, result)
			continue
		}
		blocks = append(blocks, map[string]any{"type": "toolCall", "id": id, "name": "bash", "arguments": map[string]any{"command": "ls " + id}})
		results = append(results, func() {
			w.message(s, "toolResult", []any{textBlock("done")}, map[string]any{"toolCallId": id, "toolName": "bash", "isError": w.one(5)})
		})
	}
	w.message(s, "assistant", blocks, w.usage("toolUse"))
	for _, result := range results {
		if !w.one(8) {
			result()
		}
	}
}

// branch goes on from another entry, with a summary or without.
func (w *pi) branch(s *piSession) {
	s.standAt(w.IntN(len(s.all)))
	if w.one(2) {
		w.say(s, "branch_summary", map[string]any{"fromId": pick(w.dice, s.all).id, "summary": fmt.Sprint("Left ", w.IntN(100))})
	}
	w.turn(s)
}

// standAt makes the path that to the n-th entry, as far as it is recorded.
func (s *piSession) standAt(n int) {
	at := s.all[n]
	s.path = []*piEntry{at}
	for i := n - 1; i >= 0 && at.line["parentId"] != nil; i-- {
		if s.all[i].id == at.line["parentId"] {
			at = s.all[i]
			s.path = append(s.path, at)
		}
	}
	slices.Reverse(s.path)
}

// label labels an entry, or takes its label away. In version 1 nothing has a name.
func (w *pi) label(s *piSession) {
	if s.version == 1 {
		w.turn(s)
		return
	}
	line := map[string]any{"targetId": pick(w.dice, s.all).id}
	if !w.one(4) {
		line["label"] = fmt.Sprint("Label ", w.IntN(10))
	}
	w.say(s, "label", line)
}

func (w *pi) compact(s *piSession) {
	kept := s.path[w.IntN(len(s.path))]
	line := map[string]any{"summary": fmt.Sprint("Summary ", w.IntN(100)), "tokensBefore": 1000}
	switch {
	case s.version == 1:
		line["firstKeptEntryIndex"] = kept.record
	default:
		line["firstKeptEntryId"] = kept.id
	}
	w.say(s, "compaction", line)
}

// fork copies the path of a session into a new one.
func (w *pi) fork(s *piSession) {
	if s.version == 1 {
		w.turn(s)
		return
	}
	n := w.begin(s.version, s.name)
	var above any
	for _, e := range s.path {
		if e.typ == "label" {
			continue // set again at the end by the agent
		}
		line := maps.Clone(e.line)
		line["parentId"], above = above, e.id
		own := &piEntry{id: e.id, typ: e.typ, record: n.lines, line: line}
		n.path, n.all = append(n.path, own), append(n.all, own)
		w.append(n.file, encode(line))
		n.lines++
	}
	if w.one(2) {
		w.turn(n)
	}
}

// settings records something beside the conversation.
func (w *pi) settings(s *piSession) {
	lines := []map[string]any{
		{"type": "thinking_level_change", "thinkingLevel": pick(w.dice, []string{"off", "low", "high"})},
		{"type": "custom", "customType": "notes", "data": map[string]any{"n": w.IntN(10)}},
		{"type": "custom_message", "customType": "reminder", "content": "Mind the gap", "display": w.one(2)},
		{"type": "never_heard_of", "payload": w.IntN(10)},
		{"type": "message", "message": map[string]any{"role": "bashExecution", "command": "ls", "output": "a", "exitCode": w.IntN(2), "excludeFromContext": w.one(2)}},
	}
	line := pick(w.dice, lines)
	if w.one(2) {
		line = w.ownSetting(s)
	}
	w.say(s, line["type"].(string), line)
}

// ownSetting is a line that only one of the agents writes.
func (w *pi) ownSetting(s *piSession) map[string]any {
	if w.omp != nil {
		return w.omp.setting(s)
	}
	lines := []map[string]any{
		{"type": "model_change", "provider": "made-up", "modelId": pick(w.dice, []string{"one", "two"})},
		{"type": "session_info", "name": fmt.Sprint("Name ", w.IntN(5))},
		{"type": "usage", "kind": "cache_warm", "usage": map[string]any{"input": 1, "cost": map[string]any{"total": 0.5}}},
	}
	if len(s.all) > 0 && s.version > 1 {
		var replacement any
		if w.one(2) {
			replacement = map[string]any{"content": "Replaced"}
		}
		lines = append(lines, map[string]any{"type": "context_edit", "targetId": pick(w.dice, s.all).id, "replacement": replacement})
	}
	return pick(w.dice, lines)
}
