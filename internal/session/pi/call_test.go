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
