// Package agents has what the tests with real agents share: what an agent sees in a
// session file, and what the explorer sees in it, in the same words.
package agents

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sessiontree/e2e/harness"
)

// View is what an agent sees in a session file. Ids and names that it has none of are
// empty.
type View struct {
	ID       string
	Version  int
	Parent   string
	Leaf     string
	Name     string
	Entries  []string
	Labels   map[string]string
	Tree     Tree
	Messages []Message
	Model    *Model
	Thinking string `json:"thinkingLevel"`

	Refused string // why the agent did not open the file
	Rewrote bool   // opening it changed it
	Agent   string // the version that looked
	// After is the file as the agent left it, having gone on with a prompt and an answer.
	After []byte `json:"-"`
}

// Tree is the entries' ids as a tree.
type Tree struct {
	Roots    []string
	Children map[string][]string
}

// Message is one message of what the model is sent.
type Message struct{ Role, Text string }

// Model is the one that is asked.
type Model struct{ Provider, ModelID string }

// LastText returns the text of the last message.
func (v *View) LastText() string {
	if len(v.Messages) == 0 {
		return ""
	}
	return v.Messages[len(v.Messages)-1].Text
}

// IsolateHome gives the explorer that a test runs a home and directories of its own.
func IsolateHome(t *testing.T) {
	t.Helper()
	for _, name := range []string{"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, t.TempDir())
	}
}

// WriteSummarizer makes a program that writes the summary "Generated.", for --summarizer.
func WriteSummarizer(t *testing.T) string {
	t.Helper()
	script := filepath.Join(t.TempDir(), "summarize")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ncat >/dev/null\necho Generated.\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return script
}

// WriteIdleFile writes a session file that no agent seems to be at.
func WriteIdleFile(t *testing.T, file string, data []byte) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(file), 0o755)
	if err == nil {
		err = os.WriteFile(file, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	MakeFileIdle(t, file)
}

// MakeFileIdle makes a file look as if it had been written an hour ago.
func MakeFileIdle(t *testing.T, file string) {
	t.Helper()
	before := time.Now().Add(-time.Hour)
	if err := os.Chtimes(file, before, before); err != nil {
		t.Fatal(err)
	}
}

// RunExplorer runs the built explorer and decodes what it prints into result, unless
// that is nil.
func RunExplorer(t *testing.T, result any, args ...string) {
	t.Helper()
	cmd := exec.Command(harness.ExplorerPath(t), append([]string{args[0], "--json"}, args[1:]...)...)
	var words strings.Builder
	cmd.Stderr = &words
	out, err := cmd.Output()
	if err == nil && result != nil {
		err = json.Unmarshal(out, result)
	}
	if err != nil {
		t.Fatalf("explorer %q: %v\n%s", args, err, words.String())
	}
}

// ReadView returns what the explorer sees in a file.
func ReadView(t *testing.T, file string) View {
	t.Helper()
	v := ReadOutline(t, file)
	RunExplorer(t, &v, "context", file)
	return v
}

// ReadOutline is Ours without the messages.
func ReadOutline(t *testing.T, file string) (v View) {
	t.Helper()
	var tree struct {
		Session struct {
			ID            string
			Leaf, Name    string // null is none
			ParentSession string
		}
		Entries []string
		Labels  map[string]string
		Tree    Tree
	}
	RunExplorer(t, &tree, "tree", file)
	v.ID, v.Version, v.Parent, v.Leaf, v.Name = tree.Session.ID, 3, tree.Session.ParentSession, tree.Session.Leaf, tree.Session.Name
	v.Entries, v.Labels, v.Tree = tree.Entries, tree.Labels, tree.Tree
	return v
}
