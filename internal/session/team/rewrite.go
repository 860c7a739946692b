package team

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"sessiontree/internal/session/safefile"
)

// rewriteSlack is how many records may be obsolete before a journal is rewritten.
const rewriteSlack = 10_000

// rewrite replaces the file by one with only the records that the state needs. The caller
// holds the lock.
func (j *journal) rewrite() error {
	id := newFirstLine()
	text := bytes.NewBufferString(id)
	records := j.state.records()
	lines := json.NewEncoder(text)
	for i := range records {
		if err := lines.Encode(&records[i]); err != nil {
			return err
		}
	}
	if err := safefile.ReplaceFile(j.path, text.Bytes()); err != nil {
		return err
	}
	j.id, j.off, j.read = id, int64(text.Len()), len(records)
	return safefile.SyncFile(j.path)
}

// size returns about how many records the state needs.
func (s *state) size() int {
	return len(s.people.rows) + len(s.codes.rows) + len(s.logins.rows) + len(s.devices.rows) + 2*len(s.removed.rows) +
		len(s.projects.rows) + len(s.files.rows) + len(s.labels.rows) + len(s.rules) + len(s.events)
}

// records returns what amounts to the state.
func (s *state) records() []record {
	all := make([]record, 0, s.size())
	for p := range s.people.all() {
		all = append(all, record{Person: &p})
	}
	for c := range s.codes.all() {
		all = append(all, record{Code: &c})
	}
	for l := range s.logins.all() {
		all = append(all, record{Login: &l})
	}
	for d := range s.removed.all() {
		all = append(all, record{Device: &d}, record{RemovedDevice: d.ID})
	}
	for d := range s.devices.all() {
		all = append(all, record{Device: &d})
	}
	for p := range s.projects.all() {
		all = append(all, record{Project: &p})
	}
	for f := range s.files.all() {
		all = append(all, record{File: &f})
	}
	for _, path := range slices.Sorted(maps.Keys(s.rules)) {
		rule := s.rules[path]
		all = append(all, record{Session: &rule})
	}
	for l := range s.labels.all() {
		all = append(all, record{Label: &l})
	}
	for i := range s.events {
		all = append(all, record{Event: &s.events[i]})
	}
	return all
}
