package path

import (
	"cmp"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// noteItem returns the line of an entry that records settings or state.
func (ib *itemBuilder) noteItem(i int) *components.NoteItem {
	e := &ib.page.entries[i]
	m := &components.NoteItem{EntryHead: ib.newHead(e)}
	name := view.OneLine(e.Name)
	switch e.Kind {
	case session.KindModel:
		m.Icon, m.Title, m.Detail = "model", "Model", modelName(&e.Entry)
		if e.HasFlag(session.FlagSecondary) {
			m.Title = "Model of another role"
		}
	case session.KindThinking:
		m.Icon, m.Title, m.Detail = "thinking", "Thinking", cmp.Or(name, "off")
	case session.KindName:
		m.Icon, m.Title, m.Detail = "name", "Session named", name
		if name == "" {
			m.Title = "Session name cleared"
		}
	case session.KindLabel:
		m.Icon, m.Title, m.Detail = "label", "Label set", view.OneLine(e.Preview)
		if e.Preview == "" {
			m.Title = "Label cleared"
		}
		ib.linkTarget(m, e)
	case session.KindUsage:
		ib.fillUsageNote(m, i)
	case session.KindContextEdit:
		m.Icon, m.Title = "edit", "Replaced in the context from here on"
		if e.Entry.OmitsTarget() {
			m.Title = "Left out of the context from here on"
		}
		ib.linkTarget(m, e)
		m.Blocks = ib.blocks.buildBlocks(i)
	case session.KindReset:
		m.Icon, m.Title = "reset", "Context starts over"
		m.Detail = "the model sees nothing before this"
	case session.KindArchive:
		m.Icon, m.Title = "event", "Shown again"
		if e.HasFlag(session.FlagOn) {
			m.Title = "Hidden"
		}
		ib.linkTarget(m, e)
	case session.KindCustom:
		ib.fillExtensionNote(m, i)
	default:
		m.Icon, m.Title, m.Detail = "event", view.RoleName(e.Role), name
		if e.Kind == session.KindUnknown {
			m.Title, m.Detail = "["+cmp.Or(view.OneLine(e.Role), "no type")+"]", "an entry of an unknown type"
		}
		m.Blocks = ib.blocks.buildBlocks(i)
	}
	m.Detail = joinNonEmpty([]string{m.Detail, otherRequestsText(e)})
	return m
}

// fillExtensionNote fills in state that an extension recorded.
func (ib *itemBuilder) fillExtensionNote(m *components.NoteItem, i int) {
	e := &ib.page.entries[i]
	m.Icon, m.Title, m.Detail = "event", "Extension state", view.OneLine(e.Name)
	if e.HasFlag(session.FlagBranchMark) {
		m.Title, m.Detail = "Branched here, waiting for the next prompt", ""
	}
	m.Blocks = ib.blocks.buildBlocks(i)
}

// linkTarget links a note to its target entry.
func (ib *itemBuilder) linkTarget(m *components.NoteItem, e *pathEntry) {
	if e.targetHref == "" {
		m.Pairs = append(m.Pairs, components.Pair{Name: "About", Value: view.OneLine(rowtext.Cut(e.Target(), 80)) + ", which is not in the file"})
		return
	}
	m.Edited, m.Edit = e.targetText, &components.Link{Text: "View this entry", Href: e.targetHref}
}

// fillUsageNote fills in tokens spent outside the conversation.
func (ib *itemBuilder) fillUsageNote(m *components.NoteItem, i int) {
	e, u := &ib.page.entries[i], ib.bodies[i].Usage
	m.Icon, m.Title = "usage", "Tokens spent outside the conversation"
	parts := []string{view.OneLine(strings.ReplaceAll(e.Name, "_", " "))}
	if n := u.Tokens(); n > 0 {
		parts = append(parts, view.FormatTokens(n)+" tokens")
	}
	if c := view.FormatDollars(e.cost.dollars); c != "" {
		parts = append(parts, c)
	}
	m.Detail = strings.TrimPrefix(strings.Join(parts, ", "), ", ")
	m.Blocks = ib.blocks.buildBlocks(i)
}

func modelName(e *session.Entry) string {
	if e.Provider() == "" || strings.Contains(e.ModelID(), "/") {
		return view.OneLine(e.ModelID())
	}
	return view.OneLine(e.Provider() + "/" + e.ModelID())
}
