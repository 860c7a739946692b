package view

import (
	"strings"
	"testing"

	"sessiontree/internal/session"
)

func TestStripMarkdown(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"Use `go test`, **always**.", "Use go test, always."},
		{"## Plan", "Plan"},
		{"> quoted", "quoted"},
		{"a __dunder__ stays", "a __dunder__ stays"},
		{"**", "**"},
		{"", ""},
	} {
		if got := stripMarkdown(test.in); got != test.want {
			t.Errorf("plainWords(%q) = %q, want %q", test.in, got, test.want)
		}
	}
}

func TestCallText(t *testing.T) {
	tree := session.BuildTree(session.Header{Cwd: "/home/dev/p"}, nil, nil)
	for _, test := range []struct {
		call session.ToolCall
		want string
	}{
		{session.ToolCall{Arg: "go test ./..."}, "go test ./..."},
		{session.ToolCall{Arg: "cd /home/dev/p && go te...", CommandLine: "cd /home/dev/p && go test ./..."}, "go test ./..."},
		{session.ToolCall{Arg: "cd /home/dev/p && ls"}, "ls"},
		{session.ToolCall{Arg: "cd /home/dev/other && ls"}, "cd /home/dev/other && ls"},
		{session.ToolCall{Arg: "cd /home/dev/p && "}, "cd /home/dev/p &&"},
	} {
		if got := CallText(tree, &test.call); got != test.want {
			t.Errorf("callText(%v) = %q, want %q", test.call, got, test.want)
		}
	}
}

// The rows of summaries omit the common preamble.
func TestStripSummaryPreamble(t *testing.T) {
	for in, want := range map[string]string{
		"The user explored a different conversation branch before returning here. Summary of that exploration: ## Goal Less heat": "## Goal Less heat",
		"The user explored another branch of this conversation before coming back here. Summary of that branch: It failed":        "It failed",
		"I tried this":                       "I tried this",
		"Cut short. Summary of that branch:": "Cut short. Summary of that branch:",
		strings.Repeat("long ", 30) + "Summary of that branch: x": strings.Repeat("long ", 30) + "Summary of that branch: x",
	} {
		if got := stripSummaryPreamble(in); got != want {
			t.Errorf("afterPreamble(%q) = %q", in, got)
		}
	}
}
