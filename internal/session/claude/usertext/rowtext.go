package usertext

import (
	"strings"

	"sessiontree/internal/session/rowtext"
)

// RowText returns the text of a user line for a row.
func RowText(v Kind, text string) string {
	switch v {
	case Prompt:
		typed, _ := SplitInjected(text)
		return typed
	case Bash:
		return TextInTag(text, "bash-input")
	case Command:
		return SlashCommand(text)
	case Task:
		return ParseTaskNotification(text).Summary
	case Teammate:
		return teammateRowText(text)
	case Interrupted:
		return strings.TrimSuffix(strings.TrimPrefix(text, "[Request interrupted "), "]")
	case Summary, Skill:
		return text
	case Caveat:
		return strings.TrimSpace(strings.TrimPrefix(StripTags(text), "Caveat:"))
	case Output:
		return stripANSI(rowtext.OneLine(StripTags(text)))
	}
	return StripTags(text)
}

// teammateRowText returns the sender and the subject of team messages.
func teammateRowText(text string) string {
	var words []string
	for _, t := range ParseTeammates(text) {
		about := t.Summary
		if about == "" {
			about = t.Text
		}
		words = append(words, t.Who+": "+about)
	}
	return strings.Join(words, "; ")
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
