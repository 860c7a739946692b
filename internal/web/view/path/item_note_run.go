package path

import (
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// maxNoteRun limits the notes merged into one line, because a growing page requests its
// last line again.
const maxNoteRun = 8

// noteRun is the line of notes that the next entry may extend.
type noteRun struct {
	item  int // index in items
	start int // index of its first entry
	size  int // entries; 0 = none
	kind  noteRunKind
}

// noteRunKind determines which notes share a line.
type noteRunKind uint8

const (
	notInRun     noteRunKind = iota
	modelNotes               // model and thinking
	programNotes             // events that the agent's program recorded
)

// mergeIntoNoteRun adds a note to the line above if both are of the same kind and adjacent.
// It reports whether it did.
func (ib *itemBuilder) mergeIntoNoteRun(i int, m components.ItemModel) bool {
	c := &ib.notes
	if sort := ib.classifyNote(i, &m); sort == notInRun || sort != c.kind || ib.page.entries[i].switcher != nil || !ib.isNoteRunOpen(i) || c.size >= maxNoteRun {
		return false
	}
	line := &ib.items[c.item]
	if c.size == 1 {
		nameBlocks(line.Blocks, line.Title, line.Detail)
	}
	nameBlocks(m.Blocks, m.Title, m.Detail)
	line.Also = append(line.Also, components.NotePart{Entry: m.Entry, Title: strings.ToLower(m.Title), Detail: m.Detail})
	line.Blocks = append(line.Blocks, m.Blocks...)
	line.Target = line.Target || m.Target
	c.size++
	return true
}

// nameBlocks names unnamed blocks after the note they belong to.
func nameBlocks(blocks []components.BlockModel, title, detail string) {
	for k := range blocks {
		if blocks[k].Name == "" {
			blocks[k].Name = view.JoinColon(title, detail)
		}
	}
}

// startNoteRun starts a run with the item just added.
func (ib *itemBuilder) startNoteRun(i int, m components.ItemModel) {
	if sort := ib.classifyNote(i, &m); sort != notInRun {
		ib.notes = noteRun{item: len(ib.items) - 1, start: i, size: 1, kind: sort}
	}
}

// isNoteRunOpen reports whether a run ends right before the i-th entry.
func (ib *itemBuilder) isNoteRunOpen(i int) bool {
	c := &ib.notes
	return c.size > 0 && c.start+c.size == i
}

// classifyNote returns the kind of run an entry can join. An entry that shows anything
// else, such as a label or text, cannot join any.
func (ib *itemBuilder) classifyNote(i int, m *components.ItemModel) noteRunKind {
	e := &ib.page.entries[i]
	switch {
	case e.label != "" || e.edit != nil || e.warning != "" || e.ownThread != nil || len(e.startedThreads) > 0:
		return notInRun
	case e.Kind == session.KindModel || e.Kind == session.KindThinking:
		return modelNotes
	case e.Kind == session.KindEvent && !slices.ContainsFunc(m.Blocks, func(b components.BlockModel) bool { return b.Kind != "json" }):
		return programNotes
	}
	return notInRun
}
