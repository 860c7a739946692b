package session

// Annotations is what is kept of a session outside of its file because the file cannot
// hold it.
type Annotations struct {
	Labels []LabelAnnotation // in the order in which they were set
	Name   *NameAnnotation   // nil: none
}

// LabelAnnotation is a label set aside, Text "" cleared.
type LabelAnnotation struct {
	Target string
	Text   string
	Time   int64 // ms
}

// NameAnnotation names the session as long as the file's own name is still Over, the
// one that it was set over. One set over none stays: agents find titles by
// themselves.
type NameAnnotation struct {
	Text, Over string
}

// HasAny reports whether anything is kept.
func (a Annotations) HasAny() bool { return len(a.Labels) > 0 || a.Name != nil }

// annotationIndex is an Aside in use.
type annotationIndex struct {
	labels map[string]storedLabel
	name   *NameAnnotation
}

// ApplyAnnotations shows what is kept aside as if the file held it, instead of what an
// earlier call showed. Of two labels of an entry the newer one counts. Positions
// stay valid.
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

// dropOlderLabel drops a label kept aside that the file's line e is newer than.
func (a *annotationIndex) dropOlderLabel(e *Entry) {
	if own, ok := a.labels[e.Target()]; ok && e.Time > own.time {
		delete(a.labels, e.Target())
	}
}

// effectiveName answers the name in force for a session that its file calls recorded.
func (n *NameAnnotation) effectiveName(recorded string) string {
	if n == nil || n.Over != "" && n.Over != recorded {
		return recorded
	}
	return n.Text
}

// UnlessUserTitled returns the name unless it was set over none and the user has given the
// session one in its file since.
func (n *NameAnnotation) UnlessUserTitled(recorded string, titled bool) *NameAnnotation {
	if n != nil && n.Over == "" && titled && recorded != "" {
		return nil
	}
	return n
}

// LabelAnnotations is the labels in force of some entries, for a file that cannot hold them.
func (t *Tree) LabelAnnotations(of func(p Pos) bool) (all []LabelAnnotation) {
	for _, l := range t.Labels() {
		if of(l.Target) {
			all = append(all, LabelAnnotation{Target: t.At(l.Target).ID, Text: l.Text, Time: l.Time})
		}
	}
	return all
}

// ResolveNameAndLabels answers the name and the labeled entries of a session of which only the
// recorded ones are known, by id.
func (a *Annotations) ResolveNameAndLabels(name string, labeled []string) (string, map[string]bool) {
	all := make(map[string]bool, len(labeled)+len(a.Labels))
	for _, id := range labeled {
		all[id] = true
	}
	for _, l := range a.Labels {
		if delete(all, l.Target); l.Text != "" {
			all[l.Target] = true
		}
	}
	return a.Name.effectiveName(name), all
}

// RecordedNameAndLabels answers the name and the labels that the file itself holds.
func (t *Tree) RecordedNameAndLabels() (name string, labels []LabelInfo) {
	for id, in := range t.labels.byID {
		if p := t.FindID(id); p != NoPos {
			labels = append(labels, LabelInfo{Target: p, Text: in.text, Time: in.time})
		}
	}
	t.sortLabels(labels)
	return t.header.Name, labels
}
