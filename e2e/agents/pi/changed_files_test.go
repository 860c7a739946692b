//go:build e2eagents

package pi

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sessiontree/e2e/agents"
	"sessiontree/e2e/agents/pi/realpi"
	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// talk is a session with everything that a change may meet, and the ids in it.
type talk struct {
	file                       *transcript.File
	first, answer, wrong, dead string // entries of the abandoned branch
	unanswered                 string // a branch of a single prompt
	second, third, last        string
}

func newTalk() talk {
	f := transcript.New(transcript.Pi, "0198a000-0000-7000-8000-000000000001", "/project", harness.SessionStart)
	t := talk{file: f}
	f.AddModelChange("anthropic", "claude-sonnet-4-5")
	f.AddThinkingChange("medium")
	t.first = f.AddPrompt("Where do we begin?")
	f.AddReadCall("Looking.", "/project/main.go", "package main")
	t.answer = f.AddReply("At the beginning.")
	t.wrong = f.AddPrompt("Down the wrong road")
	f.AddEditCall("Changing it.", "/project/road.go", "a", "b", "-1 a\n+1 b")
	t.dead = f.AddReply("A dead end.")
	f.AddLabel(t.wrong, "wrong road")
	f.BranchFrom(t.answer)
	t.unanswered = f.AddPrompt("Nobody answers this")
	f.BranchFrom(t.answer)
	t.second = f.AddPrompt("The right road")
	kept := f.AddLabel(t.answer, "start")
	t.third = f.AddReply("Getting there.")
	f.AddCompaction("What came before", kept)
	f.AddName("A walk")
	f.AddPrompt("Almost")
	t.last = f.AddReply("There.")
	return t
}

// deadEnd returns the session with an older line that another writer appended to the
// abandoned branch.
func (t talk) deadEnd() []byte {
	t.file.WriteRaw(`{"type":"custom","id":"0000dead","parentId":"` + t.dead + `","timestamp":"2026-02-03T08:00:00.000Z","customType":"x"}`)
	return t.file.Bytes()
}

// oldVersionSession returns a session in version 1, version 2 or the draft of the format.
func oldVersionSession(d transcript.Dialect) []byte {
	f := transcript.New(d, "0198a000-0000-7000-8000-000000000002", "/project", harness.SessionStart)
	f.AddPrompt("In the old days")
	kept := f.AddReply("They were good.")
	f.AddPrompt("Were they?")
	f.AddMessage("hookMessage", "customType", "note", "content", "From a hook", "display", true)
	if d == transcript.V1 {
		f.AddEntry("compaction", "summary", "Old days", "firstKeptEntryIndex", 2, "tokensBefore", 100)
	} else {
		f.AddCompaction("Old days", kept)
	}
	f.AddPrompt("And now?")
	f.AddReply("Now is now.")
	return f.Bytes()
}

// generated is the context message of a summary that the script below wrote. A generated
// summary has the same introduction as pi's own.
const generated = "The user explored another branch of this conversation before coming back here. Summary of that branch:\n\nGenerated."

// change is a change made with the built explorer and its expected result for both
// programs.
type change struct {
	name string
	file []byte
	run  []string   // FILE is replaced by the session's path
	then [][]string // a second command
	post string     // instead of a command: a request of a browser

	last   string            // last message of the model's context
	labels map[string]string // expected labels, "" for none
	named  string
	leaf   string // expected leaf, "" for any
	forked bool
}

