package pi

import "sessiontree/internal/session"

// makeTrailer returns the trailer: the name, the labels in force with their times or, if the last
// line would be another leaf, a marker line. These lines follow all entries and continue from the
// leaf. If the leaf must stay the last line, they are a branch before it. A fork uses only the
// lines.
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
			up = last // the lines precede it
		}
		t.EncodeSiblingLine = w.trailerLines(up, targets, now)
	}
	return t
}

// trailerLabels lists the labels of copied entries that the trailer must set. If the whole session
// is copied with its label lines, these are only the labels in the sidecar, including removed ones.
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

// changesName reports whether the entry at p names the session differently than the trailer.
func (w *entryCopier) changesName(p session.Pos, name *string) bool {
	e := w.tree.At(p)
	return name != nil && e.Kind == session.KindName && e.SessionName() != *name
}

// trailerLines returns a function that encodes trailer lines. The first line becomes a child of the
// entry at under.
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

// metadataLine returns a line that no model sees.
func metadataLine(typ, id string, above []byte, now int64, more keyValue) []byte {
	return composeObject(keyValue{"type", quoteJSON(typ)}, keyValue{"id", quoteJSON(id)}, keyValue{"parentId", above}, keyValue{"timestamp", quoteJSON(formatISO(now))}, more)
}
