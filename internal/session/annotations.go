package session

import "slices"

// Annotations are the labels and the name of a session that its file cannot hold. They
// are stored in a sidecar.
type Annotations struct {
	Labels []LabelAnnotation // in the order in which they were set
	Name   *NameAnnotation   // nil: none
}

// LabelAnnotation is a label in a sidecar. A Text of "" clears the label.
type LabelAnnotation struct {
	Target string
	Text   string
	Time   int64 // ms
}

// NameAnnotation is the name of a session in a sidecar. It applies while the name in
// the file is still Over, the one that it replaced. A name that replaced none always
// applies: agents add titles themselves.
type NameAnnotation struct {
	Text, Over string
}

// HasAny reports whether there is an annotation.
func (a Annotations) HasAny() bool { return len(a.Labels) > 0 || a.Name != nil }

// annotationIndex is the annotations of a tree by entry.
type annotationIndex struct {
	labels map[string]storedLabel
	name   *NameAnnotation
}

// ApplyAnnotations displays the annotations as if the file had them, in place of those
// of an earlier call. Of two labels of an entry the newer one applies. Positions stay
// valid.
func (t *Tree) ApplyAnnotations(a Annotations) {
	t.annotations = annotationIndex{name: a.Name}
	if len(a.Labels) == 0 {
		return
	}
	t.annotations.labels = make(map[string]storedLabel, len(a.Labels))
	for i, l := range a.Labels {
		t.annotations.labels[l.Target] = storedLabel{l.Text, l.Time, i}
	}
	for i := range t.entries {
		if e := t.At(Pos(i)); e.Kind == KindLabel {
			t.annotations.dropOlderLabel(e)
		}
	}
}

// dropOlderLabel drops the label of an entry if e, a line of the file, is newer.
func (a *annotationIndex) dropOlderLabel(e *Entry) {
	if own, ok := a.labels[e.Target()]; ok && e.Time > own.time {
		delete(a.labels, e.Target())
	}
}

// effectiveName returns the name of a session whose file records another.
func (n *NameAnnotation) effectiveName(recorded string) string {
	if n == nil || n.Over != "" && n.Over != recorded {
		return recorded
	}
	return n.Text
}

// UnlessUserTitled returns n, or nil if n replaced no name and the user has named the
// session in its file since.
func (n *NameAnnotation) UnlessUserTitled(recorded string, titled bool) *NameAnnotation {
	if n != nil && n.Over == "" && titled && recorded != "" {
		return nil
	}
	return n
}

// ResolveNameAndLabels returns the name and the texts of labels by the ids of entries of a
// session, given the recorded ones.
func (a *Annotations) ResolveNameAndLabels(name string, recorded []LabelAnnotation) (string, map[string]string) {
	all := make(map[string]string, len(recorded)+len(a.Labels))
	for _, l := range slices.Concat(recorded, a.Labels) {
		if delete(all, l.Target); l.Text != "" {
			all[l.Target] = l.Text
		}
	}
	return a.Name.effectiveName(name), all
}

// RecordedNameAndLabels returns the name and the labels in the file itself.
func (t *Tree) RecordedNameAndLabels() (name string, labels []LabelInfo) {
	for id, in := range t.labels.byID {
		if p := t.FindID(id); p != NoPos {
			labels = append(labels, LabelInfo{Target: p, Text: in.text, Time: in.time})
		}
	}
	t.sortLabels(labels)
	return t.header.Name, labels
}
