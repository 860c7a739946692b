package path_test

import (
	"strings"
	"testing"

	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/path"
	"sessiontree/internal/web/viewtest"
	"sessiontree/web/components"
)

// The output of a slash command belongs to its line, also if Claude Code records it as a system line.
func TestCommandOutput(t *testing.T) {
	sess := viewtest.Open(t, strings.Join([]string{
		`{"uuid":"c1","parentUuid":null,"sessionId":"s","timestamp":"2026-03-01T10:00:01.000Z","type":"user","message":{"role":"user","content":"<command-name>/context</command-name>\n<command-message>context</command-message>\n<command-args></command-args>"}}`,
		`{"uuid":"c2","parentUuid":"c1","sessionId":"s","timestamp":"2026-03-01T10:00:02.000Z","type":"system","subtype":"local_command","content":"<local-command-stdout>\u001b[1m## Context Usage\u001b[22m\n\n**Tokens:** 21k</local-command-stdout>"}`,
		`{"uuid":"c3","parentUuid":"c2","sessionId":"s","timestamp":"2026-03-01T10:00:03.000Z","type":"user","message":{"role":"user","content":"Thanks"}}`,
	}, "\n")+"\n")
	items := viewtest.PathOf(t, sess, view.Params{}, path.Query{}).Items
	command, ok := items[0].(*components.ShellItem)
	if !ok || command.Title != "Context Usage" || strings.Join(command.Also, " ") != "c2" || len(command.Blocks) != 2 {
		t.Errorf("the command is %+v", items[0])
	}
	if _, ok := items[1].(*components.UserItem); !ok {
		t.Errorf("%T comes after the command", items[1])
	}
}
