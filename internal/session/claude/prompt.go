package claude

import (
	"strings"

	"sessiontree/internal/session"
)

// voices are how lines in the user's name appear in the tree.
var voices = map[voice]struct {
	kind  session.Kind
	name  string
	flags session.Flags
}{
	voicePrompt:      {session.KindUser, "", 0},
	voiceSummary:     {session.KindCustomMessage, "Summary", session.FlagHidden},
	voiceBash:        {session.KindShell, "bash", session.FlagCommand},
	voiceCommand:     {session.KindShell, "command", session.FlagCommand},
	voiceOutput:      {session.KindCustomMessage, "Output", session.FlagCommand},
	voiceTask:        {session.KindCustomMessage, "Task", 0},
	voiceTeammate:    {session.KindCustomMessage, "Teammate", 0},
	voiceCaveat:      {session.KindCustomMessage, "Caveat", session.FlagCommand | session.FlagHidden},
	voiceSkill:       {session.KindCustomMessage, "Skill", session.FlagHidden},
	voiceNote:        {session.KindCustomMessage, "Note", session.FlagCommand | session.FlagHidden},
	voiceInterrupted: {session.KindCustomMessage, "Interrupted", 0},
}

// prompted tells typed prompts from the lines that Claude Code writes in the
// user's name.
func (l *line) prompted(e *session.Entry, x *facts) {
	m := &l.message
	head := strings.TrimSpace(m.words(1 << 14))
	if m.spoken() {
		e.Flags |= session.FlagText
	}
	if m.has("image") {
		e.Flags |= session.FlagImages
	}
	if l.sidechain {
		x.said = hash(spawnWords(head))
	}
	v := voiceOf(head, l.meta, l.skill, l.summarized)
	if said, beside := typed(head); v == voicePrompt && said == "" && len(beside) > 0 && !m.has("image") {
		v = voiceNote
	}
	as := voices[v]
	e.Kind, e.Name, e.Preview = as.kind, as.name, preview(v, head)
	e.Flags |= as.flags
	switch v {
	case voicePrompt:
		if l.sidechain {
			e.Flags |= session.FlagSecondary
		}
		if x.prompt = cut(flat(e.Preview), maxPreview); x.prompt == "Warmup" {
			x.prompt = ""
		}
	case voiceTask:
		t := readTask(head)
		e.Status, e.Target = t.status, t.id
		if t.status != "" && t.status != "completed" {
			e.Flags |= session.FlagError
		}
	}
	if e.Preview == "" {
		e.Preview = head
	}
	e.Preview = flat(cut(e.Preview, maxPreview))
}

// preview is what a row says of a text.
func preview(v voice, text string) string {
	switch v {
	case voicePrompt:
		said, _ := typed(text)
		return said
	case voiceBash:
		return inside(text, "bash-input")
	case voiceCommand:
		return command(text)
	case voiceTask:
		return readTask(text).summary
	case voiceTeammate:
		return teamWords(text)
	case voiceInterrupted:
		return strings.TrimSuffix(strings.TrimPrefix(text, "[Request interrupted "), "]")
	case voiceSummary, voiceSkill:
		return text
	case voiceCaveat:
		return strings.TrimSpace(strings.TrimPrefix(bare(text), "Caveat:"))
	case voiceOutput:
		return unstyled(strings.Join(strings.Fields(bare(text)), " "))
	}
	return bare(text)
}

// unstyled leaves out what styles a terminal's text.
func unstyled(text string) string {
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

// teamWords tells who wrote and what about.
func teamWords(text string) string {
	var words []string
	for _, t := range teammates(text) {
		about := t.summary
		if about == "" {
			about = t.text
		}
		words = append(words, t.who+": "+about)
	}
	return strings.Join(words, "; ")
}

// command is a slash command as it was typed.
func command(text string) string {
	name, args := inside(text, "command-name"), inside(text, "command-args")
	if name == "" {
		name = inside(text, "command-message")
	}
	return strings.TrimSpace(name + " " + args)
}

// inside is what stands between a tag and its end, "" when it is not there.
func inside(text, tag string) string {
	_, rest, ok := strings.Cut(text, "<"+tag+">")
	if !ok {
		return ""
	}
	in, _, _ := strings.Cut(rest, "</"+tag+">")
	return strings.TrimSpace(in)
}

// hushed are the tags whose content the reader did not type, and what it is.
var hushed = []struct{ tag, name string }{
	{"system-reminder", "System reminder"},
	{"ide_opened_file", "Opened in the editor"},
	{"ide_selection", "Selected in the editor"},
	{"ide_diagnostics", "Diagnostics of the editor"},
	{"post-tool-use-hook", "A hook"},
	{"user-prompt-submit-hook", "A hook"},
}

// aside is what was put into a prompt beside what was typed.
type aside struct{ name, text string }

// typed parts what was typed from what was put beside it.
func typed(text string) (said string, beside []aside) {
	for _, h := range hushed {
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
			beside = append(beside, aside{h.name, strings.TrimSpace(in)})
		}
		text = kept.String()
	}
	return strings.TrimSpace(text), beside
}

// bare leaves tags out and keeps what stands in them.
func bare(text string) string {
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

// spawnWords is what an agent was asked: its first message, or the body of the
// message by which a team's lead put it to work.
func spawnWords(text string) string {
	if !strings.HasPrefix(text, `<teammate-message teammate_id="team-lead"`) {
		return text
	}
	_, rest, _ := strings.Cut(text, ">")
	in, _, _ := strings.Cut(rest, "</teammate-message>")
	return in
}
