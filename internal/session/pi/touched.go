package pi

import (
	"encoding/json"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// touched lists the files that an entry read and changed: those its calls of the
// agents' own tools name, and those that a summary of older entries lists. Each
// stands once in a list, in the order of the body; a file can be in both.
func touched(b session.Body) (read, modified []string) {
	for i := range b.Blocks {
		block := &b.Blocks[i]
		if block.Kind != session.BlockToolCall {
			continue
		}
		switch block.Name {
		case "read":
			read = addFile(read, argFile(block.Args))
		case "write", "edit":
			modified = addFile(modified, argFile(block.Args))
		}
	}
	details := jsonl.Fields(jsonl.Value{Raw: b.Details})
	for _, file := range jsonl.Elements(details.Get("readFiles")) {
		read = addFile(read, file.Text())
	}
	for _, file := range jsonl.Elements(details.Get("modifiedFiles")) {
		modified = addFile(modified, file.Text())
	}
	return read, modified
}

// argFile is the file that a call's arguments name.
func argFile(raw json.RawMessage) string {
	var a args
	a.scan(jsonl.Value{Raw: raw})
	return a.file().Text()
}

func addFile(list []string, file string) []string {
	if file == "" || slices.Contains(list, file) {
		return list
	}
	return append(list, file)
}
