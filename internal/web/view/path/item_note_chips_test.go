package path

import (
	"slices"
	"testing"

	"sessiontree/web/components"
)

func TestAddChip(t *testing.T) {
	row := &components.NoteItem{}
	for _, title := range []string{"CLAUDE.md", "task reminder", "Stop hook", "total tokens reminder", "CLAUDE.md", "Stop hook", "task reminder", "SessionStart hook", "Note", "date note"} {
		addChip(row, components.NoteChip{
			Entries: []string{title}, Title: title, Blocks: []components.BlockModel{{Kind: "out", Text: title}}, Raw: []components.Link{{Text: "Raw line", Href: title}},
		})
	}
	var titles []string
	blocks, lines := 0, 0
	for _, c := range row.Chips {
		titles = append(titles, c.Title)
		blocks, lines = blocks+len(c.Blocks), lines+len(c.Raw)
	}
	if want := []string{"CLAUDE.md", "3 reminders", "2 Stop hooks", "CLAUDE.md", "SessionStart hook", "2 notes"}; !slices.Equal(titles, want) {
		t.Errorf("titles %q, want %q", titles, want)
	}
	if blocks != 10 || lines != 10 {
		t.Errorf("%d blocks and %d raw lines, want 10 each", blocks, lines)
	}
	if name := row.Chips[1].Blocks[1].Name; name != "total tokens reminder" {
		t.Errorf("the second block of the reminders is named %q", name)
	}
}
