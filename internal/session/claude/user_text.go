package claude

import (
	"strings"

	"sessiontree/internal/session"
)

// userLineTraits are how lines in the user's name appear in the tree.
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

// fillUserText tells typed prompts from the lines that Claude Code writes in the
// user's name.
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
	if said, beside := splitInjected(head); v == userLinePrompt && said == "" && len(beside) > 0 && !m.hasBlock("image") {
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

// userLinePreview is what a row says of a text.
func userLinePreview(v userLine, text string) string {
	switch v {
	case userLinePrompt:
		said, _ := splitInjected(text)
		return said
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
		return stripANSI(strings.Join(strings.Fields(stripTags(text)), " "))
	}
	return stripTags(text)
}

// stripANSI leaves out what styles a terminal's text.
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

// teammatePreview tells who wrote and what about.
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

// slashCommand is a slash command as it was typed.
func slashCommand(text string) string {
	name, args := textInTag(text, "command-name"), textInTag(text, "command-args")
	if name == "" {
		name = textInTag(text, "command-message")
	}
	return strings.TrimSpace(name + " " + args)
}

// textInTag is what stands between a tag and its end, "" when it is not there.
func textInTag(text, tag string) string {
	_, rest, ok := strings.Cut(text, "<"+tag+">")
	if !ok {
		return ""
	}
	in, _, _ := strings.Cut(rest, "</"+tag+">")
	return strings.TrimSpace(in)
}

// injectionTags are the tags whose content the reader did not type, and what it is.
var injectionTags = []struct{ tag, name string }{
	{"system-reminder", "System reminder"},
	{"ide_opened_file", "Opened in the editor"},
	{"ide_selection", "Selected in the editor"},
	{"ide_diagnostics", "Diagnostics of the editor"},
	{"post-tool-use-hook", "A hook"},
	{"user-prompt-submit-hook", "A hook"},
}

// injectedText is what was put into a prompt beside what was typed.
type injectedText struct{ name, text string }

// splitInjected parts what was typed from what was put beside it.
func splitInjected(text string) (said string, beside []injectedText) {
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
			beside = append(beside, injectedText{h.name, strings.TrimSpace(in)})
		}
		text = kept.String()
	}
	return strings.TrimSpace(text), beside
}

// stripTags leaves tags out and keeps what stands in them.
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

// isTag reports whether what stands between angle brackets is one of Claude
// Code's tags: a word with hyphens or underscores, maybe with attributes.
func isTag(s string) bool {
	s = strings.TrimPrefix(s, "/")
	name, _, _ := strings.Cut(s, " ")
	return strings.ContainsAny(name, "-_") && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz-_") == ""
}

// spawnPrompt is what an agent was asked: its first message, or the body of the
// message by which a team's lead put it to work.
func spawnPrompt(text string) string {
	if !strings.HasPrefix(text, `<teammate-message teammate_id="team-lead"`) {
		return text
	}
	_, rest, _ := strings.Cut(text, ">")
	in, _, _ := strings.Cut(rest, "</teammate-message>")
	return in
}
