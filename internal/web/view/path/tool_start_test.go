package path_test

import (
	"strings"
	"testing"

	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
	"sessiontree/internal/web/viewtest"
	"sessiontree/web/components"
)

// oh-my-pi records when a tool starts. The tool shows it, so that the record has a line of its own
// only where it is viewed.
func TestToolStart(t *testing.T) {
	start := func(id, parent, call string) string {
		return `{"type":"custom","customType":"tool_execution_start","data":{"toolCallId":"` + call + `","toolName":"bash","args":{"command":"ls"}},"id":"` + id + `","parentId":"` + parent + `","timestamp":"2026-03-01T10:00:03.000Z"}`
	}
	result := func(id, parent, call string) string {
		return `{"type":"message","id":"` + id + `","parentId":"` + parent + `","timestamp":"2026-03-01T10:00:04.000Z","message":{"role":"toolResult","toolCallId":"` + call + `","toolName":"bash","content":[{"type":"text","text":"done"}],"isError":false}}`
	}
	sess := viewtest.Open(t, strings.Join([]string{
		`{"type":"session","version":3,"id":"s","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/p"}`,
		`{"type":"message","id":"u1","parentId":null,"timestamp":"2026-03-01T10:00:01.000Z","message":{"role":"user","content":"List."}}`,
		`{"type":"message","id":"a1","parentId":"u1","timestamp":"2026-03-01T10:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"Both."},{"type":"toolCall","id":"k1","name":"bash","arguments":{"command":"ls"}},{"type":"toolCall","id":"k2","name":"bash","arguments":{"command":"ls"}}],"provider":"p","model":"m","stopReason":"toolUse"}}`,
		start("s1", "a1", "k1"), start("s2", "s1", "k2"), result("r1", "s2", "k1"), result("r2", "r1", "k2"),
	}, "\n")+"\n")
	for viewed, want := range map[string]string{"": "user answer tools(2) end", "r2": "user answer tools(2) end", "s2": "user answer tools(2) note end"} {
		var kinds []string
		for _, item := range viewtest.PathOf(t, sess, view.Params{Entry: viewed}, path.Query{}).Items {
			switch m := item.(type) {
			case *components.UserItem:
				kinds = append(kinds, "user")
			case *components.AnswerItem:
				kinds = append(kinds, "answer")
			case *components.ToolGroup:
				kinds = append(kinds, "tools("+string(rune('0'+len(m.Tools)))+")")
			case *components.NoteItem:
				kinds = append(kinds, "note")
			case *components.PathEnd:
				kinds = append(kinds, "end")
			}
		}
		if got := strings.Join(kinds, " "); got != want {
			t.Errorf("viewing %q: %s, want %s", viewed, got, want)
		}
	}
}
