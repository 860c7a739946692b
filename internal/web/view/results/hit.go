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

// hitModel returns the model of a hit in the session of a key.
func (b *Builder) hitModel(key string, h *searchall.Hit) components.HitModel {
	isCall := h.Role == query.RoleInput || h.Role == query.RoleOutput
	sign := components.SignOfHit(string(h.Role))
	switch {
	case isCall && h.Failed:
		sign = components.SignOfHit(components.FailedCall)
	case h.Role == query.RoleInput || h.Added+h.Removed > 0:
		sign.Icon = components.ToolIcon(toolkind.Of(h.Tool))
	}
	return components.HitModel{
		Entry: h.Entry,
		Href:  b.sessionView(h).Href(view.SessionURL(key)),
		Sign:  sign, Mono: isCall,
		Parts: splitMarks(h),
		Time:  b.View.TimeModel(h.Time),
		Facts: hitFacts(h),
	}
}

// splitMarks returns the snippet of a hit in marked and other parts.
func splitMarks(h *searchall.Hit) (parts []components.Span) {
	text, at := []rune(h.Snippet), 0
	add := func(to int, mark bool) {
		if to > at {
			parts = append(parts, components.Span{Text: view.EscapeInvisible(string(text[at:to])), Mark: mark})
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
func hitFacts(h *searchall.Hit) (facts []components.HitFact) {
	add := func(text, class string) {
		if text != "" {
			facts = append(facts, components.HitFact{Text: view.OneLine(text), Class: class})
		}
	}
	switch h.Role {
	case query.RolePrompt:
		add(promptText(h), "")
	case query.RoleThinking:
		add("Thinking", "")
		add(h.Model, "")
	case query.RoleAnswer:
		add(h.Model, "")
	case query.RoleInput, query.RoleOutput:
		add(h.Tool, "")
		add(rowtext.Cut(h.Arg, maxArgRunes), "")
		if h.Failed && h.Status == "" {
			h.Status = "failed"
		}
		if h.Failed {
			add(h.Status, "error")
		}
		if h.Added > 0 {
			add("+"+components.FormatCount(h.Added), "lines-added")
		}
		if h.Removed > 0 {
			add("−"+components.FormatCount(h.Removed), "lines-removed")
		}
	}
	return facts
}

// promptText returns the place of a prompt among those of its path: "Prompt 41 of 88", or
// "Prompt 41" on another branch.
func promptText(h *searchall.Hit) string {
	switch {
	case h.Prompt == 0:
		return ""
	case h.Prompts > 1:
		return fmt.Sprintf("Prompt %s of %s", components.FormatCount(h.Prompt), components.FormatCount(h.Prompts))
	}
	return "Prompt " + components.FormatCount(h.Prompt)
}
