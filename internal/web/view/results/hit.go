package results

import (
	"fmt"

	"sessiontree/internal/session/query"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/session/searchall"
	"sessiontree/internal/session/toolkind"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// roleSign is how a role is shown: its icon, the color of that, its name, and whether the
// text is code.
type roleSign struct {
	icon, class, name string
	mono              bool
}

var roleSigns = map[query.Role]roleSign{
	query.RolePrompt:   {"user", "u", "Prompt", false},
	query.RoleAnswer:   {"session", "", "Answer", false},
	query.RoleThinking: {"think", "", "Thinking", false},
	query.RoleInput:    {"tool", "", "Tool call", true},
	query.RoleOutput:   {"term", "", "Tool output", true},
	query.RoleSummary:  {"sum", "f", "Summary", false},
	query.RoleLabel:    {"flag", "l", "Label or name", false},
}

// hitModel returns the model of a hit in the session of a key.
func (b *Builder) hitModel(key string, h *searchall.Hit) components.HitModel {
	sign := roleSigns[h.Role]
	m := components.HitModel{
		Entry: h.Entry,
		Href:  b.sessionView(h).Href(view.SessionURL(key)),
		Icon:  sign.icon, Class: sign.class, Role: sign.name, Mono: sign.mono,
		Parts: splitMarks(h),
		Time:  b.View.TimeModel(h.Time),
		Facts: hitFacts(h),
	}
	isCall := h.Role == query.RoleInput || h.Role == query.RoleOutput
	switch {
	case isCall && h.Failed:
		m.Icon, m.Class, m.Role = "warn", "e", "Failed tool call"
	case h.Role == query.RoleInput:
		m.Icon = components.ToolIcon(toolkind.Of(h.Tool))
	}
	return m
}

// splitMarks returns the snippet of a hit in marked and other parts.
func splitMarks(h *searchall.Hit) (parts []components.HitText) {
	text, at := []rune(h.Snippet), 0
	add := func(to int, mark bool) {
		if to > at {
			parts = append(parts, components.HitText{Text: view.EscapeInvisible(string(text[at:to])), Mark: mark})
			at = to
		}
	}
	for _, m := range h.Marks {
		add(m[0], false)
		add(m[1], true)
	}
	add(len(text), false)
	return parts
}

// maxArgRunes is the maximum length of the argument of a call.
const maxArgRunes = 90

// hitFacts returns the facts about the entry of a hit.
func hitFacts(h *searchall.Hit) (facts []components.HitText) {
	add := func(text string, isError bool) {
		if text != "" {
			facts = append(facts, components.HitText{Text: view.OneLine(text), Mark: isError})
		}
	}
	switch h.Role {
	case query.RolePrompt:
		if h.Prompt > 0 {
			add(fmt.Sprintf("Prompt %s", components.FormatCount(h.Prompt)), false)
		}
	case query.RoleThinking:
		add("Thinking", false)
		add(h.Model, false)
	case query.RoleAnswer:
		add(h.Model, false)
	case query.RoleInput, query.RoleOutput:
		add(h.Tool, false)
		add(rowtext.Cut(h.Arg, maxArgRunes), false)
		if h.Failed && h.Status == "" {
			h.Status = "failed"
		}
		if h.Failed {
			add(h.Status, true)
		}
	}
	return facts
}
