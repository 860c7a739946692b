package usertext

import "strings"

// TeammateMessage is a message from another agent of the team.
type TeammateMessage struct{ Who, Color, Summary, Text string }

// ParseTeammates parses the team messages in a text.
func ParseTeammates(text string) (list []TeammateMessage) {
	for {
		_, rest, ok := strings.Cut(text, "<teammate-message ")
		if !ok {
			return list
		}
		attrs, rest, _ := strings.Cut(rest, ">")
		in, after, _ := strings.Cut(rest, "</teammate-message>")
		list = append(list, TeammateMessage{tagAttribute(attrs, "teammate_id"), tagAttribute(attrs, "color"), tagAttribute(attrs, "summary"), strings.TrimSpace(in)})
		text = after
	}
}

// tagAttribute returns the value of an attribute, "" if it is missing.
func tagAttribute(attrs, name string) string {
	_, rest, ok := strings.Cut(" "+attrs, " "+name+`="`)
	if !ok {
		return ""
	}
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// TaskNotification is a notification about a background task.
type TaskNotification struct {
	ID, Status, Summary, Result string
	Tokens, Milliseconds        int64
}

// ParseTaskNotification parses a notification about a background task.
func ParseTaskNotification(text string) TaskNotification {
	usage := TextInTag(text, "usage")
	return TaskNotification{
		ID: TextInTag(text, "task-id"), Status: TextInTag(text, "status"), Summary: TextInTag(text, "summary"), Result: TextInTag(text, "result"),
		Tokens: parseLabeledCount(usage, "total_tokens"), Milliseconds: parseLabeledCount(usage, "duration_ms"),
	}
}

// parseLabeledCount parses "name: 12" or "<name>12</name>". It returns 0 if neither is present.
func parseLabeledCount(text, name string) (n int64) {
	_, rest, ok := strings.Cut(text, name)
	if !ok {
		return 0
	}
	for _, r := range strings.TrimLeft(rest, ":> ") {
		if r < '0' || r > '9' || n > 1<<40 {
			break
		}
		n = n*10 + int64(r-'0')
	}
	return n
}

// SlashCommand returns a slash command as it was typed.
func SlashCommand(text string) string {
	name, args := TextInTag(text, "command-name"), TextInTag(text, "command-args")
	if name == "" {
		name = TextInTag(text, "command-message")
	}
	return strings.TrimSpace(name + " " + args)
}

// SpawnPrompt returns the prompt of an agent: its first message, or the body of the first message
// from a team's lead.
func SpawnPrompt(text string) string {
	if !strings.HasPrefix(text, `<teammate-message teammate_id="team-lead"`) {
		return text
	}
	_, rest, _ := strings.Cut(text, ">")
	in, _, _ := strings.Cut(rest, "</teammate-message>")
	return in
}
