package path

import (
	"cmp"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// noteChip returns the chip of a note about something that was added without the user.
func (ib *itemBuilder) noteChip(i int, m *components.NoteItem) components.NoteChip {
	e := &ib.page.entries[i]
	c := components.NoteChip{Entries: []string{e.ID}, Icon: "info", Title: chipTitle(e, m), Blocks: m.Blocks}
	if strings.HasPrefix(c.Title, "/") {
		c.Title = view.ShortPath(c.Title, ib.page.path.header.Cwd, ib.page.config.Home)
	}
	details := []string{view.FormatDuration(ib.bodies[i].Duration)}
	for k := range ib.bodies[i].Blocks {
		if b := &ib.bodies[i].Blocks[k]; b.Kind == session.BlockFile {
			c.Icon = "file"
			details = append(details, components.Pluralize(countLines(b.Text), "line", "lines"))
		}
	}
	if strings.Contains(c.Title, " hook") {
		c.Icon = "event"
	}
	if e.HasFlag(session.FlagAttached) {
		c.Icon = "file"
	}
	if e.HasFlag(session.FlagHidden) || chipGroup(c.Title) == "reminder" {
		details = append(details, "seen by the model only")
	}
	c.Detail = joinNonEmpty(details)
	if m.Raw != "" {
		c.Raw = []components.Link{{Text: "Raw line", Href: m.Raw}}
	}
	return c
}

// chipTitle returns the name of what an entry added: without its role if the name says enough.
func chipTitle(e *pathEntry, m *components.NoteItem) string {
	name := view.OneLine(e.Name)
	if slices.Contains([]string{"attachment", "progress", "system"}, e.Role) || e.Kind == session.KindCustomMessage {
		return cmp.Or(name, view.RoleName(e.Role))
	}
	return view.JoinColon(m.Title, m.Detail)
}

// chipGroup returns the kind of a chip that is counted with others of the same kind: "reminder", "note"
// or "Stop hook", "" for chips that are shown one by one.
func chipGroup(title string) string {
	switch {
	case strings.HasSuffix(title, "reminder"):
		return "reminder"
	case title == "Note" || strings.HasSuffix(title, " note"):
		return "note"
	case strings.HasSuffix(title, " hook"):
		return title
	}
	return ""
}

// addChip adds a chip to a row, or to the last chip of its group. The chip of a group has the sum of
// its blocks, each named after the note it belongs to.
func addChip(row *components.NoteItem, c components.NoteChip) {
	group := chipGroup(c.Title)
	at := slices.IndexFunc(row.Chips, func(o components.NoteChip) bool {
		return group != "" && (chipGroup(o.Title) == group || strings.HasSuffix(o.Title, " "+group+"s"))
	})
	if at < 0 {
		row.Chips = append(row.Chips, c)
		return
	}
	o := &row.Chips[at]
	if len(o.Entries) == 1 {
		nameBlocks(o.Blocks, o.Title, "")
	}
	nameBlocks(c.Blocks, c.Title, "")
	o.Entries, o.Blocks, o.Raw = append(o.Entries, c.Entries...), append(o.Blocks, c.Blocks...), append(o.Raw, c.Raw...)
	o.Title = components.Pluralize(len(o.Entries), group, group+"s")
	if o.Detail != c.Detail {
		o.Detail = ""
	}
}
