package pi

import (
	"encoding/json"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// touchedFiles lists the files that an entry read and changed: those named by calls of the agents'
// own tools and those listed by a summary. Each list holds a file once, in the order of the body; a
// file can be in both.
func touchedFiles(b session.Body) (read, modified []string) {
	for i := range b.Blocks {
		block := &b.Blocks[i]
		if block.Kind != session.BlockToolCall {
			continue
		}
		switch block.Name {
		case "read":
			read = appendFile(read, argFile(block.Args))
		case "write", "edit":
			modified = appendFile(modified, argFile(block.Args))
		}
	}
	details := jsonl.ObjectFields(jsonl.Value{Raw: b.Details})
	for _, file := range jsonl.ArrayElements(details.Get("readFiles")) {
		read = appendFile(read, file.Text())
	}
	for _, file := range jsonl.ArrayElements(details.Get("modifiedFiles")) {
		modified = appendFile(modified, file.Text())
	}
	return read, modified
}

// argFile returns the file that a call's arguments name.
func argFile(raw json.RawMessage) string {
	var a callArguments
	a.readArguments(jsonl.Value{Raw: raw})
	return a.filePathArgument().Text()
}

func appendFile(list []string, file string) []string {
	if file == "" || slices.Contains(list, file) {
		return list
	}
	return append(list, file)
}
