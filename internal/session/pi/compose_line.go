package pi

import (
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// keyValue is a key and its JSON value.
type keyValue struct {
	key   string
	value []byte
}

// composeObject returns a JSON object of pairs, in order.
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

// quoteJSON returns text as a JSON string.
func quoteJSON(text string) []byte { return jsonl.AppendString(nil, text) }

// quoteJSONList returns a JSON array of strings.
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

// formatISO formats a time as the agents do.
func formatISO(ms int64) string {
	return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
}

// idGenerator issues ids that no entry has.
type idGenerator struct {
	ids    session.IDSource
	taken  func(id string) bool
	issued map[string]bool
}

// maxTries is how often pi tries to find an unused id.
const maxTries = 100

// newID returns a new id. If all of maxTries ids are in use, which random ids never are, it extends
// the last one.
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
