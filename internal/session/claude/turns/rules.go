// Package turns says how a transcript of Claude Code shows what the agent does.
package turns

import "sessiontree/internal/session"

// Rules are the rules of Claude Code.
var Rules = session.ActivityRules{
	AsksPermission: asksPermission,
	SplitsAnswers:  true,
	EntryTurn:      entryTurn,
	ReadQuestion:   session.ReadQuestionArgs,
	Explanations: []string{
		"Questions and plans are recorded as tool calls without a result.",
		"Requests for permission are not recorded. A tool without a result runs or waits for permission; after a minute without a new line it is listed as waiting. Tools that only read, and sub-agents, need no permission; nor do edits, or any tool, in the permission modes that say so and that the last prompt records.",
		"A turn has ended when the answer records a stop reason, or, in versions that record none, 10 seconds after its last text.",
	},
}

// unaskedTools are the tools that Claude Code runs without asking, in its default mode.
var unaskedTools = map[string]bool{
	"Read": true, "Grep": true, "Glob": true, "LS": true, "NotebookRead": true, "TodoWrite": true, "TodoRead": true, "ToolSearch": true,
	"Task": true, "Agent": true, "TaskCreate": true, "TaskUpdate": true, "TaskGet": true, "TaskList": true, "TaskOutput": true, "TaskStop": true,
	"BashOutput": true, "KillShell": true, "SendMessage": true, "Monitor": true, "ScheduleWakeup": true, "StructuredOutput": true,
}

// editTools are the tools that need no permission in the mode that accepts edits.
var editTools = map[string]bool{"Edit": true, "MultiEdit": true, "Write": true, "NotebookEdit": true}

func asksPermission(mode, tool string) bool {
	switch mode {
	case "bypassPermissions", "dontAsk": // dontAsk refuses what is not allowed
		return false
	case "acceptEdits":
		return !unaskedTools[tool] && !editTools[tool]
	}
	return !unaskedTools[tool]
}

// entryTurn returns what the lines change that Claude Code writes with the role of the user.
func entryTurn(e *session.Entry) session.TurnChange {
	if e.Kind != session.KindCustomMessage {
		return session.TurnUnchanged
	}
	switch e.Name {
	case "Interrupted":
		return session.TurnEnds
	case "Task", "Teammate":
		return session.TurnBegins
	}
	return session.TurnUnchanged
}
