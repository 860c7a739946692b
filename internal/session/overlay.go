package session

// Aside is what is kept of a session outside of its file because the file cannot
// hold it.
type Aside struct {
	Labels []AsideLabel // in the order in which they were set
	Name   *AsideName   // nil: none
}

// AsideLabel is a label set aside, Text "" cleared.
type AsideLabel struct {
	Target string
	Text   string
	Time   int64 // ms
}

// AsideName names the session as long as the file's own name is still Over, the
// one that it was set over. One set over none stays: agents find titles by
// themselves.
type AsideName struct {
	Text, Over string
}

// Any reports whether anything is kept.
func (a Aside) Any() bool { return len(a.Labels) > 0 || a.Name != nil }

// aside is an Aside in use.
type aside struct {
	labels map[string]label
	name   *AsideName
}

// Overlay shows what is kept aside as if the file held it, instead of what an
// earlier call showed. Of two labels of an entry the newer one counts. Positions
// stay valid.
func (t *Tree) Overlay(a Aside) {
	t.aside = aside{name: a.Name}
	if len(a.Labels) == 0 {
		return
	}
	t.aside.labels = make(map[string]label, len(a.Labels))
	for i, l := range a.Labels {
		t.aside.labels[l.Target] = label{l.Text, l.Time, i}
	}
	for i := range t.entries {
		if e := t.At(Pos(i)); e.Kind == KindLabel {
			t.aside.yield(e)
		}
	}
}

// yield drops a label kept aside that the file's line e is newer than.
func (a *aside) yield(e *Entry) {
	if own, ok := a.labels[e.Target]; ok && e.Time > own.time {
		delete(a.labels, e.Target)
	}
}

// named answers the name in force for a session that its file calls recorded.
func (n *AsideName) named(recorded string) string {
	if n == nil || n.Over != "" && n.Over != recorded {
		return recorded
	}
	return n.Text
}

// Since returns the name unless it was set over none and the user has given the
// session one in its file since.
func (n *AsideName) Since(recorded string, titled bool) *AsideName {
	if n != nil && n.Over == "" && titled && recorded != "" {
		return nil
	}
	return n
}

// LabelsOf is the labels in force of some entries, for a file that cannot hold them.
func (t *Tree) LabelsOf(of func(p Pos) bool) (all []AsideLabel) {
	for _, l := range t.Labels() {
		if of(l.Target) {
			all = append(all, AsideLabel{Target: t.At(l.Target).ID, Text: l.Text, Time: l.Time})
		}
	}
	return all
}

// Merge answers the name and the labeled entries of a session of which only the
// recorded ones are known, by id.
func (a *Aside) Merge(name string, labeled []string) (string, map[string]bool) {
	all := make(map[string]bool, len(labeled)+len(a.Labels))
	for _, id := range labeled {
		all[id] = true
	}
	for _, l := range a.Labels {
		if delete(all, l.Target); l.Text != "" {
			all[l.Target] = true
		}
	}
	return a.Name.named(name), all
}

// Recorded answers the name and the labels that the file itself holds.
func (t *Tree) Recorded() (name string, labels []LabelInfo) {
	for id, in := range t.labels.byID {
		if p := t.Find(id); p != NoPos {
			labels = append(labels, LabelInfo{Target: p, Text: in.text, Time: in.time})
		}
	}
	t.sortLabels(labels)
	return t.header.Name, labels
}
