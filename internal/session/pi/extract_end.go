package pi

import "sessiontree/internal/session"

// tail is what stands behind all entries, one line under the other from the leaf on:
// the name, the labels in force with their own times or, where the last line would be
// another leaf, a line of ours. Of a fork the agent takes the lines alone.
func (w *forker) tail(keep []session.Pos, last session.Pos, now int64) *session.Tail {
	t := &session.Tail{Leaf: w.leaf(keep, last), Last: last, Moves: true}
	if name := w.tree.Header().Name; w.closed && !w.titled {
		t.Name = &name
	}
	leaf := w.names.of(w.tree.At(t.Leaf).ID)
	targets := map[session.Pos][]byte{}
	for _, l := range w.tree.Labels() {
		if !w.copied[l.Target] {
			continue
		}
		if l.Time == session.NoTime {
			l.Time = now
		}
		t.Labels, targets[l.Target] = append(t.Labels, l), w.names.of(w.tree.At(l.Target).ID)
	}
	t.Line = func(id, above string, say session.Saying) []byte {
		parent := leaf
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
	return t
}

// neutral is a line that says nothing to a model.
func neutral(typ, id string, above []byte, now int64, more pair) []byte {
	return compose(pair{"type", quoted(typ)}, pair{"id", quoted(id)}, pair{"parentId", above}, pair{"timestamp", quoted(iso(now))}, more)
}
