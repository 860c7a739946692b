package pi

import "sessiontree/internal/session"

// makeTrailer is the name, the labels in force with their own times or, where the last line
// would be another leaf, a line of ours. They stand behind all entries, one under the
// other from the leaf on; or before the last one, where that is the leaf, as a branch
// of its own. Of a fork the agent takes the lines alone.
func (w *entryCopier) makeTrailer(keep []session.Pos, last session.Pos, now int64) *session.Trailer {
	t := &session.Trailer{Leaf: w.newLeaf(keep, last), ImpliedLeaf: last, LastLineIsLeaf: true}
	if name := w.tree.Header().Name; w.isClosed && !w.titleInHeader {
		t.Name, t.Annotations.Name = &name, &session.NameAnnotation{Text: name}
	}
	targets := map[session.Pos][]byte{}
	for _, l := range w.trailerLabels() {
		if l.Time == session.NoTime {
			l.Time = now
		}
		id := w.tree.At(l.Target).ID
		t.Labels, targets[l.Target] = append(t.Labels, l), w.idNames.quotedID(id)
		if minted, ok := w.idNames.minted[id]; ok {
			id = minted
		}
		t.Annotations.Labels = append(t.Annotations.Labels, session.LabelAnnotation{Target: id, Text: l.Text, Time: l.Time})
	}
	t.EncodeLine = w.trailerLines(t.Leaf, targets, now)
	if t.Leaf == last && !w.changesName(last, t.Name) {
		up := w.copiedAncestor(last)
		if up == session.NoPos {
			up = last // which comes behind them
		}
		t.EncodeSiblingLine = w.trailerLines(up, targets, now)
	}
	return t
}

// trailerLabels are those that the tail sets: of entries that are copied. Of the whole session
// the lines themselves are, and those that the sidecar holds are left, also where it
// takes one away.
func (w *entryCopier) trailerLabels() (all []session.LabelInfo) {
	for _, l := range w.tree.Labels() {
		if w.copied[l.Target] && (l.InSidecar || !w.isWholeSession) {
			all = append(all, l)
		}
	}
	if !w.isWholeSession {
		return all
	}
	_, recorded := w.tree.RecordedNameAndLabels()
	for _, l := range recorded {
		if _, ok := w.tree.Label(l.Target); !ok {
			all = append(all, session.LabelInfo{Target: l.Target, Time: session.NoTime})
		}
	}
	return all
}

// changesName reports whether the entry at p gives the session another name: one that is
// told before it does not count.
func (w *entryCopier) changesName(p session.Pos, name *string) bool {
	e := w.tree.At(p)
	return name != nil && e.Kind == session.KindName && e.Name != *name
}

// trailerLines makes lines of a tail, the first of which hangs on the entry at under.
func (w *entryCopier) trailerLines(under session.Pos, targets map[session.Pos][]byte, now int64) func(id, above string, say session.TrailerItem) []byte {
	first := w.idNames.quotedID(w.tree.At(under).ID)
	return func(id, above string, say session.TrailerItem) []byte {
		parent := first
		if above != "" {
			parent = quoteJSON(above)
		}
		switch l := say.Label; {
		case l != nil:
			return labelLine(quoteJSON(id), parent, l.Time, targets[l.Target], l.Text)
		case say.Name != nil:
			return metadataLine("session_info", id, parent, now, keyValue{"name", quoteJSON(*say.Name)})
		}
		return metadataLine("custom", id, parent, now, keyValue{"customType", quoteJSON(branchMarkType)})
	}
}

// metadataLine is a line that says nothing to a model.
func metadataLine(typ, id string, above []byte, now int64, more keyValue) []byte {
	return composeObject(keyValue{"type", quoteJSON(typ)}, keyValue{"id", quoteJSON(id)}, keyValue{"parentId", above}, keyValue{"timestamp", quoteJSON(formatISO(now))}, more)
}
