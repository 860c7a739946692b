package view

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/web/components"
)

// maxChanges is how many changes of model and thinking one line may tell. A bound
// keeps what a growing page asks for again small.
const maxChanges = 8

// changes is the line of such changes that the next entry may still go on.
type changes struct {
	item  int // index in out
	start int // index of its first entry
	size  int // entries; 0 = none
}

// change adds what a note tells to the line above when both are changes of model
// or thinking and no entry stands between. It reports whether it did.
func (ib *itemBuilder) change(i int, m components.ItemModel) bool {
	c := &ib.changes
	if !ib.plainChange(i) || ib.pg.entries[i].branch != nil || !ib.changing(i) || c.size >= maxChanges {
		return false
	}
	line := &ib.out[c.item]
	line.Also = append(line.Also, components.NotePart{Entry: m.Entry, Title: strings.ToLower(m.Title), Detail: m.Detail})
	line.Target = line.Target || m.Target
	c.size++
	return true
}

// beginChanges notes that the item just added may be gone on with.
func (ib *itemBuilder) beginChanges(i int) {
	if ib.plainChange(i) {
		ib.changes = changes{item: len(ib.out) - 1, start: i, size: 1}
	}
}

// changing reports whether a line of changes ends right before the i-th entry.
func (ib *itemBuilder) changing(i int) bool {
	c := &ib.changes
	return c.size > 0 && c.start+c.size == i
}

// plainChange reports whether an entry changes model or thinking and has nothing
// else to show, for which a line of its own would be needed.
func (ib *itemBuilder) plainChange(i int) bool {
	e := &ib.pg.entries[i]
	return (e.Kind == session.KindModel || e.Kind == session.KindThinking) && e.label == "" && e.edit == nil && e.warn == ""
}
