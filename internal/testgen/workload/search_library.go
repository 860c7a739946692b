package workload

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Words that WriteSearchLibrary writes into some sessions. No other session has them.
const (
	PromptWord = "kumquat"   // in a prompt of every hundredth session
	OutputWord = "persimmon" // in the output of a command, in every hundredth session
	OldestWord = "tamarillo" // in the output of a command, in the oldest session only
)

// WriteSearchLibrary writes sessions of the given size below root, by turns of pi and Claude
// Code, half an hour apart. It returns their total size.
func WriteSearchLibrary(root string, sessions, size int) (bytes int64, err error) {
	start := time.Date(2024, 9, 1, 8, 0, 0, 0, time.UTC)
	for i := range sessions {
		spec := Spec{Seed: uint64(i + 1), Cwd: fmt.Sprintf("/home/dev/work/project-%02d", i%25), Start: start.Add(time.Duration(i) * 30 * time.Minute)}
		if i%2 == 1 {
			spec.Entries = max(8, size/3400)
			_, out, err := writeClaudeFile(filepath.Join(root, "claude"), spec)
			if err != nil {
				return bytes, err
			}
			bytes += out.Bytes
			continue
		}
		spec.Bytes, spec.Branches = size, 1+i%6
		f, err := writeSessionFile(filepath.Join(root, "pi"), spec, WriteSession)
		if err != nil {
			return bytes, err
		}
		n, err := f.appendWords(i)
		if err != nil {
			return bytes, err
		}
		bytes += f.Bytes + n
	}
	return bytes, nil
}

// appendWords appends the words of session i to its file, without changing its time. It
// returns the number of bytes.
func (f File) appendWords(i int) (int64, error) {
	text, parent := "", f.Leaf
	addEntry := func(id, message string) {
		text += fmt.Sprintf(`{"type":"message","id":%q,"parentId":%q,"timestamp":"2024-09-01T08:00:00.000Z","message":%s}`+"\n", id, parent, message)
		parent = id
	}
	addOutput := func(id, word string) {
		addEntry(id, fmt.Sprintf(`{"role":"bashExecution","command":"ls","output":"%s.txt","exitCode":0,"timestamp":1725177600000}`, word))
	}
	if i%100 == 0 {
		addEntry(fmt.Sprintf("word-%d", i), fmt.Sprintf(`{"role":"user","content":[{"type":"text","text":"Plant a %s tree"}],"timestamp":1725177600000}`, PromptWord))
	}
	if i%100 == 50 {
		addOutput(fmt.Sprintf("word-%d", i), OutputWord)
	}
	if i == 0 {
		addOutput("oldest", OldestWord)
	}
	if text == "" {
		return 0, nil
	}
	info, err := os.Stat(f.Path)
	if err != nil {
		return 0, err
	}
	out, err := os.OpenFile(f.Path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	if _, err := out.WriteString(text); err != nil {
		_ = out.Close()
		return 0, err
	}
	if err := out.Close(); err != nil {
		return 0, err
	}
	return int64(len(text)), os.Chtimes(f.Path, info.ModTime(), info.ModTime())
}
