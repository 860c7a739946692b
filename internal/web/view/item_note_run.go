package view

import (
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// maxNoteRun is how many changes of model and thinking, or events, one line may
// tell. A bound keeps what a growing page asks for again small.
const maxNoteRun = 8

// noteRun is the line of such changes that the next entry may still go on.
type noteRun struct {
	item  int // index in out
	start int // index of its first entry
	size  int // entries; 0 = none
	kind  noteRunKind
}

// noteRunKind is what may stand on one line together.
type noteRunKind uint8

const (
	notInRun     noteRunKind = iota
	modelNotes               // model and thinking
	programNotes             // what the agent's program recorded for itself
)

// mergeIntoNoteRun adds what a note tells to the line above when both are of the same sort
// and no entry stands between. It reports whether it did.
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

// nameBlocks says of blocks without a name which part of the line they are of.
func nameBlocks(blocks []components.BlockModel, title, detail string) {
	for k := range blocks {
		if blocks[k].Name == "" {
			blocks[k].Name = joinColon(title, detail)
		}
	}
}

// startNoteRun notes that the item just added may be gone on with.
func (ib *itemBuilder) startNoteRun(i int, m components.ItemModel) {
	if sort := ib.classifyNote(i, &m); sort != notInRun {
		ib.notes = noteRun{item: len(ib.items) - 1, start: i, size: 1, kind: sort}
	}
}

// isNoteRunOpen reports whether a line of changes ends right before the i-th entry.
func (ib *itemBuilder) isNoteRunOpen(i int) bool {
	c := &ib.notes
	return c.size > 0 && c.start+c.size == i
}

// classifyNote is the sort of change that an entry is, if it has nothing else to show for
// which a line of its own would be needed: no words to read.
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
