package pi

import "sessiontree/internal/session"

// tail is the name, the labels in force with their own times or, where the last line
// would be another leaf, a line of ours. They stand behind all entries, one under the
// other from the leaf on; or before the last one, where that is the leaf, as a branch
// of its own. Of a fork the agent takes the lines alone.
func (w *forker) tail(keep []session.Pos, last session.Pos, now int64) *session.Tail {
	t := &session.Tail{Leaf: w.leaf(keep, last), Last: last, Moves: true}
	if name := w.tree.Header().Name; w.closed && !w.titled {
		t.Name, t.Aside.Name = &name, &session.AsideName{Text: name}
	}
	targets := map[session.Pos][]byte{}
	for _, l := range w.labels() {
		if l.Time == session.NoTime {
			l.Time = now
		}
		id := w.tree.At(l.Target).ID
		t.Labels, targets[l.Target] = append(t.Labels, l), w.names.of(id)
		if minted, ok := w.names.minted[id]; ok {
			id = minted
		}
		t.Aside.Labels = append(t.Aside.Labels, session.AsideLabel{Target: id, Text: l.Text, Time: l.Time})
	}
	t.Line = w.saying(t.Leaf, targets, now)
	if t.Leaf == last && !w.renames(last, t.Name) {
		up := w.above(last)
		if up == session.NoPos {
			up = last // which comes behind them
		}
		t.Side = w.saying(up, targets, now)
	}
	return t
}

// labels are those that the tail sets: of entries that are copied. Of the whole session
// the lines themselves are, and those that the sidecar holds are left, also where it
// takes one away.
func (w *forker) labels() (all []session.LabelInfo) {
	for _, l := range w.tree.Labels() {
		if w.copied[l.Target] && (l.Aside || !w.whole) {
			all = append(all, l)
		}
	}
	if !w.whole {
		return all
	}
	_, recorded := w.tree.Recorded()
	for _, l := range recorded {
		if _, ok := w.tree.Label(l.Target); !ok {
			all = append(all, session.LabelInfo{Target: l.Target, Time: session.NoTime})
		}
	}
	return all
}

// renames reports whether the entry at p gives the session another name: one that is
// told before it does not count.
func (w *forker) renames(p session.Pos, name *string) bool {
	e := w.tree.At(p)
	return name != nil && e.Kind == session.KindName && e.Name != *name
}

// saying makes lines of a tail, the first of which hangs on the entry at under.
func (w *forker) saying(under session.Pos, targets map[session.Pos][]byte, now int64) func(id, above string, say session.Saying) []byte {
	first := w.names.of(w.tree.At(under).ID)
	return func(id, above string, say session.Saying) []byte {
		parent := first
		if above != "" {
			parent = quoted(above)
		}
		switch l := say.Label; {
		case l != nil:
			return labelLine(quoted(id), parent, l.Time, targets[l.Target], l.Text)
		case say.Name != nil:
			return neutral("session_info", id, parent, now, pair{"name", quoted(*say.Name)})
		}
		return neutral("custom", id, parent, now, pair{"customType", quoted(branchMark)})
	}
}

// neutral is a line that says nothing to a model.
func neutral(typ, id string, above []byte, now int64, more pair) []byte {
	return compose(pair{"type", quoted(typ)}, pair{"id", quoted(id)}, pair{"parentId", above}, pair{"timestamp", quoted(iso(now))}, more)
}
