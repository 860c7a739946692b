//go:build e2eagents

package omp

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sessiontree/e2e/agents"
)

// With any entry as the leaf, oh-my-pi sends the messages that the explorer lists.
func TestContext(t *testing.T) {
	agents.IsolateHome(t)
	w := newWorkdir(t)
	steps := playSession(t, w)
	var places []leafCopy
	for _, s := range append(syntheticSources(t), unsentAnswersSource(), readSource(t, "played", steps["last"].File), readSource(t, "reset", steps["after the reset"].File)) {
		places = append(places, copyToEach(t, w, s, len(places))...)
	}
	for _, s := range recordedSources(t) {
		places = append(places, copyTo(t, w, s, "", len(places)))
	}
	var files []string
	for _, p := range places {
		files = append(files, p.file)
	}
	for i, v := range openFiles(t, w, files...) {
		t.Run(places[i].name, func(t *testing.T) {
			if v.Refused != "" {
				t.Fatalf("refused: %s", v.Refused)
			}
			checkMessages(t, places[i].want, &v)
		})
	}
}

// leafCopy is a copy of a session with some entry as its leaf.
type leafCopy struct {
	name, file string
	want       []agents.Message
}

// copyToEach copies a session once unchanged and once for each entry as the leaf.
func copyToEach(t *testing.T, w workdir, s source, from int) []leafCopy {
	t.Helper()
	all := []leafCopy{copyTo(t, w, s, "", from)}
	for i, entry := range agents.ReadOutline(t, all[0].file).Entries {
		all = append(all, copyTo(t, w, s, entry, from+1+i))
	}
	return all
}

// copyTo copies a session and makes an entry, or none, its leaf.
func copyTo(t *testing.T, w workdir, s source, entry string, n int) leafCopy {
	t.Helper()
	p := leafCopy{name: s.name + " at " + entry, file: s.writeCopy(t, w, t.TempDir(), numberedID(n))}
	if entry != "" {
		agents.RunExplorer(t, nil, "branch", "--", p.file, entry)
	}
	var context agents.View
	agents.RunExplorer(t, &context, "context", p.file)
	p.want = context.Messages
	return p
}

func numberedID(n int) string { return fmt.Sprintf("0198a000-0000-7000-8000-%012d", n) }

// checkMessages compares the messages that the explorer lists with oh-my-pi's context and
// its request.
func checkMessages(t *testing.T, want []agents.Message, v *view) {
	t.Helper()
	if !slices.Equal(want, v.Messages) {
		t.Errorf("the explorer lists\n%q\noh-my-pi has\n%q", want, v.Messages)
	}
	if len(v.Sent) == 0 || v.Sent[0].Role != "system" {
		t.Fatalf("the request begins with %.200q", v.Sent)
	}
	sent := v.Sent[1:]
	for _, m := range append(slices.Clone(want), agents.Message{Role: "user", Text: "On with it"}) {
		role, is := requestMessage(m)
		if role == "" {
			continue
		}
		if len(sent) == 0 || sent[0].Role != role || !is(sent[0].Text) {
			t.Fatalf("%q is not what is sent next: %.300q", m, sent)
		}
		sent = sent[1:]
	}
	if len(sent) > 0 {
		t.Errorf("more is sent: %.300q", sent)
	}
}

// thinkingPattern matches thinking that precedes the answer of another model.
var thinkingPattern = regexp.MustCompile(`^<thinking>\n(?s:.*?)\n</thinking>\n?`)

// requestMessage returns the role of a message in a request, "" if it is not sent, and a
// check of its text there.
func requestMessage(m agents.Message) (role string, is func(string) bool) {
	same := func(text string) bool { return text == m.Text }
	switch m.Role {
	case "user", "developer", "custom":
		return "user", same
	case "assistant":
		return "assistant", func(text string) bool { return thinkingPattern.ReplaceAllString(text, "") == m.Text }
	case "toolResult":
		return "tool", same
	case "bashExecution":
		return "user", func(text string) bool { return strings.HasPrefix(text, "Ran `"+m.Text+"`") }
	case "pythonExecution":
		return "user", func(text string) bool { return strings.HasPrefix(text, "Ran Python:\n```python\n"+m.Text+"\n") }
	case "fileMention":
		return "user", func(text string) bool { return strings.HasPrefix(text, "<file path=") }
	case "branchSummary", "compactionSummary":
		return "user", func(text string) bool { return strings.Contains(text, m.Text) }
	}
	return "", nil
}
