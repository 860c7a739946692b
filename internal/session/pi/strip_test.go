package pi

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
)

func TestStrip(t *testing.T) {
	t.Parallel()
	output, thinking, images := session.Omissions{Output: true}, session.Omissions{Thinking: true}, session.Omissions{Images: true}
	const image = `{"type":"image","data":"aGk=","mimeType":"image/png"}`
	for _, c := range []struct {
		name     string
		without  session.Omissions
		in, want string
	}{
		{"a result", output,
			`{"type":"message","id":"r","message":{"role":"toolResult","toolCallId":"c","content":[{"type":"text","text":"secret"},` + image + `],"details":{"diff":"+secret"},"isError":false}} `,
			`{"type":"message","id":"r","message":{"role":"toolResult","toolCallId":"c","content":[{"type":"text","text":"[left out]"}],"isError":false}}`},
		{"a result that is a string", output,
			`{"type":"message","message":{"role":"toolResult","content":"secret"}}`, `{"type":"message","message":{"role":"toolResult","content":"[left out]"}}`},
		{"an empty result", output,
			`{"type":"message","message":{"role":"toolResult","content":[] }} `, `{"type":"message","message":{"role":"toolResult","content":[] }} `},
		{"a command of the user's", output,
			`{"type":"message","message":{"role":"bashExecution","command":"ls","output":"secret","exitCode":0}}`,
			`{"type":"message","message":{"role":"bashExecution","command":"ls","output":"[left out]","exitCode":0}}`},
		{"a file that was mentioned", output,
			`{"type":"message","message":{"role":"fileMention","files":[{"path":"a","content":"secret","image":` + image + `}]}}`,
			`{"type":"message","message":{"role":"fileMention","files":[{"path":"a","content":"[left out]"}]}}`},
		{"an edit of the context", output,
			`{"type":"context_edit","targetId":"r","replacement":{"content":"secret"}}`, `{"type":"context_edit","targetId":"r","replacement":{"content":"[left out]"}}`},
		{"an edit that omits", output,
			`{"type":"context_edit","targetId":"r","replacement":null}`, `{"type":"context_edit","targetId":"r","replacement":null}`},
		{"a prompt", output, `{"type":"message","message":{"role":"user","content":"secret"}}`, `{"type":"message","message":{"role":"user","content":"secret"}}`},
		{"thinking", thinking,
			`{"type":"message","message":{"role":"assistant","content":[{"type":"thinking","thinking":"secret","thinkingSignature":"s"}, {"type":"text","text":"a","textSignature":"t"},{"type":"toolCall","id":"c","name":"bash","arguments":{"type":"thinking"}}]}}`,
			`{"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"a","textSignature":"t"},{"type":"toolCall","id":"c","name":"bash","arguments":{"type":"thinking"}}]}}`},
		{"only thinking", thinking,
			`{"type":"message","message":{"role":"assistant","content":[{"type":"thinking","thinking":"secret"},{"type":"redactedThinking","data":"s"},{"type":"redacted_thinking","data":"s"}]}}`,
			`{"type":"message","message":{"role":"assistant","content":[]}}`},
		{"an image", images,
			`{"type":"message","message":{"role":"user","content":[` + image + `,{"type":"text","text":"look"}]}}`,
			`{"type":"message","message":{"role":"user","content":[{"type":"text","text":"[image left out]"},{"type":"text","text":"look"}]}}`},
		{"an image of an extension's", images,
			`{"type":"custom_message","customType":"x","content":[` + image + `],"display":true}`,
			`{"type":"custom_message","customType":"x","content":[{"type":"text","text":"[image left out]"}],"display":true}`},
		{"images beside a result", images,
			`{"type":"message","message":{"role":"toolResult","content":"a","details":{"images":[` + image + `],"n":1}}}`,
			`{"type":"message","message":{"role":"toolResult","content":"a","details":{"images":[],"n":1}}}`},
		{"a header", session.Omissions{Output: true, Thinking: true, Images: true}, ` {"type":"session","id":"a"}`, ` {"type":"session","id":"a"}`},
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
