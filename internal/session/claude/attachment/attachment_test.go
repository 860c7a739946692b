package attachment

import (
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

func TestName(t *testing.T) {
	for _, c := range []struct{ typ, subject, want string }{
		{"nested_memory", "/home/dev/proj/CLAUDE.md", "CLAUDE.md"},
		{"nested_memory", `C:\proj\CLAUDE.md`, "CLAUDE.md"},
		{"file", "/home/dev/a.ts", "/home/dev/a.ts"},
		{"edited_text_file", "b.ts", "edited elsewhere: b.ts"},
		{"hook_success", "SessionStart:startup", "SessionStart hook"},
		{"hook_blocking_error", "Stop", "Stop hook blocked"},
		{"hook_non_blocking_error", "Stop", "Stop hook failed"},
		{"total_tokens_reminder", "", "total tokens reminder"},
		{"novel_thing", "x", "novel thing: x"},
	} {
		if got := Name(c.typ, c.subject); got != c.want {
			t.Errorf("Name(%q, %q) = %q, want %q", c.typ, c.subject, got, c.want)
		}
	}
}

func TestReadBlocks(t *testing.T) {
	for _, c := range []struct {
		line, text string
		kind       session.BlockKind
	}{
		{`{"type":"nested_memory","path":"/p/CLAUDE.md","content":{"path":"/p/CLAUDE.md","content":"be brief"}}`, "be brief", session.BlockFile},
		{`{"type":"file","filename":"/p/a.ts","content":{"type":"text","file":{"content":"const a"}}}`, "const a", session.BlockFile},
		{`{"type":"edited_text_file","filename":"/p/a.ts","snippet":"1 x"}`, "1 x", session.BlockOutput},
		{`{"type":"hook_success","hookName":"Stop","command":"lint","stdout":"ok","content":"ignored"}`, "$ lint\nok", session.BlockOutput},
		{`{"type":"hook_success","hookName":"Stop","content":"done"}`, "done", session.BlockOutput},
		{`{"type":"hook_success","hookName":"Stop","content":["x"]}`, "", 0},
		{`{"type":"file","filename":"/p/a.png"}`, "", 0},
		{`{"type":"task_reminder","content":[]}`, "", 0},
	} {
		v, err := jsonl.ParseObject([]byte(c.line))
		if err != nil {
			t.Fatal(err)
		}
		blocks := ReadBlocks(jsonl.ObjectFields(v))
		switch {
		case c.text == "" && len(blocks) == 0:
		case len(blocks) != 1 || blocks[0].Text != c.text || blocks[0].Kind != c.kind:
			t.Errorf("%s: %+v, want %q of kind %d", c.line, blocks, c.text, c.kind)
		}
	}
}
