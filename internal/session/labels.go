package session

import (
	"cmp"
	"slices"
)

// LabelInfo is a label in force.
type LabelInfo struct {
	Target Pos
	Text   string
	Time   int64 // when it was set, ms or NoTime
}

// labels holds the labels in force by the id of their target, which need not be
// in the tree.
type labels struct {
	byID map[string]label
	next int
}

type label struct {
	text  string
	time  int64
	order int // counts up from label to label; kept while a label is replaced
}

func (l *labels) set(target, text string, time int64) {
	if text == "" {
		delete(l.byID, target)
		return
	}
	old, known := l.byID[target]
	if !known {
		l.next++
		old.order = l.next
	}
	l.byID[target] = label{text, time, old.order}
}

// Label answers the label of p in force; ok is false when there is none.
func (t *Tree) Label(p Pos) (l LabelInfo, ok bool) {
	if len(t.labels.byID) == 0 {
		return LabelInfo{}, false
	}
	in, ok := t.labels.byID[t.entries[p].ID]
	return LabelInfo{p, in.text, in.time}, ok
}

// Labels lists the labels in force whose target is in the tree, in the order in
// which they were first set since they were last cleared.
func (t *Tree) Labels() []LabelInfo {
	var all []LabelInfo
	for id := range t.labels.byID {
		if p := t.Find(id); p != NoPos {
			l, _ := t.Label(p)
			all = append(all, l)
		}
	}
	slices.SortFunc(all, func(a, b LabelInfo) int { return cmp.Compare(t.labelOrder(a), t.labelOrder(b)) })
	return all
}

func (t *Tree) labelOrder(l LabelInfo) int { return t.labels.byID[t.entries[l.Target].ID].order }
