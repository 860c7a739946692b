package claude

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
)

func TestStrip(t *testing.T) {
	t.Parallel()
	output, thinking, images := session.Omissions{Output: true}, session.Omissions{Thinking: true}, session.Omissions{Images: true}
	data := strings.Repeat("aGkh", 20)
	image := `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + data + `"}}`
	for _, c := range []struct {
		name     string
		without  session.Omissions
		in, want string
	}{
		{"a result", output,
			`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"c","content":"secret","is_error":true}]},"toolUseResult":{"stdout":"secret","stderr":"","interrupted":false,"structuredPatch":[{"lines":["+secret"]}]},"uuid":"u"} `,
			`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"c","content":"[left out]","is_error":true}]},"toolUseResult":{"stdout":"[left out]","stderr":"","interrupted":false,"structuredPatch":[]},"uuid":"u"}`},
		{"a result of blocks", output,
			`{"type":"user","message":{"content":[{"type":"tool_result","content":[{"type":"text","text":"secret"},` + image + `]}]},"toolUseResult":"Error: secret"}`,
			`{"type":"user","message":{"content":[{"type":"tool_result","content":[{"type":"text","text":"[left out]"}]}]},"toolUseResult":"[left out]"}`},
		{"an agent's result", output,
			`{"type":"user","toolUseResult":{"status":"completed","agentId":"a1","prompt":"look","content":[{"type":"text","text":"secret"}],"totalTokens":5}}`,
			`{"type":"user","toolUseResult":{"status":"completed","agentId":"a1","prompt":"look","content":[{"type":"text","text":"[left out]"}],"totalTokens":5}}`},
		{"a file", output,
			`{"type":"user","toolUseResult":{"type":"text","file":{"filePath":"/a","content":"secret","numLines":1}}}`,
			`{"type":"user","toolUseResult":{"type":"text","file":{"filePath":"/a","content":"[left out]","numLines":1}}}`},
		{"a command of the user's", output,
			`{"type":"user","message":{"content":"<bash-stdout>secret</bash-stdout><bash-stderr></bash-stderr>"}}`,
			`{"type":"user","message":{"content":"<bash-stdout>[left out]</bash-stdout><bash-stderr></bash-stderr>"}}`},
		{"a command of the program's", output,
			`{"type":"system","subtype":"local_command","content":"<local-command-stdout>se\ncret</local-command-stdout>"}`,
			`{"type":"system","subtype":"local_command","content":"<local-command-stdout>[left out]</local-command-stdout>"}`},
		{"a task", output,
			`{"type":"user","message":{"content":"<task-notification><task-id>t</task-id><summary>done</summary><result>secret</result></task-notification>"}}`,
			`{"type":"user","message":{"content":"<task-notification><task-id>t</task-id><summary>done</summary><result>[left out]</result></task-notification>"}}`},
		{"a prompt about tags", output,
			`{"type":"user","message":{"content":"what is <bash-stdout>this</bash-stdout>?"}}`, `{"type":"user","message":{"content":"what is <bash-stdout>this</bash-stdout>?"}}`},
		{"an attachment", output,
			`{"type":"attachment","attachment":{"type":"file","filename":"/a","content":{"type":"text","file":{"content":"secret"}}}}`,
			`{"type":"attachment","attachment":{"type":"file","filename":"/a","content":{"type":"text","file":{"content":"[left out]"}}}}`},
		{"what was written meanwhile", output,
			`{"type":"attachment","attachment":{"type":"queued_command","prompt":"go on"}}`, `{"type":"attachment","attachment":{"type":"queued_command","prompt":"go on"}}`},
		{"an attachment as the model was sent it", output,
			`{"type":"attachment","attachment":{"type":"file"},"rendered":[{"content":"secret"}],"renderedRole":"user"}`,
			`{"type":"attachment","attachment":{"type":"file"},"rendered":[{"content":"[left out]"}],"renderedRole":"user"}`},
		{"what was written meanwhile as the model was sent it", output,
			`{"type":"attachment","attachment":{"type":"queued_command","prompt":"go on"},"rendered":[{"content":"go on"}]}`,
			`{"type":"attachment","attachment":{"type":"queued_command","prompt":"go on"},"rendered":[{"content":"go on"}]}`},
		{"blocks of an attachment as the model was sent it", output,
			`{"type":"attachment","attachment":{"type":"file"},"rendered":[{"content":[{"type":"text","text":"secret"},` + image + `]}]}`,
			`{"type":"attachment","attachment":{"type":"file"},"rendered":[{"content":[{"type":"text","text":"[left out]"}]}]}`},
		{"images of an attachment as the model was sent it", images,
			`{"type":"attachment","attachment":{"type":"file"},"rendered":[{"content":[{"type":"text","text":"a"},` + image + `]}]}`,
			`{"type":"attachment","attachment":{"type":"file"},"rendered":[{"content":[{"type":"text","text":"a"},{"type":"text","text":"[image left out]"}]}]}`},
		{"progress", output,
			`{"type":"progress","data":{"type":"bash_progress","output":"secret","elapsed":1}}`, `{"type":"progress","data":{"type":"bash_progress","output":"[left out]","elapsed":1}}`},
		{"a search by the provider", output,
			`{"type":"assistant","message":{"content":[{"type":"web_search_tool_result","content":[{"title":"secret"}]}]}}`,
			`{"type":"assistant","message":{"content":[{"type":"text","text":"[left out]"}]}}`},
		{"thinking", thinking,
			`{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"secret","signature":"s"},{"type":"redacted_thinking","data":"s"},{"type":"text","text":"a"}]}}`,
			`{"type":"assistant","message":{"content":[{"type":"text","text":"a"}]}}`},
		{"thinking of an agent", thinking,
			`{"type":"progress","data":{"type":"agent_progress","message":{"type":"assistant","message":{"content":[{"type":"thinking","thinking":"secret"}]}}}}`,
			`{"type":"progress","data":{"type":"agent_progress","message":{"type":"assistant","message":{"content":[]}}}}`},
		{"images", images,
			`{"type":"user","message":{"content":[` + image + `,{"type":"tool_result","content":[` + image + `]}]},"toolUseResult":{"type":"image","file":{"base64":"` + data + `","type":"image/png"}}}`,
			`{"type":"user","message":{"content":[{"type":"text","text":"[image left out]"},{"type":"tool_result","content":[{"type":"text","text":"[image left out]"}]}]},"toolUseResult":{"type":"image","file":{"base64":"","type":"image/png"}}}`},
		{"an image meanwhile", images,
			`{"type":"attachment","attachment":{"type":"queued_command","prompt":[` + image + `]}}`,
			`{"type":"attachment","attachment":{"type":"queued_command","prompt":[{"type":"text","text":"[image left out]"}]}}`},
		{"data that is a word", images, `{"type":"user","toolUseResult":{"data":"a word"}}`, `{"type":"user","toolUseResult":{"data":"a word"}}`},
	} {
		got, err := stripLine([]byte(c.in), c.without)
		if diff := cmp.Diff(c.want, string(got)); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", c.name, err, diff)
		}
	}
	if _, err := stripLine([]byte(`{"type":`), output); err == nil {
		t.Error("half a line is no error")
	}
}
