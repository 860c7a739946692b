package pi_test

import (
	"fmt"
	"strings"
	"testing"

	"sessiontree/internal/session/pi"
)

func TestCallLine(t *testing.T) {
	t.Parallel()
	long := "cd /home/dev/p && " + strings.Repeat("x", 200)
	for _, test := range []struct{ command, arg, line string }{
		{"ls -l", "ls -l", ""},
		{strings.Repeat("a", 50), strings.Repeat("a", 50), ""},
		{`cd /home/dev/project\n\tgo test ./... -run Something -count 1`, "cd /home/dev/project  go test ./... -run Something...", "cd /home/dev/project  go test ./... -run Something -count 1"},
		{long, long[:50] + "...", long[:160]},
	} {
		line := fmt.Sprintf(`{"type":"message","id":"a","parentId":null,"message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{"command":"%s"}}]}}`, test.command)
		r, err := pi.Format.ScanLine([]byte(line), "")
		if err != nil {
			t.Fatal(err)
		}
		if c := r.Entry.Calls()[0]; c.Arg != test.arg || c.CommandLine != test.line {
			t.Errorf("call of %q = %q, line %q; want %q, line %q", test.command, c.Arg, c.CommandLine, test.arg, test.line)
		}
	}
}

func TestCallLine_OhMyPi(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ tool, args, arg string }{
		{"ask", `{"questions":[{"id":"a","question":"Which bird?","options":[]}]}`, "Which bird?"},
		{"ask", `{"question":"Which?"}`, "Which?"},
		{"task", `{"context":"c","tasks":[{"name":"Looker","task":"look"},{"name":"Second","task":"look"}]}`, "Looker, Second"},
		{"task", `{"context":"c","tasks":[{"name":"Looker","task":"look"}]}`, "Looker"},
		{"task", `{"agent":"scout","task":"Find\nall"}`, "Find all"},
		{"todo", `{"op":"done","task":"Draw"}`, "Draw"},
		{"todo", `{"op":"view"}`, "view"},
		{"eval", `{"language":"py","code":"1 +\n1"}`, "1 + 1"},
		{"web_search", `{"query":"wren"}`, "wren"},
		{"lsp", `{"action":"hover","file":"a.go"}`, "hover"},
		{"web_search", `{"limit":5}`, `{"limit":5}`},
		{"mine", `{"query":"wren"}`, `{"query":"wren"}`},
		{"ask", `[1]`, `[1]`},
	} {
		line := fmt.Sprintf(`{"type":"message","id":"a","parentId":null,"message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":%q,"arguments":%s}]}}`, test.tool, test.args)
		r, err := pi.Format.ScanLine([]byte(line), "")
		if err != nil {
			t.Fatal(err)
		}
		if c := r.Entry.Calls()[0]; c.Arg != test.arg {
			t.Errorf("%s %s: %q, want %q", test.tool, test.args, c.Arg, test.arg)
		}
	}
}
