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
	Aside  bool  // kept outside of the file
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
	if len(t.labels.byID) == 0 && len(t.aside.labels) == 0 {
		return LabelInfo{}, false
	}
	id := t.entries[p].ID
	if own, kept := t.aside.labels[id]; kept {
		return LabelInfo{p, own.text, own.time, true}, own.text != ""
	}
	in, ok := t.labels.byID[id]
	return LabelInfo{p, in.text, in.time, false}, ok
}

// Labels lists the labels in force whose target is in the tree, in the order in
// which they were first set since they were last cleared; those kept aside come
// last.
func (t *Tree) Labels() []LabelInfo {
	var all []LabelInfo
	for id := range t.labels.byID {
		if _, kept := t.aside.labels[id]; !kept {
			all = t.inForce(all, id)
		}
	}
	for id := range t.aside.labels {
		all = t.inForce(all, id)
	}
	sortLabels(all, t.labelOrder)
	return all
}

// inForce adds the label of an id, if there is one and its entry.
func (t *Tree) inForce(all []LabelInfo, id string) []LabelInfo {
	if p := t.Find(id); p != NoPos {
		if l, ok := t.Label(p); ok {
			return append(all, l)
		}
	}
	return all
}

func (t *Tree) labelOrder(l *LabelInfo) int {
	id := t.entries[l.Target].ID
	if l.Aside {
		return t.labels.next + 1 + t.aside.labels[id].order
	}
	return t.labels.byID[id].order
}

func sortLabels(all []LabelInfo, order func(*LabelInfo) int) {
	slices.SortFunc(all, func(a, b LabelInfo) int { return cmp.Compare(order(&a), order(&b)) })
}
