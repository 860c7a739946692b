package random

import (
	"fmt"
	"maps"
	"slices"
)

// branchRandomly continues from another entry, with or without a summary.
func (w *piWriter) branchRandomly(s *piSession) {
	s.moveToEntry(w.IntN(len(s.all)))
	if w.oneIn(2) {
		w.addEntry(s, "branch_summary", map[string]any{"fromId": pickRandom(w.randomSource, s.all).id, "summary": fmt.Sprint("Left ", w.IntN(100))})
	}
	w.addTurn(s)
}

// moveToEntry makes the n-th entry the current one, with its path as far as it is
// recorded.
func (s *piSession) moveToEntry(n int) {
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

// addLabel sets or clears the label of an entry. Version 1 has no ids to refer to.
func (w *piWriter) addLabel(s *piSession) {
	if s.version == 1 {
		w.addTurn(s)
		return
	}
	line := map[string]any{"targetId": pickRandom(w.randomSource, s.all).id}
	if !w.oneIn(4) {
		line["label"] = fmt.Sprint("Label ", w.IntN(10))
	}
	w.addEntry(s, "label", line)
}

func (w *piWriter) addCompaction(s *piSession) {
	firstKept := s.path[w.IntN(len(s.path))]
	line := map[string]any{"summary": fmt.Sprint("Summary ", w.IntN(100)), "tokensBefore": 1000}
	switch {
	case s.version == 1:
		line["firstKeptEntryIndex"] = firstKept.record
	default:
		line["firstKeptEntryId"] = firstKept.id
	}
	w.addEntry(s, "compaction", line)
}

// forkSession copies the path of a session into a new one.
func (w *piWriter) forkSession(s *piSession) {
	if s.version == 1 {
		w.addTurn(s)
		return
	}
	n := w.beginSession(s.version, s.name)
	var above any
	for _, e := range s.path {
		if e.typ == "label" {
			continue // the agent sets labels again at the end
		}
		line := maps.Clone(e.line)
		line["parentId"], above = above, e.id
		own := &piEntry{id: e.id, typ: e.typ, record: n.lines, line: line}
		n.path, n.all = append(n.path, own), append(n.all, own)
		w.appendText(n.queuedFile, encodeLine(line))
		n.lines++
	}
	if w.oneIn(2) {
		w.addTurn(n)
	}
}

// addSetting records metadata.
func (w *piWriter) addSetting(s *piSession) {
	lines := []map[string]any{
		{"type": "thinking_level_change", "thinkingLevel": pickRandom(w.randomSource, []string{"off", "low", "high"})},
		{"type": "custom", "customType": "notes", "data": map[string]any{"n": w.IntN(10)}},
		{"type": "custom_message", "customType": "reminder", "content": "Mind the gap", "display": w.oneIn(2)},
		{"type": "never_heard_of", "payload": w.IntN(10)},
		{"type": "message", "message": map[string]any{"role": "bashExecution", "command": "ls", "output": "a", "exitCode": w.IntN(2), "excludeFromContext": w.oneIn(2)}},
	}
	line := pickRandom(w.randomSource, lines)
	if w.oneIn(2) {
		line = w.newAgentSetting(s)
	}
	w.addEntry(s, line["type"].(string), line)
}

// newAgentSetting returns a line that only one of the agents writes.
func (w *piWriter) newAgentSetting(s *piSession) map[string]any {
	if w.omp != nil {
		return w.omp.newSetting(s)
	}
	lines := []map[string]any{
		{"type": "model_change", "provider": "made-up", "modelId": pickRandom(w.randomSource, []string{"one", "two"})},
		{"type": "session_info", "name": fmt.Sprint("Name ", w.IntN(5))},
		{"type": "usage", "kind": "cache_warm", "usage": map[string]any{"input": 1, "cost": map[string]any{"total": 0.5}}},
	}
	if len(s.all) > 0 && s.version > 1 {
		var replacement any
		if w.oneIn(2) {
			replacement = map[string]any{"content": "Replaced"}
		}
		lines = append(lines, map[string]any{"type": "context_edit", "targetId": pickRandom(w.randomSource, s.all).id, "replacement": replacement})
	}
	return pickRandom(w.randomSource, lines)
}
