package claude

import (
	"slices"
	"strconv"
	"strings"

	"sessiontree/internal/session"
)

// reminderStyle is how Claude Code passes its reminders to a model.
type reminderStyle struct {
	// system: reminders of the system are messages with that role, and no tool result takes a
	// reminder. Otherwise all reminders are texts of the user's message.
	system bool
	// tagged: such messages keep their tags, and queued prompts are among them.
	tagged bool
}

// reminderStyleFor returns the style for a model. Models up to 4.7 do not accept system messages
// within the conversation.
func reminderStyleFor(model string) reminderStyle {
	if major, minor, ok := parseModelVersion(model); model == "" || ok && (major < 4 || major == 4 && minor < 8) {
		return reminderStyle{}
	}
	return reminderStyle{system: true, tagged: strings.HasPrefix(model, "claude-sonnet-5")}
}

// parseModelVersion parses the version in a model's name, such as "claude-opus-4-5-20251101" or
// "claude-3-5-haiku".
func parseModelVersion(model string) (major, minor int, ok bool) {
	words := strings.Split(model, "-")
	if words[0] != "claude" {
		return 0, 0, false
	}
	for i, word := range words {
		n, err := strconv.Atoi(word)
		if err != nil {
			continue
		}
		if i+1 < len(words) && len(words[i+1]) <= 2 {
			minor, _ = strconv.Atoi(words[i+1])
		}
		return n, minor, true
	}
	return 0, 0, false
}

// contextItems returns the messages of the lines on a path, in order.
func (b *contextBuilder) contextItems(path []session.Pos, s reminderStyle) []session.ContextItem {
	var system []session.Pos // system reminders within the user's turn, which come at its end
	var items []session.ContextItem
	flush := func() {
		if len(system) > 0 {
			items = append(items, session.ContextItem{Pos: system[0], Role: "system", Edit: session.NoPos, MergedEntries: system[1:], Untagged: !s.tagged})
			system = nil
		}
	}
	for _, p := range b.raiseReminders(path) {
		sent := b.factsAt(p).sentAs
		item := session.ContextItem{Pos: p, Role: "user", Edit: session.NoPos}
		switch sent {
		case notSent, sentFailure:
			continue
		case sentAnswer:
			flush()
			item.Role = "assistant"
		case sentSystemReminder, sentQueuedPrompt:
			if s.system && (sent == sentSystemReminder || s.tagged) {
				system = append(system, p)
				continue
			}
			item.Untagged = s.system
		}
		if last := len(items) - 1; !s.system && sent >= sentReminder && sent != sentSeparateReminder && last >= 0 && b.factsAt(items[last].Pos).sentAs == sentResult {
			items[last].MergedEntries = append(items[last].MergedEntries, p)
			continue
		}
		items = append(items, item)
	}
	flush()
	return items
}

// raiseReminders moves reminders up to directly after the previous answer, failure or tool result.
// Their order is kept.
func (b *contextBuilder) raiseReminders(path []session.Pos) []session.Pos {
	out := make([]session.Pos, 0, len(path))
	var rising []session.Pos
	for _, p := range slices.Backward(path) {
		switch sent := b.factsAt(p).sentAs; {
		case sent >= sentReminder:
			rising = append(rising, p)
			continue
		case sent == sentAnswer, sent == sentFailure, sent == sentResult:
			out, rising = append(out, rising...), rising[:0]
		}
		out = append(out, p)
	}
	out = append(out, rising...)
	slices.Reverse(out)
	return out
}
