package pi

import (
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// pair is a key of a line that is written, and its value as JSON.
type pair struct {
	key   string
	value []byte
}

// compose makes a line of pairs in their order.
func compose(pairs ...pair) []byte {
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

// quoted is text as JSON.
func quoted(text string) []byte { return jsonl.AppendString(nil, text) }

// texts is a list of strings as JSON.
func texts(list []string) []byte {
	out := []byte{'['}
	for i, text := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsonl.AppendString(out, text)
	}
	return append(out, ']')
}

var null = []byte("null")

// iso is a time as agents write it.
func iso(ms int64) string {
	return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
}

// fresh hands out ids that no entry has.
type fresh struct {
	mint  session.Mint
	taken func(id string) bool
	given map[string]bool
}

// maxTries is how often pi asks for an id that is free.
const maxTries = 100

// id is a new id. That a hundred in a row are taken does not happen with random
// ones; the last is used as it is, made longer.
func (f *fresh) id() string {
	id := ""
	for range maxTries {
		if id = f.mint.ID(); !f.given[id] && !f.taken(id) {
			break
		}
	}
	for f.given[id] || f.taken(id) {
		id += "0"
	}
	if f.given == nil {
		f.given = map[string]bool{}
	}
	f.given[id] = true
	return id
}
