package pi

import "sessiontree/internal/session"

// end writes what stands behind all entries, one line under the other from the leaf
// on: the name, the labels in force or, where the last line would be another leaf, a
// line of ours.
func (w *forker) end(order []session.Pos, leaf, last session.Pos, now int64) {
	copied := len(w.lines)
	above := w.called(order, w.names.of(w.tree.At(leaf).ID), now)
	w.labels(above, now)
	if len(w.lines) == copied && leaf != last {
		w.neutral("custom", above, now, pair{"customType", quoted(branchMark)})
	}
}

// neutral writes a line that says nothing to a model, and answers its id.
func (w *forker) neutral(typ string, above []byte, now int64, more pair) (id []byte) {
	id = quoted(w.fresh.id())
	text := compose(pair{"type", quoted(typ)}, pair{"id", id}, pair{"parentId", above}, pair{"timestamp", quoted(iso(now))}, more)
	w.lines = append(w.lines, session.FileLine{Pos: session.NoPos, Text: text})
	return id
}

// called names the new file as the session is called, unless its lines do, and
// answers what the next line hangs on. Of a fork the agent takes the lines alone.
func (w *forker) called(order []session.Pos, above []byte, now int64) []byte {
	name := ""
	for _, p := range order {
		if e := w.tree.At(p); e.Kind == session.KindName {
			name = e.Name
		}
	}
	if want := w.tree.Header().Name; w.closed && !w.titled && want != name {
		return w.neutral("session_info", above, now, pair{"name", quoted(want)})
	}
	return above
}

// labels sets the labels in force again, each on the line before.
func (w *forker) labels(above []byte, now int64) {
	for _, l := range w.tree.Labels() {
		if !w.copied[l.Target] {
			continue
		}
		if l.Time == session.NoTime {
			l.Time = now
		}
		id := quoted(w.fresh.id())
		target := w.names.of(w.tree.At(l.Target).ID)
		w.lines = append(w.lines, session.FileLine{Pos: session.NoPos, Text: labelLine(id, above, l.Time, target, l.Text)})
		above = id
	}
}
