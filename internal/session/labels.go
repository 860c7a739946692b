package session

import (
	"cmp"
	"slices"
)

// LabelInfo is the current label of an entry.
type LabelInfo struct {
	Target    Pos
	Text      string
	Time      int64 // when it was set, ms or NoTime
	InSidecar bool  // the label is in the sidecar
}

// labelSet holds the current labels by the id of their target, which may be missing in
// the tree.
type labelSet struct {
	byID map[string]storedLabel
	next int
}

type storedLabel struct {
	text  string
	time  int64
	order int // ascending from label to label; unchanged when a label is replaced
}

func (l *labelSet) recordLabel(target, text string, time int64) {
	if text == "" {
		delete(l.byID, target)
		return
	}
	old, known := l.byID[target]
	if !known {
		l.next++
		old.order = l.next
	}
	l.byID[target] = storedLabel{text, time, old.order}
}

// Label returns the current label of p; ok is false if there is none.
func (t *Tree) Label(p Pos) (l LabelInfo, ok bool) {
	if len(t.labels.byID) == 0 && len(t.annotations.labels) == 0 {
		return LabelInfo{}, false
	}
	id := t.entries[p].ID
	if own, kept := t.annotations.labels[id]; kept {
		return LabelInfo{p, own.text, own.time, true}, own.text != ""
	}
	in, ok := t.labels.byID[id]
	return LabelInfo{p, in.text, in.time, false}, ok
}

// Labels returns the current labels whose target is in the tree, by file and in the
// order in which they were first set. Labels of the sidecar are last.
func (t *Tree) Labels() []LabelInfo {
	var all []LabelInfo
	addLabel := func(id string) {
		if p := t.FindID(id); p != NoPos {
			if l, ok := t.Label(p); ok {
				all = append(all, l)
			}
		}
	}
	for id := range t.labels.byID {
		if _, kept := t.annotations.labels[id]; !kept {
			addLabel(id)
		}
	}
	for id := range t.annotations.labels {
		addLabel(id)
	}
	t.sortLabels(all)
	return all
}

// sortLabels sorts labels as Labels returns them. The result does not depend on the
// order in which files were read.
func (t *Tree) sortLabels(all []LabelInfo) {
	slices.SortFunc(all, func(a, b LabelInfo) int {
		x, y := t.entries[a.Target], t.entries[b.Target]
		switch {
		case a.InSidecar && b.InSidecar:
			return cmp.Compare(t.annotations.labels[x.ID].order, t.annotations.labels[y.ID].order)
		case a.InSidecar:
			return 1
		case b.InSidecar:
			return -1
		}
		return cmp.Or(t.files.compareFiles(int(x.Span.File), int(y.Span.File)), cmp.Compare(t.labels.byID[x.ID].order, t.labels.byID[y.ID].order))
	})
}
