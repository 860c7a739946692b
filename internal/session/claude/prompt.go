package claude

import (
	"strings"

	"sessiontree/internal/session"
)

// continued begins the text that stands for the conversation before a
// compaction.
const continued = "This session is being continued from a previous conversation that ran out of context"

// prompted tells typed prompts from the lines that Claude Code writes in the
// user's name.
func (l *line) prompted(e *session.Entry, x *facts) {
	m := &l.message
	text := m.words(1 << 14)
	if m.spoken() {
		e.Flags |= session.FlagText
	}
	if m.has("image") {
		e.Flags |= session.FlagImages
	}
	e.Kind, e.Preview = session.KindCustomMessage, ""
	head := strings.TrimSpace(text)
	if l.sidechain {
		x.said = hash(spawnWords(head))
	}
	switch {
	case l.summarized || strings.HasPrefix(head, continued):
		e.Name, e.Preview = "summary", text
	case strings.HasPrefix(head, "<bash-input>"):
		e.Kind, e.Name, e.Preview = session.KindShell, "bash", inside(head, "bash-input")
		e.Flags |= session.FlagCommand
	case strings.HasPrefix(head, "<bash-stdout>"), strings.HasPrefix(head, "<bash-stderr>"), strings.HasPrefix(head, "<local-command-stdout>"):
		e.Name, e.Preview = "output", bare(head)
	case strings.HasPrefix(head, "<command-name>"), strings.HasPrefix(head, "<command-message>"):
		e.Name, e.Preview = "command", command(head)
	case strings.HasPrefix(head, "<task-notification>"):
		e.Name, e.Preview = "task", inside(head, "summary")
	case strings.HasPrefix(head, "<teammate-message"):
		e.Name, e.Preview = "teammate", bare(head)
	case l.meta, strings.HasPrefix(head, "<local-command-caveat>"), strings.HasPrefix(head, "Caveat: The messages below"):
		e.Name, e.Preview = "meta", bare(head)
	case strings.HasPrefix(head, "[Request interrupted by user"):
		e.Name, e.Preview = "interrupted", head
	default:
		e.Kind, e.Preview = session.KindUser, typed(head)
		x.prompt = cut(flat(e.Preview), maxPreview)
		if x.prompt == "Warmup" {
			x.prompt = ""
		}
	}
	switch e.Name {
	case "command", "output":
		e.Flags |= session.FlagCommand
	case "meta":
		e.Flags |= session.FlagCommand | session.FlagHidden
	}
	if e.Preview == "" {
		e.Preview = head
	}
	e.Preview = flat(cut(e.Preview, maxPreview))
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

// hushed are the tags whose content the reader did not type.
var hushed = []string{"system-reminder", "ide_opened_file", "ide_selection", "ide_diagnostics"}

// typed leaves out what was put into a prompt beside what was typed.
func typed(text string) string {
	out := text
	for _, tag := range hushed {
		for {
			before, rest, ok := strings.Cut(out, "<"+tag+">")
			if !ok {
				break
			}
			_, after, _ := strings.Cut(rest, "</"+tag+">")
			out = before + after
		}
	}
	if out = strings.TrimSpace(out); out == "" {
		return text
	}
	return out
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
