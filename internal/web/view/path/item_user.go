package path

import (
	"path"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// userItem returns the item of a prompt.
func (ib *itemBuilder) userItem(i int) *components.UserItem {
	e := &ib.page.entries[i]
	m := &components.UserItem{EntryHead: ib.newHead(e), Who: ib.page.audience.PromptAuthor(), Blocks: ib.blocks.buildBlocks(i)}
	if e.HasFlag(session.FlagSecondary) {
		m.Who, m.ByAgent = "Main agent", true
	}
	if e.HasFlag(session.FlagNoContext) {
		m.Detail = "not in the context"
	}
	for _, b := range m.Blocks {
		if isImageBlock(b) {
			m.Images = append(m.Images, b)
		}
	}
	m.Blocks = slices.DeleteFunc(m.Blocks, isImageBlock)
	if len(m.Blocks)+len(m.Images) == 0 {
		m.Blocks = []components.BlockModel{{Kind: "text", Text: "(no text)"}}
	}
	return m
}

func isImageBlock(b components.BlockModel) bool { return b.Kind == "image" }

// promptRun is the prompt to which the next entry may attach something.
type promptRun struct {
	item  *components.UserItem
	start int // index of the prompt
	size  int // the prompt and what is attached; 0 = none
}

// isOpen reports whether the run ends right before the i-th entry.
func (r *promptRun) isOpen(i int) bool { return r.size > 0 && r.start+r.size == i }

// attachToPrompt shows an entry in the prompt above if the user attached it to that. It reports
// whether it did.
func (ib *itemBuilder) attachToPrompt(i int, m *components.NoteItem) bool {
	e := &ib.page.entries[i]
	if !e.HasFlag(session.FlagAttached) || !ib.prompt.isOpen(i) || e.switcher != nil || ib.classifyNote(i, m) != programNotes {
		return false
	}
	prompt := ib.prompt.item
	ib.prompt.size++
	prompt.Target = prompt.Target || m.Target
	chip := ib.noteChip(i, m)
	before := len(prompt.Images)
	for _, b := range chip.Blocks {
		if isImageBlock(b) {
			b.Alt = path.Base(strings.ReplaceAll(chip.Title, `\`, "/"))
			prompt.Images = append(prompt.Images, b)
		}
	}
	if len(prompt.Images) > before {
		prompt.Also = append(prompt.Also, e.ID)
	} else {
		prompt.Files = append(prompt.Files, chip)
	}
	return true
}

// messageBlocks returns all blocks of a message, or a placeholder if there are none.
func (ib *itemBuilder) messageBlocks(i int) []components.BlockModel {
	if blocks := ib.blocks.buildBlocks(i); len(blocks) > 0 {
		return blocks
	}
	return []components.BlockModel{{Kind: "text", Text: "(no text)"}}
}

// openItemStart returns the index of the first entry of the last item of a page if a later entry may
// still become a part of it, else the number of entries.
func (ib *itemBuilder) openItemStart() int {
	shown := ib.page.shown
	switch {
	case ib.pendingFrom >= 0:
		return ib.pendingFrom
	case ib.group.size > 0:
		return ib.group.start
	case ib.isNoteRunOpen(shown):
		return ib.notes.start
	case ib.prompt.isOpen(shown):
		return ib.prompt.start
	}
	return shown
}
