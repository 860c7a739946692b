package pi

import (
	"strings"
	"testing"

	"sessiontree/internal/session"
)

// TestContextSkipsFailed checks that pi and oh-my-pi 5 send failed answers and messages of a mode,
// and that oh-my-pi 18 omits them.
func TestContextSkipsFailed(t *testing.T) {
	t.Parallel()
	const lines = `{"type":"message","id":"u","parentId":null,"message":{"role":"user","content":"q"}}
{"type":"message","id":"a","parentId":"u","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{}}],"stopReason":"aborted"}}
{"type":"message","id":"r","parentId":"a","message":{"role":"toolResult","toolCallId":"c","content":[{"type":"text","text":"no"}]}}
{"type":"message","id":"b","parentId":"r","message":{"role":"assistant","content":[{"type":"text","text":"half"}],"stopReason":"error"}}
{"type":"custom_message","customType":"interrupted-thinking","content":"on","display":false,"id":"n","parentId":"b"}
{"type":"custom_message","customType":"prewalk-plan","content":"plan","display":false,"id":"p","parentId":"n"}
{"type":"custom_message","customType":"vibe-mode-context","content":"vibe","display":false,"id":"v","parentId":"p"}
{"type":"message","id":"d","parentId":"v","message":{"role":"assistant","content":[{"type":"toolCall","id":"e","name":"bash","arguments":{}}],"stopReason":"toolUse"}}
`
	for _, c := range []struct {
		name   string
		format *session.Format
		head   string
		want   string
	}{
		{"pi", &Format, `{"type":"session","version":3,"id":"s"}`, "u a r b n p v d"},
		{"oh-my-pi 5", &OMP, `{"type":"session","version":3,"id":"V1StGXR8_Z5jdHi6B-myT"}`, "u a r b n p v d"},
		{"oh-my-pi 18", &OMP, `{"type":"session","version":3,"id":"01964f3a-2b1c-7d4e-8f00-0123456789ab"}`, "u b n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := decode(t, c.format, []byte(c.head+"\n"+lines))
			tree := session.BuildTree(d.header, d.entries, nil)
			var got []string
			for _, item := range tree.Context(tree.Leaf()).Items {
				got = append(got, tree.At(item.Pos).ID)
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("Context = %s, want %s", strings.Join(got, " "), c.want)
			}
		})
	}
}
