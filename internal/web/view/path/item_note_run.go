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
const maxNoteRun = 16

// noteRun is the line of notes that the next entry may extend.
type noteRun struct {
	line  *components.NoteItem
	start int // index of its first entry
	size  int // entries; 0 = none
	kind  noteRunKind
}

// noteRunKind determines which notes share a line.
type noteRunKind uint8

const (
	notInRun     noteRunKind = iota
	modelNotes               // model and thinking
	programNotes             // what the agent's program added: a row of chips
)

// addNote adds a note, to the line above if both are of the same kind and adjacent.
func (ib *itemBuilder) addNote(i int, m *components.NoteItem) {
	if ib.mergeIntoNoteRun(i, m) {
		return
	}
	kind := ib.classifyNote(i, m)
	if kind == programNotes {
		m.Chips = []components.NoteChip{ib.noteChip(i, m)}
	}
	ib.addItem(m)
	if kind != notInRun {
		ib.notes = noteRun{line: m, start: i, size: 1, kind: kind}
	}
}

// mergeIntoNoteRun adds a note to the line above if both are of the same kind and adjacent.
// It reports whether it did.
func (ib *itemBuilder) mergeIntoNoteRun(i int, m *components.NoteItem) bool {
	c := &ib.notes
	if sort := ib.classifyNote(i, m); sort == notInRun || sort != c.kind || ib.page.entries[i].switcher != nil || !ib.isNoteRunOpen(i) || c.size >= maxNoteRun {
		return false
	}
	line := c.line
	line.Target = line.Target || m.Target
	c.size++
	if c.kind == programNotes {
		addChip(line, ib.noteChip(i, m))
		return true
	}
	if c.size == 2 {
		nameBlocks(line.Blocks, line.Title, line.Detail)
	}
	nameBlocks(m.Blocks, m.Title, m.Detail)
	line.Also = append(line.Also, components.NotePart{Entry: m.Entry, Title: strings.ToLower(m.Title), Detail: m.Detail})
	line.Blocks = append(line.Blocks, m.Blocks...)
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

// isNoteRunOpen reports whether a run ends right before the i-th entry.
func (ib *itemBuilder) isNoteRunOpen(i int) bool {
	c := &ib.notes
	return c.size > 0 && c.start+c.size == i
}

// classifyNote returns the kind of run an entry can join. An entry that shows anything
// else, such as a label or text, cannot join any.
func (ib *itemBuilder) classifyNote(i int, m *components.NoteItem) noteRunKind {
	e := &ib.page.entries[i]
	switch {
	case !e.isPlain():
		return notInRun
	case e.Kind == session.KindModel || e.Kind == session.KindThinking:
		return modelNotes
	case e.Kind == session.KindEvent && !slices.ContainsFunc(m.Blocks, isProse), isHiddenNote(e):
		return programNotes
	}
	return notInRun
}

// isProse reports whether a block is text that is read with the conversation.
func isProse(b components.BlockModel) bool { return b.Kind == "md" || b.Kind == "text" }

// isHiddenNote reports whether an entry is a message that the agent's program wrote for the model
// about what the user did.
func isHiddenNote(e *pathEntry) bool {
	return e.Kind == session.KindCustomMessage && e.HasFlag(session.FlagHidden) && e.HasFlag(session.FlagCommand)
}
