package view

import (
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// maxChanges is how many changes of model and thinking, or events, one line may
// tell. A bound keeps what a growing page asks for again small.
const maxChanges = 8

// changes is the line of such changes that the next entry may still go on.
type changes struct {
	item  int // index in out
	start int // index of its first entry
	size  int // entries; 0 = none
	sort  changeSort
}

// changeSort is what may stand on one line together.
type changeSort uint8

const (
	noChange  changeSort = iota
	ofModel              // model and thinking
	ofProgram            // what the agent's program recorded for itself
)

// change adds what a note tells to the line above when both are of the same sort
// and no entry stands between. It reports whether it did.
func (ib *itemBuilder) change(i int, m components.ItemModel) bool {
	c := &ib.changes
	if sort := ib.sortOf(i, &m); sort == noChange || sort != c.sort || ib.pg.entries[i].branch != nil || !ib.changing(i) || c.size >= maxChanges {
		return false
	}
	line := &ib.out[c.item]
	if c.size == 1 {
		name(line.Blocks, line.Title, line.Detail)
	}
	name(m.Blocks, m.Title, m.Detail)
	line.Also = append(line.Also, components.NotePart{Entry: m.Entry, Title: strings.ToLower(m.Title), Detail: m.Detail})
	line.Blocks = append(line.Blocks, m.Blocks...)
	line.Target = line.Target || m.Target
	c.size++
	return true
}

// name says of blocks without a name which part of the line they are of.
func name(blocks []components.BlockModel, title, detail string) {
	for k := range blocks {
		if blocks[k].Name == "" {
			blocks[k].Name = colon(title, detail)
		}
	}
}

// beginChanges notes that the item just added may be gone on with.
func (ib *itemBuilder) beginChanges(i int, m components.ItemModel) {
	if sort := ib.sortOf(i, &m); sort != noChange {
		ib.changes = changes{item: len(ib.out) - 1, start: i, size: 1, sort: sort}
	}
}

// changing reports whether a line of changes ends right before the i-th entry.
func (ib *itemBuilder) changing(i int) bool {
	c := &ib.changes
	return c.size > 0 && c.start+c.size == i
}

// sortOf is the sort of change that an entry is, if it has nothing else to show for
// which a line of its own would be needed: no words to read.
func (ib *itemBuilder) sortOf(i int, m *components.ItemModel) changeSort {
	e := &ib.pg.entries[i]
	switch {
	case e.label != "" || e.edit != nil || e.warn != "" || e.begins != nil || len(e.begun) > 0:
		return noChange
	case e.Kind == session.KindModel || e.Kind == session.KindThinking:
		return ofModel
	case e.Kind == session.KindEvent && !slices.ContainsFunc(m.Blocks, func(b components.BlockModel) bool { return b.Kind != "json" }):
		return ofProgram
	}
	return noChange
}
