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

// Whatever entry is the leaf, oh-my-pi sends the messages that the explorer lists.
func TestContext(t *testing.T) {
	agents.Isolate(t)
	w := newWorkdir(t)
	steps := play(t, w)
	var places []place
	for _, s := range append(vectors(t), stumbling(), read(t, "played", steps["last"].File), read(t, "reset", steps["after the reset"].File)) {
		places = append(places, copyToEach(t, w, s, len(places))...)
	}
	for _, s := range recorded(t) {
		places = append(places, copyTo(t, w, s, "", len(places)))
	}
	var files []string
	for _, p := range places {
		files = append(files, p.file)
	}
	for i, v := range open(t, w, files...) {
		t.Run(places[i].name, func(t *testing.T) {
			if v.Refused != "" {
				t.Fatalf("refused: %s", v.Refused)
			}
			checkMessages(t, places[i].want, &v)
		})
	}
}

// place is a session with some entry as its leaf.
type place struct {
	name, file string
	want       []agents.Message
}

// copyToEach copies a session once as it is and once for each entry as the leaf.
func copyToEach(t *testing.T, w workdir, s source, from int) []place {
	t.Helper()
	all := []place{copyTo(t, w, s, "", from)}
	for i, entry := range agents.Outline(t, all[0].file).Entries {
		all = append(all, copyTo(t, w, s, entry, from+1+i))
	}
	return all
}

// copyTo copies a session and makes an entry its leaf, or none.
func copyTo(t *testing.T, w workdir, s source, entry string, n int) place {
	t.Helper()
	p := place{name: s.name + " at " + entry, file: s.write(t, w, t.TempDir(), newID(n))}
	if entry != "" {
		agents.Explorer(t, nil, "branch", "--", p.file, entry)
	}
	var context agents.View
	agents.Explorer(t, &context, "context", p.file)
	p.want = context.Messages
	return p
}

func newID(n int) string { return fmt.Sprintf("0198a000-0000-7000-8000-%012d", n) }

// checkMessages compares the messages that the explorer lists with those that
// oh-my-pi has in mind, and with those of its request.
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
		role, is := wire(m)
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

// thinking stands before the answer of another model.
var thinking = regexp.MustCompile(`^<thinking>\n(?s:.*?)\n</thinking>\n?`)

// wire returns the role of a message in a request, "" when it is not sent, and
// what is true of its text there.
func wire(m agents.Message) (role string, is func(string) bool) {
	same := func(text string) bool { return text == m.Text }
	switch m.Role {
	case "user", "developer", "custom":
		return "user", same
	case "assistant":
		return "assistant", func(text string) bool { return thinking.ReplaceAllString(text, "") == m.Text }
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
