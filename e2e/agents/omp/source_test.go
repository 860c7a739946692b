//go:build e2eagents

package omp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sessiontree/e2e/agents"
	"sessiontree/e2e/harness"
	"sessiontree/internal/bench/transcript"
)

// source is a session to change. Beside lies what oh-my-pi keeps beside it.
type source struct {
	name   string
	data   []byte
	beside map[string][]byte
}

// read reads a session file and the directory of its sub-agents.
func read(t *testing.T, name, file string) source {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return source{name: name, data: data, beside: readDir(t, strings.TrimSuffix(file, ".jsonl"))}
}

// readDir reads the files of a directory, nil when there is none.
func readDir(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil
	}
	for _, e := range entries {
		if err == nil {
			files[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name()))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var cwd = regexp.MustCompile(`"cwd":"(?:[^"\\]|\\.)*"`)

// sessionID is the id in a header that follows a title slot or begins the file.
var sessionID = regexp.MustCompile(`("type":"session","version":3,"id":")([^"]*)"`)

// write puts a copy of the session into the project, under an id of its own, and
// returns its path.
func (s source) write(t *testing.T, w workdir, dir, id string) string {
	t.Helper()
	project, _ := json.Marshal(w.project())
	data := replaceFirst(cwd, s.data, `"cwd":`+string(project))
	if old := sessionID.FindSubmatch(data); old != nil {
		data = replaceFirst(sessionID, data, string(old[1])+id[:min(len(id), len(old[2]))]+`"`)
	}
	file := filepath.Join(dir, "session.jsonl")
	agents.WriteIdle(t, file, data)
	for name, content := range s.beside {
		agents.WriteIdle(t, filepath.Join(dir, "session", name), content)
	}
	return file
}

func replaceFirst(re *regexp.Regexp, data []byte, by string) []byte {
	at := re.FindIndex(data)
	if at == nil {
		return data
	}
	return append(append(append([]byte(nil), data[:at[0]]...), by...), data[at[1]:]...)
}

// vectors are the synthetic sessions of oh-my-pi.
func vectors(t *testing.T) (all []source) {
	t.Helper()
	root := filepath.Join(harness.Root(t), "testdata", "dialects")
	for _, pattern := range []string{"omp*/*.jsonl", "omp*/*/*.jsonl"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no %s (%v)", pattern, err)
		}
		for _, file := range files {
			name, _ := filepath.Rel(root, file)
			all = append(all, read(t, strings.TrimSuffix(filepath.ToSlash(name), ".jsonl"), file))
		}
	}
	return all
}

// recorded are sessions of other people's oh-my-pi, where they lie beside the clone.
func recorded(t *testing.T) (all []source) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(harness.Root(t), "..", "shared", "corpus", "omp-18", "*", "*.jsonl"))
	for _, file := range files {
		all = append(all, read(t, "recorded "+filepath.Base(file), file))
	}
	return all
}

// stumbling is a session with answers that oh-my-pi does not send again: failed,
// aborted, with calls that nothing came of; and what it sends all the same.
func stumbling() source {
	f := transcript.New(transcript.Omp, "0198a000-0000-7000-8000-000000000003", "/project", harness.Start0)
	block := func(id string) transcript.O {
		return transcript.O{"type", "toolCall", "id", id, "name", "bash", "arguments", transcript.O{"command", "ls"}}
	}
	result := func(id string) {
		f.Message("toolResult", "toolCallId", id, "toolName", "bash", "content", []transcript.O{transcript.Text("of " + id)}, "isError", false)
	}
	f.SetModel("echo", "echo-1")
	f.User("Begin")
	f.Answer("error", []transcript.O{transcript.Text("Half an ans")}, "errorMessage", "lost")
	f.Answer("error", nil, "errorMessage", "lost again")
	f.User("Try a tool")
	f.Answer("toolUse", []transcript.O{transcript.Text("Both."), block("c1"), block("c2")})
	result("c1")
	f.Answer("aborted", []transcript.O{block("c3"), block("c4")}, "errorMessage", "stopped")
	result("c3")
	result("c4")
	f.User("Again")
	f.Answer("toolUse", []transcript.O{block("c5")})
	f.User("Never mind")
	f.Answer("aborted", []transcript.O{transcript.Thinking("Let me see"), transcript.Text("Well")}, "errorMessage", "stopped")
	f.Entry("custom_message", "customType", "interrupted-thinking", "content", "It was thinking.", "display", false)
	f.Entry("custom_message", "customType", "prewalk-plan", "content", "The plan", "display", false)
	f.Entry("custom_message", "customType", "note", "content", "A note", "display", true)
	kept := f.User("Before the reset")
	f.Say("Yes.")
	f.Entry("reset_boundary")
	f.User("After the reset")
	f.Say("New.")
	f.Compact("What was before", kept)
	f.User("After the compaction")
	f.Say("Late.")
	return source{name: "stumbling", data: f.Bytes()}
}