func allChanges(script string) []change {
	t := newTalk()
	data, dead := t.file.Bytes(), newTalk().deadEnd()
	torn := append(newTalk().file.Bytes(), `{"type":"message","id":"0000torn","par`...)
	all := []change{
		{name: "label", run: []string{"label", "FILE", t.last, "goal ✓"}, last: "There.", labels: map[string]string{t.last: "goal ✓", t.answer: "start"}},
		{name: "label elsewhere", run: []string{"label", "FILE", t.dead, "x"}, last: "There.", labels: map[string]string{t.dead: "x"}},
		{name: "clear", run: []string{"label", "FILE", t.wrong}, last: "There.", labels: map[string]string{t.wrong: ""}},
		{name: "rename", run: []string{"rename", "FILE", "Another walk"}, last: "There.", named: "Another walk"},
		{name: "rename to nothing", run: []string{"rename", "FILE", ""}, last: "There.", named: "-"},
		{name: "branch", run: []string{"branch", "FILE", t.third}, last: "Getting there."},
		{name: "branch at a prompt", run: []string{"branch", "FILE", t.second}, last: "At the beginning."},
		{name: "branch with a label", run: []string{"branch", "FILE", t.third, "--label", "here"}, last: "Getting there.", labels: map[string]string{t.third: "here"}},
		{name: "branch with a summary", run: []string{"branch", "FILE", t.dead, "--summary", "It was right."}, last: "It was right."},
		{name: "branch with both", run: []string{"branch", "FILE", t.second, "--summary", "It was right.", "--label", "tried"}, last: "It was right."},
		{name: "branch with a generated summary", run: []string{"branch", "FILE", t.answer, "--summarize", "--summarizer", script}, last: generated},
		{name: "before the first", run: []string{"branch", "FILE", "none"}},
		{name: "before the first with a summary", run: []string{"branch", "FILE", "none", "--summary", "All of it."}, last: "All of it."},
		{name: "before the first prompt", run: []string{"branch", "FILE", t.first}},
		{name: "switch", run: []string{"switch", "FILE", t.dead}, last: "A dead end."},
		{name: "switch to a prompt", run: []string{"switch", "FILE", t.unanswered}, last: "Nobody answers this"},
		{name: "pop", run: []string{"pop", "FILE"}, last: "Getting there."},
		{name: "pop with a summary", run: []string{"pop", "FILE", t.second, "--summarize", "--summarizer", script}, last: generated},
		{name: "cherry-pick", run: []string{"cherry-pick", "FILE", t.dead}, last: "A dead end."},
		{name: "merge", run: []string{"merge", "FILE", t.dead}, last: "A dead end."},
		{name: "fork", run: []string{"fork", "FILE", t.last, "-o", "FORK"}, last: "There.", labels: map[string]string{t.answer: "start"}, forked: true},
		{name: "fork of a branch", run: []string{"fork", "FILE", t.wrong, "-o", "FORK"}, last: "Down the wrong road", forked: true},
		{name: "repair", file: dead, post: "repair", last: "There."},
		{name: "end the line", file: torn, post: "end-line", last: "There."},
		{name: "one after the other", run: []string{"branch", "FILE", t.dead, "--summary", "It was right."}, last: "There.", named: "To and fro",
			labels: map[string]string{t.first: "top"}, then: [][]string{
				{"label", "FILE", t.first, "top"}, {"cherry-pick", "FILE", t.third}, {"pop", "FILE"}, {"rename", "FILE", "To and fro"}, {"switch", "FILE", t.last}}},
	}
	for i := range all {
		if all[i].file == nil {
			all[i].file = data
		}
	}
	for version, d := range map[string]transcript.Dialect{"version 1": transcript.V1, "version 2": transcript.V2, "the draft": transcript.Draft} {
		all = append(all, change{name: "migrate " + version, file: oldVersionSession(d), run: []string{"migrate", "FILE"}, last: "Now is now."},
			change{name: "fork of " + version, file: oldVersionSession(d), run: []string{"fork", "FILE", "LAST", "-o", "FORK"}, last: "Now is now.", forked: true},
			change{name: "label and migrate " + version, file: oldVersionSession(d), run: []string{"label", "FILE", "LAST", "kept"}, last: "Now is now.",
				then: [][]string{{"migrate", "FILE"}, {"branch", "FILE", "LAST-PROMPT", "--summary", "Old."}, {"pop", "FILE"}, {"switch", "FILE", "LABELED"}}})
	}
	return all
}

// The real pi opens sessions that the explorer changed. It reads the same content, has
// nothing to rewrite, and continues at the leaf.
func TestChangedFiles(t *testing.T) {
	agents.IsolateHome(t)
	all := allChanges(agents.WriteSummarizer(t))
	dir := t.TempDir()
	server := harness.StartServer(t, dir)
	var files []string
	for i, c := range all {
		files = append(files, c.applyToCopy(t, server, filepath.Join(dir, strings.ReplaceAll(c.name, " ", "-")), i))
	}
	for _, pi := range realpi.InstalledVersions(t) {
		views := pi.OpenFiles(t, files...)
		for i, c := range all {
			t.Run(pi.Name+"/"+c.name, func(t *testing.T) { c.checkFile(t, files[i], &views[i]) })
		}
	}
}

