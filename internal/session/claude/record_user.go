package claude

import (
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/usertext"
	"sessiontree/internal/session/jsonl"
)

// userLineTraits are the kind, name and flags of lines of role user.
var userLineTraits = map[usertext.Kind]struct {
	kind  session.Kind
	name  string
	flags session.Flags
}{
	usertext.Prompt:      {session.KindUser, "", 0},
	usertext.Summary:     {session.KindCustomMessage, "Summary", session.FlagHidden},
	usertext.Bash:        {session.KindShell, "bash", session.FlagCommand},
	usertext.Command:     {session.KindShell, "command", session.FlagCommand},
	usertext.Output:      {session.KindCustomMessage, "Output", session.FlagCommand},
	usertext.Task:        {session.KindCustomMessage, "Task", 0},
	usertext.Teammate:    {session.KindCustomMessage, "Teammate", 0},
	usertext.Caveat:      {session.KindCustomMessage, "Caveat", session.FlagCommand | session.FlagHidden},
	usertext.Skill:       {session.KindCustomMessage, "Skill", session.FlagHidden},
	usertext.Note:        {session.KindCustomMessage, "Note", session.FlagCommand | session.FlagHidden},
	usertext.Interrupted: {session.KindCustomMessage, "Interrupted", 0},
}

// fillUserText fills the entry of a user line: a typed prompt, or text that Claude Code writes with
// that role.
func (l *line) fillUserText(e *session.Entry, x *facts) {
	m := &l.message
	head := strings.TrimSpace(m.plainText(1 << 14))
	if m.hasText() {
		e.Flags |= session.FlagText
	}
	if m.hasBlock("image") {
		e.Flags |= session.FlagImages
	}
	if l.sidechain {
		x.PromptHash = hashWords(usertext.SpawnPrompt(head))
	}
	v := usertext.Classify(head, l.isMeta, l.fromSkill, l.isCompactSummary)
	if typed, injected := usertext.SplitInjected(head); v == usertext.Prompt && typed == "" && len(injected) > 0 && !m.hasBlock("image") {
		v = usertext.Note
	}
	as := userLineTraits[v]
	e.Kind, e.Name, e.Preview = as.kind, as.name, usertext.RowText(v, head)
	e.Flags |= as.flags
	switch v {
	case usertext.Prompt:
		e.Details.Mode = l.internName(l.mode)
		if l.sidechain {
			e.Flags |= session.FlagSecondary
		}
		if x.prompt = cutRow(flattenText(e.Preview), maxPreview); x.prompt == "Warmup" {
			x.prompt = ""
		}
	case usertext.Task:
		t := usertext.ParseTaskNotification(head)
		e.Details.Status, e.Details.Target = t.Status, t.ID
		if t.Status != "" && t.Status != "completed" {
			e.Flags |= session.FlagError
		}
	}
	if e.Preview == "" {
		e.Preview = head
	}
	e.Preview = flattenText(cutRow(e.Preview, maxPreview))
}

// fillToolResult fills the entry of a tool result.
func (l *line) fillToolResult(e *session.Entry, x *facts, r *block) {
	e.Kind, e.Details.Call = session.KindToolResult, l.interner.Intern(r.callID)
	for i := range l.message.blocks {
		if b := &l.message.blocks[i]; b.typ.Is("tool_result") {
			x.Results = append(x.Results, l.interner.Intern(b.callID))
			if b.failed.Kind() == 't' {
				e.Flags |= session.FlagError
				e.Details.Status = "failed"
			}
		}
	}
	text := r.content
	if text.Kind() == '[' {
		for _, part := range jsonl.ArrayElements(text) {
			o := jsonl.ObjectFields(part)
			switch {
			case o.Get("type").Is("image"):
				e.Flags |= session.FlagImages
			case o.Get("type").Is("text") && e.Preview == "":
				e.Preview = rowString(o.Get("text"), maxPreview)
			}
		}
	} else {
		e.Preview = rowString(text, maxPreview)
	}
	l.setToolOutcome(e)
	e.Details.Added, e.Details.Removed = countPatchLines(l.result.patch)
	if e.Preview != "" {
		e.Flags |= session.FlagText
	}
}

// refusalPrefixes begin the texts by which Claude Code tells the model that the user refused.
var refusalPrefixes = []string{"The user doesn't want to proceed", "The user doesn't want to take this action", "[Request interrupted by user"}

// setToolOutcome sets the status of a tool result and removes its wording from the preview.
func (l *line) setToolOutcome(e *session.Entry) {
	e.Preview = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(e.Preview, "<tool_use_error>"), "</tool_use_error>"))
	if l.result.async {
		e.Details.Status = "in background"
	}
	if !e.HasFlag(session.FlagError) {
		return
	}
	code, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(e.Preview, "Error: "), "Exit code "), " ")
	switch n, ok := l.result.code.Number(); {
	case ok && n != 0:
		e.Details.Status = "exit " + string(jsonl.AppendNumber(nil, n))
	case strings.Contains(e.Preview, "Exit code ") && code != "" && strings.Trim(code, "0123456789") == "":
		e.Details.Status, e.Preview = "exit "+code, rest
	case slices.ContainsFunc(refusalPrefixes, func(r string) bool { return strings.HasPrefix(e.Preview, r) }):
		e.Details.Status = "rejected"
	}
}

// countPatchLines counts the lines that a structured patch adds and removes.
func countPatchLines(v jsonl.Value) (added, removed int32) {
	for _, hunk := range jsonl.ArrayElements(v) {
		for _, l := range jsonl.ArrayElements(jsonl.ObjectFields(hunk).Get("lines")) {
			switch b := l.Bytes(); {
			case len(b) == 0:
			case b[0] == '+':
				added++
			case b[0] == '-':
				removed++
			}
		}
	}
	return added, removed
}
