package jsonl

import (
	"bytes"
	"encoding/json"
)

// EncodeLines returns one line of JSON for each record.
func EncodeLines[T any](records []T) ([]byte, error) {
	var text bytes.Buffer
	for _, r := range records {
		line, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		text.Write(append(line, '\n'))
	}
	return text.Bytes(), nil
}
