package pi

import (
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// keyValue is a key of a line that is written, and its value as JSON.
type keyValue struct {
	key   string
	value []byte
}

// composeObject makes a line of pairs in their order.
func composeObject(pairs ...keyValue) []byte {
	line := []byte{'{'}
	for i, p := range pairs {
		if i > 0 {
			line = append(line, ',')
		}
		line = append(jsonl.AppendString(line, p.key), ':')
		line = append(line, p.value...)
	}
	return append(line, '}')
}

// quoteJSON is text as JSON.
func quoteJSON(text string) []byte { return jsonl.AppendString(nil, text) }

// quoteJSONList is a list of strings as JSON.
func quoteJSONList(list []string) []byte {
	out := []byte{'['}
	for i, text := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsonl.AppendString(out, text)
	}
	return append(out, ']')
}

var jsonNull = []byte("null")

// formatISO is a time as agents write it.
func formatISO(ms int64) string {
	return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
}

// idGenerator hands out ids that no entry has.
type idGenerator struct {
	ids    session.IDSource
	taken  func(id string) bool
	issued map[string]bool
}

// maxTries is how often pi asks for an id that is free.
const maxTries = 100

// newID is a new id. That a hundred in a row are taken does not happen with random
// ones; the last is used as it is, made longer.
func (f *idGenerator) newID() string {
	id := ""
	for range maxTries {
		if id = f.ids.EntryID(); !f.issued[id] && !f.taken(id) {
			break
		}
	}
	for f.issued[id] || f.taken(id) {
		id += "0"
	}
	if f.issued == nil {
		f.issued = map[string]bool{}
	}
	f.issued[id] = true
	return id
}
