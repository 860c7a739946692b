//go:build e2eagents

package pi

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/e2e/agents"
	"sessiontree/e2e/agents/pi/realpi"
	"sessiontree/e2e/harness"
	"sessiontree/internal/testgen/transcript"
)

// secret is a key that an export replaces, and its replacement.
const (
	secret  = "ghp_1aB2cD3eF4gH5iJ6kL7mN8oP9qR0sT1uV2wX"
	instead = "[redacted: github token]"
)

// newSecretTalk returns a session with everything that an export may replace or omit.
func newSecretTalk() (talk, []byte) {
	t := newTalk()
	f := t.file
	f.AddThinkingReply("Quietly: "+secret, "Aloud: "+secret)
	f.AddBashCall("Trying it.", "echo "+secret, secret, false)
	f.AddPrompt("Look", transcript.ImageBlock([]byte("\x89PNG\r\n\x1a\n")))
	f.AddShellCommand("env", "TOKEN="+secret, 0)
	t.last = f.AddReply("There, with " + secret + ".")
	return t, f.Bytes()
}

// exportChanges returns exports of parts of a session with their expected results.
func exportChanges() []change {
	t, data := newSecretTalk()
	export := func(args ...string) []string { return append([]string{"export", "FILE", "-o", "FORK"}, args...) }
	whole, clean := "There, with "+secret+".", "There, with "+instead+"."
	marks := map[string]string{t.wrong: "wrong road", t.answer: "start"}
	all := []change{
		{name: "the tree", run: export("--redact", "none"), last: whole, labels: marks, named: "A walk"},
		{name: "the tree, redacted", run: export(), last: clean, labels: marks, named: "A walk"},
		{name: "the tree without", run: export("--without", "output,thinking,images"), last: clean, labels: marks, named: "A walk"},
		{name: "a path", run: export("--entry", t.dead, "--scope", "path", "--redact", "none"), last: "A dead end.", labels: marks, named: "A walk"},
		{name: "the path to the leaf, without", run: export("--scope", "path", "--without", "output,thinking,images", "--redact", "none"), last: whole, labels: map[string]string{t.wrong: "", t.answer: "start"}},
		{name: "a subtree", run: export("--entry", t.second), last: clean, labels: map[string]string{t.wrong: "", t.answer: "start"}, named: "A walk"},
		{name: "a bare subtree", run: export("--entry", t.second, "--bare", "--without", "thinking"), last: clean, labels: map[string]string{t.answer: ""}, named: "A walk"},
		{name: "one line of a subtree", run: export("--entry", t.first, "--to", t.dead, "--redact", "none"), last: "A dead end.", labels: marks, named: "A walk"},
		{name: "one bare line, redacted", run: export("--entry", t.second, "--bare", "--to", t.last), last: clean, named: "A walk"},
	}
	for i := range all { // labels and name are set, and the leaf is the last answer
		if all[i].file, all[i].leaf = data, t.last; all[i].last == "A dead end." {
			all[i].leaf = t.dead
		}
	}
	for version, d := range map[string]transcript.Dialect{"version 1": transcript.V1, "version 2": transcript.V2, "the draft": transcript.Draft} {
		all = append(all, change{name: version, file: oldVersionSession(d), run: export("--without", "output"), last: "Now is now."})
	}
	for i := range all {
		all[i].forked = true
	}
	return all
}

// The real pi opens exported sessions like its own, and they contain nothing that was
// replaced or omitted.
func TestExportedFiles(t *testing.T) {
	agents.IsolateHome(t)
	all, dir := exportChanges(), t.TempDir()
	server := harness.StartServer(t, dir)
	var files []string
	for i, c := range all {
		files = append(files, c.applyToCopy(t, server, filepath.Join(dir, strings.ReplaceAll(c.name, " ", "-")), i))
	}
	for _, pi := range realpi.InstalledVersions(t) {
		views := pi.OpenFiles(t, files...)
		for i, c := range all {
			t.Run(pi.Name+"/"+c.name, func(t *testing.T) {
				c.checkFile(t, files[i], &views[i])
				c.checkText(t, files[i])
			})
		}
	}
}

// checkText checks the text of the file.
func (c *change) checkText(t *testing.T, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	args := strings.Join(c.run, " ")
	if gone := !strings.Contains(args, "--redact none"); gone && strings.Contains(string(data), secret) {
		t.Errorf("%s stays in it", secret)
	}
	for flag, words := range map[string][]string{"output": {`"TOKEN=`, `"package main`, `"-1 a`}, "thinking": {"Quietly"}, "images": {"iVBORw0KGgo"}} {
		_, without, _ := strings.Cut(args, "--without ")
		for _, word := range words {
			if strings.Contains(without, flag) && strings.Contains(string(data), word) {
				t.Errorf("without %s there is %s", flag, word)
			}
		}
	}
}
