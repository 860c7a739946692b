//go:build e2eagents

package omp

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sessiontree/e2e/agents"
)

// oh-my-pi opens sessions that the explorer changed. It reads the same content, has
// nothing to rewrite, sends the context that the explorer lists, and continues at the
// leaf.
func TestChangedFiles(t *testing.T) {
	agents.IsolateHome(t)
	w := newWorkdir(t)
	at := playSession(t, w)
	checkChanges(t, w, append(playedChanges(t, at), otherChanges(t, at)...), openFiles)
}

// The same with an oh-my-pi that is started with the file.
func TestChangedFiles_Resumed(t *testing.T) {
	agents.IsolateHome(t)
	w := newWorkdir(t)
	at := playSession(t, w)
	var some []change
	for _, c := range append(playedChanges(t, at), otherChanges(t, at)...) {
		switch c.name {
		case "branch with a label", "one after the other", "omp18-no-slot/input, labeled and branched":
			some = append(some, c)
		}
	}
	if len(some) != 3 {
		t.Fatalf("%d changes, want 3", len(some))
	}
	checkChanges(t, w, some, resumeFiles)
}

// changedCopy is a change applied to a copy.
type changedCopy struct {
	change
	file, dir string // the file to open, and the directory of the session
	want      agents.View
	before    []byte
}

func checkChanges(t *testing.T, w workdir, all []change, open func(*testing.T, workdir, ...string) []view) {
	t.Helper()
	var files []string
	var ready []changedCopy
	for i, c := range all {
		ready = append(ready, c.applyToCopy(t, w, i))
		files = append(files, ready[i].file)
	}
	for i, v := range open(t, w, files...) {
		t.Run(ready[i].name, func(t *testing.T) { ready[i].checkFile(t, &v) })
	}
}

// applyToCopy applies the change to a copy of its session.
func (c change) applyToCopy(t *testing.T, w workdir, n int) changedCopy {
	t.Helper()
	dir := t.TempDir()
	file, out := c.from.writeCopy(t, w, dir, numberedID(n)), filepath.Join(dir, "out.jsonl")
	recorded := agents.ReadOutline(t, file)
	original, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m := changedCopy{change: c, file: file, dir: filepath.Join(dir, "session")}
	for _, args := range c.run {
		if strings.Contains(strings.Join(args, " "), "OUT") {
			m.file = out
		}
		first, last := recorded.Entries[0], recorded.Entries[len(recorded.Entries)-1]
		fill := strings.NewReplacer("FILE", file, "OUT", out, "FIRST", first, "LAST", last)
		filled := append([]string(nil), args...)
		for i := range filled {
			filled[i] = fill.Replace(filled[i])
		}
		agents.RunExplorer(t, nil, filled...)
	}
	if m.before, err = os.ReadFile(m.file); err != nil {
		t.Fatal(err)
	}
	if m.want = agents.ReadView(t, m.file); c.same { // only the explorer knows a name that the file cannot hold
		m.want.Name = recorded.Name
	}
	if changed := !bytes.Equal(original, m.before); m.file == file && changed == c.same {
		t.Errorf("%s: changed = %v", c.name, changed)
	}
	return m
}

func (m *changedCopy) checkFile(t *testing.T, v *view) {
	if v.Refused != "" {
		t.Fatalf("refused: %s", v.Refused)
	}
	if v.Rewrote {
		t.Error("opening the file changed it")
	}
	ignored := cmpopts.IgnoreFields(agents.View{}, "Version", "Parent", "Model", "Thinking", "Messages", "Rewrote", "After")
	if diff := cmp.Diff(m.want, v.View, ignored, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("- as the explorer sees it, + as oh-my-pi does:\n%s", diff)
	}
	checkMessages(t, m.want.Messages, v)
	if m.last != "" && v.LastText() != m.last {
		t.Errorf("the model is sent %q last, want %q", v.LastText(), m.last)
	}
	for id, label := range m.labels {
		if v.Labels[id] != label {
			t.Errorf("label of %s: %q, want %q", id, v.Labels[id], label)
		}
	}
	if name := strings.TrimPrefix(m.named, "-"); m.named != "" && v.Name != name {
		t.Errorf("named %q, want %q", v.Name, name)
	}
	if diff := cmp.Diff(m.from.siblings, readDir(t, m.dir)); m.from.siblings != nil && diff != "" {
		t.Errorf("what oh-my-pi keeps beside the file:\n%s", diff)
	}
	m.checkContinued(t, v)
}

// checkContinued checks that the next prompt is a child of the leaf, and that the
// explorer can read the file again.
func (m *changedCopy) checkContinued(t *testing.T, v *view) {
	t.Helper()
	added, ok := bytes.CutPrefix(v.After, m.before)
	var prompt struct{ ParentID string }
	if err := json.NewDecoder(bytes.NewReader(added)).Decode(&prompt); !m.rewrite && (!ok || err != nil || prompt.ParentID != v.Leaf) {
		t.Errorf("oh-my-pi went on with %.300q (%v) below %q, want below the leaf %q", added, err, prompt.ParentID, v.Leaf)
	}
	after := filepath.Join(t.TempDir(), "session.jsonl")
	agents.WriteIdleFile(t, after, v.After)
	again := agents.ReadView(t, after)
	if want := len(m.want.Entries); len(again.Entries) < want+2 || !cmp.Equal(m.want.Entries, again.Entries[:want]) {
		t.Errorf("after oh-my-pi went on there are the entries %q, want %q and more", again.Entries, m.want.Entries)
	}
	if again.LastText() != "You said: On with it" || len(again.Messages) != len(m.want.Messages)+2 {
		t.Errorf("after oh-my-pi went on the model is sent %d messages, the last %q", len(again.Messages), again.LastText())
	}
}
