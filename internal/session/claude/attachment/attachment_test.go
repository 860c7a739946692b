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
		{"compact_file_reference", "c.ts", "referenced: c.ts"},
		{"directory", "/home/dev/src", "/home/dev/src"},
		{"edited_text_file", "b.ts", "edited elsewhere: b.ts"},
		{"hook_success", "SessionStart:startup", "SessionStart hook"},
		{"hook_blocking_error", "Stop", "Stop hook blocked"},
		{"hook_non_blocking_error", "Stop", "Stop hook failed"},
		{"agent_listing_delta", "", "agent listing delta note"},
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
		{`{"type":"already_read_file","filename":"/p/a.ts","content":{"type":"text","file":{"content":"const b"}}}`, "const b", session.BlockFile},
		{`{"type":"selected_lines_in_ide","filename":"/p/a.ts","lineStart":2,"lineEnd":3,"content":"b\nc"}`, "b\nc", session.BlockFile},
		{`{"type":"directory","path":"/p/src","content":"a.ts\nb.ts"}`, "a.ts\nb.ts", session.BlockOutput},
		{`{"type":"file","filename":"/p/a.png","content":{"type":"image","file":{"base64":"","type":"image/png"}}}`, "is not in the file", session.BlockImage},
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

func TestReadBlocks_Image(t *testing.T) {
	v, err := jsonl.ParseObject([]byte(`{"type":"file","filename":"/p/a.png","content":{"type":"image","file":{"base64":"aGk=","type":"image/png"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	blocks := ReadBlocks(jsonl.ObjectFields(v))
	if len(blocks) != 1 || blocks[0].Kind != session.BlockImage || string(blocks[0].Data) != "hi" || blocks[0].Name != "image/png" {
		t.Errorf("%+v", blocks)
	}
}

func TestIsFromUser(t *testing.T) {
	for typ, want := range map[string]bool{"file": true, "directory": true, "selected_lines_in_ide": true, "nested_memory": false, "edited_text_file": false, "hook_success": false, "compact_file_reference": false, "": false} {
		if IsFromUser(typ) != want {
			t.Errorf("IsFromUser(%q) = %v", typ, !want)
		}
	}
}
