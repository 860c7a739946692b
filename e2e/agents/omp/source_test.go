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
	"sessiontree/internal/testgen/transcript"
)

// source is a session to change. siblings are the files next to it.
type source struct {
	name     string
	data     []byte
	siblings map[string][]byte
}

// readSource reads a session file and the directory of its sub-agents.
func readSource(t *testing.T, name, file string) source {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return source{name: name, data: data, siblings: readDir(t, strings.TrimSuffix(file, ".jsonl"))}
}

// readDir reads the files of a directory, nil if there is none.
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

// sessionID matches the id in a header, with or without a title slot before it.
var sessionID = regexp.MustCompile(`("type":"session","version":3,"id":")([^"]*)"`)

// writeCopy writes a copy of the session with a new id into the project and returns its
// path.
func (s source) writeCopy(t *testing.T, w workdir, dir, id string) string {
	t.Helper()
	project, _ := json.Marshal(w.project())
	data := replaceFirst(cwd, s.data, `"cwd":`+string(project))
	if old := sessionID.FindSubmatch(data); old != nil {
		data = replaceFirst(sessionID, data, string(old[1])+id[:min(len(id), len(old[2]))]+`"`)
	}
	file := filepath.Join(dir, "session.jsonl")
	agents.WriteIdleFile(t, file, data)
	for name, content := range s.siblings {
		agents.WriteIdleFile(t, filepath.Join(dir, "session", name), content)
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

// syntheticSources returns the synthetic sessions of oh-my-pi.
func syntheticSources(t *testing.T) (all []source) {
	t.Helper()
	root := filepath.Join(harness.SourceRoot(t), "testdata", "dialects")
	for _, pattern := range []string{"omp*/*.jsonl", "omp*/*/*.jsonl"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no %s (%v)", pattern, err)
		}
		for _, file := range files {
			name, _ := filepath.Rel(root, file)
			all = append(all, readSource(t, strings.TrimSuffix(filepath.ToSlash(name), ".jsonl"), file))
		}
	}
	return all
}

// recordedSources returns sessions of other people's oh-my-pi from the directory next to
// the repository, if present.
func recordedSources(t *testing.T) (all []source) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(harness.SourceRoot(t), "..", "shared", "corpus", "omp-18", "*", "*.jsonl"))
	for _, file := range files {
		all = append(all, readSource(t, "recorded "+filepath.Base(file), file))
	}
	return all
}

// unsentAnswersSource returns a session with the answers that oh-my-pi does not send again:
// failed, aborted, with calls without a result; and with some that it does send.
func unsentAnswersSource() source {
	f := transcript.New(transcript.Omp, "0198a000-0000-7000-8000-000000000003", "/project", harness.SessionStart)
	block := func(id string) transcript.Object {
		return transcript.Object{"type", "toolCall", "id", id, "name", "bash", "arguments", transcript.Object{"command", "ls"}}
	}
	result := func(id string) {
		f.AddMessage("toolResult", "toolCallId", id, "toolName", "bash", "content", []transcript.Object{transcript.TextBlock("of " + id)}, "isError", false)
	}
	f.AddModelChange("echo", "echo-1")
	f.AddPrompt("Begin")
	f.AddAnswer("error", []transcript.Object{transcript.TextBlock("Half an ans")}, "errorMessage", "lost")
	f.AddAnswer("error", nil, "errorMessage", "lost again")
	f.AddPrompt("Try a tool")
	f.AddAnswer("toolUse", []transcript.Object{transcript.TextBlock("Both."), block("c1"), block("c2")})
	result("c1")
	f.AddAnswer("aborted", []transcript.Object{block("c3"), block("c4")}, "errorMessage", "stopped")
	result("c3")
	result("c4")
	f.AddPrompt("Again")
	f.AddAnswer("toolUse", []transcript.Object{block("c5")})
	f.AddPrompt("Never mind")
	f.AddAnswer("aborted", []transcript.Object{transcript.ThinkingBlock("Let me see"), transcript.TextBlock("Well")}, "errorMessage", "stopped")
	f.AddEntry("custom_message", "customType", "interrupted-thinking", "content", "It was thinking.", "display", false)
	f.AddEntry("custom_message", "customType", "prewalk-plan", "content", "The plan", "display", false)
	f.AddEntry("custom_message", "customType", "note", "content", "A note", "display", true)
	kept := f.AddPrompt("Before the reset")
	f.AddReply("Yes.")
	f.AddEntry("reset_boundary")
	f.AddPrompt("After the reset")
	f.AddReply("New.")
	f.AddCompaction("What was before", kept)
	f.AddPrompt("After the compaction")
	f.AddReply("Late.")
	return source{name: "stumbling", data: f.Bytes()}
}
