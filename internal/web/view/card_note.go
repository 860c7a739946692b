package view

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// noteItem is the line of an entry that records settings and state.
func (ib *itemBuilder) noteItem(i int) components.ItemModel {
	e := &ib.pg.entries[i]
	m := ib.item(e, "note")
	name := oneLine(e.Name)
	switch e.Kind {
	case session.KindModel:
		m.Icon, m.Title, m.Detail = "model", "Model", modelName(&e.Entry)
		if e.Has(session.FlagSecondary) {
			m.Title = "Model of another role"
		}
	case session.KindThinking:
		m.Icon, m.Title, m.Detail = "thinking", "Thinking", orWord(name, "off")
	case session.KindName:
		m.Icon, m.Title, m.Detail = "name", "Session named", name
		if name == "" {
			m.Title = "Session name cleared"
		}
	case session.KindLabel:
		m.Icon, m.Title, m.Detail = "label", "Label set", oneLine(e.Preview)
		if e.Preview == "" {
			m.Title = "Label cleared"
		}
		ib.about(&m, e)
	case session.KindUsage:
		ib.usage(&m, i)
	case session.KindContextEdit:
		m.Icon, m.Title = "edit", "Replaced in the context from here on"
		if e.Entry.Name == "omit" {
			m.Title = "Left out of the context from here on"
		}
		ib.about(&m, e)
		m.Blocks = ib.blocks(i)
	case session.KindReset:
		m.Icon, m.Title = "reset", "Context starts anew"
		m.Detail = "the model sees nothing from above"
	case session.KindArchive:
		m.Icon, m.Title = "event", "Shown again"
		if e.Has(session.FlagOn) {
			m.Title = "Hidden"
		}
		ib.about(&m, e)
	case session.KindCustom:
		ib.extension(&m, i)
	default:
		m.Icon, m.Title, m.Detail = "event", roleName(e.Role), name
		if e.Kind == session.KindUnknown {
			m.Title, m.Detail = "["+orWord(oneLine(e.Role), "no type")+"]", "an entry of an unknown type"
		}
		m.Blocks = ib.blocks(i)
	}
	return m
}

// extension is state that a program keeps in the file.
func (ib *itemBuilder) extension(m *components.ItemModel, i int) {
	e := &ib.pg.entries[i]
	m.Icon, m.Title, m.Detail = "event", "Extension state", oneLine(e.Name)
	if e.Has(session.FlagBranchMark) {
		m.Title, m.Detail = "Branched here, waiting for the next prompt", ""
	}
	m.Blocks = ib.blocks(i)
}

// about links a note to the entry it is about.
func (ib *itemBuilder) about(m *components.ItemModel, e *pathEntry) {
	if e.goTo == "" {
		m.Pairs = append(m.Pairs, components.Pair{Name: "About", Value: oneLine(cutRunes(e.Target, 80)) + ", which is not in the file"})
		return
	}
	m.Edited, m.Edit = e.target, &components.Link{Text: "View this entry", Href: e.goTo}
}

// usage tells of tokens spent beside the conversation.
func (ib *itemBuilder) usage(m *components.ItemModel, i int) {
	e, u := &ib.pg.entries[i], ib.bodies[i].Usage
	m.Icon, m.Title = "usage", "Tokens spent outside the conversation"
	parts := []string{oneLine(strings.ReplaceAll(e.Name, "_", " "))}
	if n := u.Input + u.Output + u.CacheRead + u.CacheWrite; n > 0 {
		parts = append(parts, tokens(n)+" tokens")
	}
	if c := dollars(e.Cost); c != "" {
		parts = append(parts, c)
	}
	m.Detail = strings.TrimPrefix(strings.Join(parts, ", "), ", ")
	m.Blocks = ib.blocks(i)
}

func modelName(e *session.Entry) string {
	if e.Provider == "" || strings.Contains(e.Name, "/") {
		return oneLine(e.Name)
	}
	return oneLine(e.Provider + "/" + e.Name)
}