// applyToCopy applies the change to a new session and returns the resulting file.
func (c *change) applyToCopy(t *testing.T, server *harness.Server, dir string, n int) string {
	t.Helper()
	file, fork := filepath.Join(dir, "session.jsonl"), filepath.Join(dir, "fork.jsonl")
	id := "0198a000-0000-7000-8000-0000000001" + string([]byte{'0' + byte(n/10), '0' + byte(n%10)})
	data := strings.NewReplacer("0198a000-0000-7000-8000-000000000001", id, "0198a000-0000-7000-8000-000000000002", id).Replace(string(c.file))
	agents.WriteIdleFile(t, file, []byte(data))
	if c.post != "" {
		page := "/sessions/" + server.SessionKey(file)
		harness.Until(t, "the session to be listed", func() bool {
			resp, _ := server.GetPage(page)
			return resp.StatusCode == http.StatusOK
		})
		postForm(t, server.URL+page+"/"+c.post)
		return file
	}
	for _, args := range append([][]string{c.run}, c.then...) {
		if args[0] == "migrate" { // a label in a sidecar does not change the file's time
			agents.MakeFileIdle(t, file)
		}
		agents.RunExplorer(t, nil, fillArguments(t, args, file, fork)...)
	}
	if c.forked {
		return fork
	}
	return file
}

// fillArguments replaces placeholders in a command line by paths and ids.
func fillArguments(t *testing.T, args []string, file, fork string) []string {
	t.Helper()
	out := append([]string(nil), args...)
	for i, arg := range out {
		switch arg {
		case "FILE":
			out[i] = file
		case "FORK":
			out[i] = fork
		case "LAST", "LAST-PROMPT", "LABELED":
			out[i] = findID(t, file, arg)
		}
	}
	return out
}

func findID(t *testing.T, file, which string) string {
	t.Helper()
	seen := agents.ReadView(t, file)
	if which == "LABELED" {
		for id := range seen.Labels {
			return id
		}
		t.Fatalf("%s holds no label", file)
	}
	back := 1
	if which == "LAST-PROMPT" { // the answer and the label that was moved into the file follow it
		back = 3
	}
	return seen.Entries[len(seen.Entries)-back]
}

func postForm(t *testing.T, address string) {
	t.Helper()
	resp, err := http.Post(address+"?part=dialog", "application/x-www-form-urlencoded", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("POST %s: %s", address, resp.Status)
	}
}

func (c *change) checkFile(t *testing.T, file string, pi *agents.View) {
	if pi.Refused != "" {
		t.Fatalf("refused: %s", pi.Refused)
	}
	if pi.Rewrote {
		t.Error("opening the file changed it")
	}
	want := agents.ReadView(t, file)
	ignored := cmpopts.IgnoreFields(agents.View{}, "Rewrote", "Agent", "After")
	if diff := cmp.Diff(want, *pi, ignored, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("- as the explorer sees it, + as pi %s does:\n%s", pi.Agent, diff)
	}
	if c.leaf != "" && pi.Leaf != c.leaf {
		t.Errorf("pi stands at %s, want %s", pi.Leaf, c.leaf)
	}
	if pi.LastText() != c.last {
		t.Errorf("the model hears %q last, want %q", pi.LastText(), c.last)
	}
	for id, label := range c.labels {
		if pi.Labels[id] != label {
			t.Errorf("label of %s: %q, want %q", id, pi.Labels[id], label)
		}
	}
	if name := strings.TrimPrefix(c.named, "-"); c.named != "" && pi.Name != name {
		t.Errorf("named %q, want %q", pi.Name, name)
	}
	c.checkContinued(t, file, pi)
}

// checkContinued checks that pi's next prompt is a child of the leaf, and that the
// explorer can read the file again.
func (c *change) checkContinued(t *testing.T, file string, pi *agents.View) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	added, ok := strings.CutPrefix(string(pi.After), string(data))
	var prompt struct{ ParentID string }
	if err := json.NewDecoder(strings.NewReader(added)).Decode(&prompt); !ok || err != nil || prompt.ParentID != pi.Leaf {
		t.Errorf("pi went on with %.300q (%v) below %q, want below the leaf %q", added, err, prompt.ParentID, pi.Leaf)
	}
	after := filepath.Join(t.TempDir(), "session.jsonl")
	if err := os.WriteFile(after, pi.After, 0o644); err != nil {
		t.Fatal(err)
	}
	if again := agents.ReadView(t, after); again.LastText() != "As you say" || len(again.Messages) != len(pi.Messages)+2 {
		t.Errorf("after pi went on the model hears %d messages, the last %q", len(again.Messages), again.LastText())
	}
}
