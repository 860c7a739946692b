// Package agents contains what the tests with real agents share. It describes what an
// agent and the explorer read from a session file in the same terms.
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

// View is what an agent reads from a session file. Ids and names are empty if there are
// none.
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
	Rewrote bool   // whether opening the file changed it
	Agent   string // version of the agent
	// After is the file after the agent continued it with a prompt and an answer.
	After []byte `json:"-"`
}

// Tree holds the ids of the entries as a tree.
type Tree struct {
	Roots    []string
	Children map[string][]string
}

// Message is one message of the model's context.
type Message struct{ Role, Text string }

// Model is the model in use.
type Model struct{ Provider, ModelID string }

// LastText returns the text of the last message.
func (v *View) LastText() string {
	if len(v.Messages) == 0 {
		return ""
	}
	return v.Messages[len(v.Messages)-1].Text
}

// IsolateHome sets a new home and new directories for the explorer of a test.
func IsolateHome(t *testing.T) {
	t.Helper()
	for _, name := range []string{"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, t.TempDir())
	}
}

// WriteSummarizer writes a program for --summarizer that prints the summary "Generated.".
func WriteSummarizer(t *testing.T) string {
	t.Helper()
	script := filepath.Join(t.TempDir(), "summarize")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ncat >/dev/null\necho Generated.\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return script
}

// WriteIdleFile writes a session file that does not look live.
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

// MakeFileIdle sets the modification time of a file to an hour ago.
func MakeFileIdle(t *testing.T, file string) {
	t.Helper()
	before := time.Now().Add(-time.Hour)
	if err := os.Chtimes(file, before, before); err != nil {
		t.Fatal(err)
	}
}

// RunExplorer runs the built explorer and decodes its JSON output into result, unless
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

// ReadView returns what the explorer reads from a file.
func ReadView(t *testing.T, file string) View {
	t.Helper()
	v := ReadOutline(t, file)
	RunExplorer(t, &v, "context", file)
	return v
}

// ReadOutline is ReadView without the messages.
func ReadOutline(t *testing.T, file string) (v View) {
	t.Helper()
	var tree struct {
		Session struct {
			ID            string
			Leaf, Name    string // null for none
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
