package claude

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/usertext"
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
