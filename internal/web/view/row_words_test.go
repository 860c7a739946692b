package view

import (
	"testing"

	"sessiontree/internal/session"
)

func TestPlainWords(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"Use `go test`, **always**.", "Use go test, always."},
		{"## Plan", "Plan"},
		{"> quoted", "quoted"},
		{"a __dunder__ stays", "a __dunder__ stays"},
		{"**", "**"},
		{"", ""},
	} {
		if got := plainWords(test.in); got != test.want {
			t.Errorf("plainWords(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

func TestCallText(t *testing.T) {
	tree := session.Build(session.Header{Cwd: "/home/dev/p"}, nil, nil)
	for _, test := range []struct {
		call session.ToolCall
		want string
	}{
		{session.ToolCall{Arg: "go test ./..."}, "go test ./..."},
		{session.ToolCall{Arg: "cd /home/dev/p && go te...", Line: "cd /home/dev/p && go test ./..."}, "go test ./..."},
		{session.ToolCall{Arg: "cd /home/dev/p && ls"}, "ls"},
		{session.ToolCall{Arg: "cd /home/dev/other && ls"}, "cd /home/dev/other && ls"},
		{session.ToolCall{Arg: "cd /home/dev/p && "}, "cd /home/dev/p &&"},
	} {
		if got := callText(tree, &test.call); got != test.want {
			t.Errorf("callText(%v) = %q, want %q", test.call, got, test.want)
		}
	}
}
