package path

import (
	"testing"

	"sessiontree/internal/session"
)

func TestEntryText(t *testing.T) {
	t.Parallel()
	body := &session.Body{Blocks: []session.Block{
		{Kind: session.BlockInjected, Text: "reminder"},
		{Kind: session.BlockThinking, Text: "hm"},
		{Kind: session.BlockText, Text: "**one**"},
		{Kind: session.BlockToolCall, ID: "c1", Name: "bash"},
		{Kind: session.BlockOutput, ID: "c1", Text: "out"},
		{Kind: session.BlockImage},
		{Kind: session.BlockText, Text: "two"},
	}}
	for _, c := range []struct {
		kind       session.Kind
		call, want string
	}{
		{session.KindAssistant, "", "**one**\n\ntwo"},
		{session.KindAssistant, "c1", "out"},
		{session.KindAssistant, "c2", ""},
		{session.KindToolResult, "", "**one**\n\nout\n\ntwo"},
	} {
		if got := EntryText(c.kind, body, c.call); got != c.want {
			t.Errorf("kind %v, call %q: %q, want %q", c.kind, c.call, got, c.want)
		}
	}
}
