package claude

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
)

// userLineTraits are the kind, name and flags of lines of role user.
var userLineTraits = map[userLine]struct {
	kind  session.Kind
	name  string
	flags session.Flags
}{
	userLinePrompt:      {session.KindUser, "", 0},
	userLineSummary:     {session.KindCustomMessage, "Summary", session.FlagHidden},
	userLineBash:        {session.KindShell, "bash", session.FlagCommand},
	userLineCommand:     {session.KindShell, "command", session.FlagCommand},
	userLineOutput:      {session.KindCustomMessage, "Output", session.FlagCommand},
	userLineTask:        {session.KindCustomMessage, "Task", 0},
	userLineTeammate:    {session.KindCustomMessage, "Teammate", 0},
	userLineCaveat:      {session.KindCustomMessage, "Caveat", session.FlagCommand | session.FlagHidden},
	userLineSkill:       {session.KindCustomMessage, "Skill", session.FlagHidden},
	userLineNote:        {session.KindCustomMessage, "Note", session.FlagCommand | session.FlagHidden},
	userLineInterrupted: {session.KindCustomMessage, "Interrupted", 0},
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
		x.promptHash = hashWords(spawnPrompt(head))
	}
	v := classifyUserLine(head, l.isMeta, l.fromSkill, l.isCompactSummary)
	if typed, injected := splitInjected(head); v == userLinePrompt && typed == "" && len(injected) > 0 && !m.hasBlock("image") {
		v = userLineNote
	}
	as := userLineTraits[v]
	e.Kind, e.Name, e.Preview = as.kind, as.name, userLinePreview(v, head)
	e.Flags |= as.flags
	switch v {
	case userLinePrompt:
		if l.sidechain {
			e.Flags |= session.FlagSecondary
		}
		if x.prompt = cutRow(flattenText(e.Preview), maxPreview); x.prompt == "Warmup" {
			x.prompt = ""
		}
	case userLineTask:
		t := parseTaskNotification(head)
		e.Details.Status, e.Details.Target = t.status, t.id
		if t.status != "" && t.status != "completed" {
			e.Flags |= session.FlagError
		}
	}
	if e.Preview == "" {
		e.Preview = head
	}
	e.Preview = flattenText(cutRow(e.Preview, maxPreview))
}

// userLinePreview returns the text of a user line for a row.
func userLinePreview(v userLine, text string) string {
	switch v {
	case userLinePrompt:
		typed, _ := splitInjected(text)
		return typed
	case userLineBash:
		return textInTag(text, "bash-input")
	case userLineCommand:
		return slashCommand(text)
	case userLineTask:
		return parseTaskNotification(text).summary
	case userLineTeammate:
		return teammatePreview(text)
	case userLineInterrupted:
		return strings.TrimSuffix(strings.TrimPrefix(text, "[Request interrupted "), "]")
	case userLineSummary, userLineSkill:
		return text
	case userLineCaveat:
		return strings.TrimSpace(strings.TrimPrefix(stripTags(text), "Caveat:"))
	case userLineOutput:
		return stripANSI(rowtext.OneLine(stripTags(text)))
	}
	return stripTags(text)
}

// stripANSI removes terminal escape sequences.
func stripANSI(text string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "\x1b[")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		text = strings.TrimLeft(rest, "0123456789;?")
		if text != "" {
			text = text[1:]
		}
	}
}

// teammatePreview returns the sender and the subject of team messages.
func teammatePreview(text string) string {
	var words []string
	for _, t := range parseTeammates(text) {
		about := t.summary
		if about == "" {
			about = t.text
		}
		words = append(words, t.who+": "+about)
	}
	return strings.Join(words, "; ")
}

// slashCommand returns a slash command as it was typed.
func slashCommand(text string) string {
	name, args := textInTag(text, "command-name"), textInTag(text, "command-args")
	if name == "" {
		name = textInTag(text, "command-message")
	}
	return strings.TrimSpace(name + " " + args)
}

// textInTag returns the text between a tag and its end tag, "" if the tag is missing.
func textInTag(text, tag string) string {
	_, rest, ok := strings.Cut(text, "<"+tag+">")
	if !ok {
		return ""
	}
	in, _, _ := strings.Cut(rest, "</"+tag+">")
	return strings.TrimSpace(in)
}

// injectionTags are the tags around text that the user did not type, with the names of such text.
var injectionTags = []struct{ tag, name string }{
	{"system-reminder", "System reminder"},
	{"ide_opened_file", "Opened in the editor"},
	{"ide_selection", "Selected in the editor"},
	{"ide_diagnostics", "Diagnostics of the editor"},
	{"post-tool-use-hook", "A hook"},
	{"user-prompt-submit-hook", "A hook"},
}

// injectedText is text that Claude Code added to a prompt.
type injectedText struct{ name, text string }

// splitInjected separates the typed text from injected text.
func splitInjected(text string) (typed string, injected []injectedText) {
	for _, h := range injectionTags {
		if !strings.Contains(text, "<"+h.tag+">") {
			continue
		}
		var kept strings.Builder
		for rest := text; ; {
			before, in, ok := strings.Cut(rest, "<"+h.tag+">")
			kept.WriteString(before)
			if !ok {
				break
			}
			in, rest, _ = strings.Cut(in, "</"+h.tag+">")
			injected = append(injected, injectedText{h.name, strings.TrimSpace(in)})
		}
		text = kept.String()
	}
	return strings.TrimSpace(text), injected
}

// stripTags removes tags and keeps their content.
func stripTags(text string) string {
	var b strings.Builder
	for text != "" {
		before, rest, ok := strings.Cut(text, "<")
		b.WriteString(before)
		if !ok {
			break
		}
		tag, after, closed := strings.Cut(rest, ">")
		if !closed || !isTag(tag) {
			b.WriteByte('<')
			text = rest
			continue
		}
		b.WriteByte(' ')
		text = after
	}
	return strings.TrimSpace(b.String())
}

// isTag reports whether a text between angle brackets is one of Claude Code's tags: a word with
// hyphens or underscores, with or without attributes.
func isTag(s string) bool {
	s = strings.TrimPrefix(s, "/")
	name, _, _ := strings.Cut(s, " ")
	return strings.ContainsAny(name, "-_") && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz-_") == ""
}

// spawnPrompt returns the prompt of an agent: its first message, or the body of the first message
// from a team's lead.
func spawnPrompt(text string) string {
	if !strings.HasPrefix(text, `<teammate-message teammate_id="team-lead"`) {
		return text
	}
	_, rest, _ := strings.Cut(text, ">")
	in, _, _ := strings.Cut(rest, "</teammate-message>")
	return in
}
