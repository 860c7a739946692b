package store

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"sessiontree/internal/session"
)

// buildTrailer makes the lines of the tail that are not there yet.
func (x *Extract) buildTrailer(r *outputPlan, c CopiedState) bool {
	for _, key := range c.Labels {
		if !slices.Contains(x.trailer.labels, key) {
			return false
		}
	}
	r.copied.Labels, r.copied.TrailerLines = x.trailer.labels, c.TrailerLines
	above, line := "", x.Trailer.EncodeLine
	if !x.appendable && x.Trailer.EncodeSiblingLine != nil {
		line = x.Trailer.EncodeSiblingLine
		r.lines, r.afterTrailer = r.lines.splitLastLine()
	}
	say := func(what session.TrailerItem, words ...string) {
		id := x.trailer.newID(words...)
		r.trailer = append(r.trailer, line(id, above, what))
		r.copied.TrailerLines++
		above = id
	}
	if r.copied.Name = c.Name; x.trailer.nameLine >= c.Lines.Len {
		r.copied.Name = x.trailer.nameHash
	}
	if name := x.Trailer.Name; name != nil && r.copied.Name != hashName(*name) {
		r.copied.Name = hashName(*name)
		say(session.TrailerItem{Name: name}, "name", *name, strconv.Itoa(r.copied.TrailerLines))
	}
	for i, key := range x.trailer.labels {
		if !slices.Contains(c.Labels, key) {
			say(session.TrailerItem{Label: &x.Trailer.Labels[i]}, key)
		}
	}
	if r.copied.Leaf = c.Leaf; x.trailer.impliedLeafLine >= c.Lines.Len {
		r.copied.Leaf = x.trailer.impliedLeaf
	}
	if x.Trailer.LastLineIsLeaf && len(r.trailer) > 0 {
		r.copied.Leaf = x.trailer.leaf
	}
	switch x.trailer.leaf {
	case r.copied.Leaf:
	case "": // what was told of it cannot be taken back
		return r.copied.Leaf == x.trailer.impliedLeaf
	default:
		r.copied.Leaf = x.trailer.leaf
		say(session.TrailerItem{}, "leaf", x.trailer.leaf, strconv.Itoa(r.copied.Lines.Len), strconv.Itoa(r.copied.TrailerLines))
	}
	return true
}

// trailerState is what is known of a tail.
type trailerState struct {
	labels                    []string // their hashes
	leaf, impliedLeaf         string   // ids of the entries, "" for none
	nameHash                  string   // the name by the lines, as a hash
	impliedLeafLine, nameLine int      // the lines that say so, -1 for none
	newID                     func(words ...string) string
}

// newTrailerState is called with the turn.
func (s *Session) newTrailerState(f *session.NewFile, o Origin) (e trailerState) {
	tail, t := f.Trailer, s.tree
	if tail == nil {
		return e
	}
	e.newID = func(words ...string) (id string) {
		for i := 0; id == "" || s.hasEntryID(id); i++ {
			id = o.seededEntryID(append(words, strconv.Itoa(i))...)
		}
		return id
	}
	e.impliedLeafLine, e.nameLine = -1, -1
	if tail.Leaf != session.NoPos {
		e.leaf = t.At(tail.Leaf).ID
	}
	for i, l := range f.Lines {
		if l.Pos == session.NoPos {
			continue
		}
		entry := t.At(l.Pos)
		if l.Pos == tail.ImpliedLeaf {
			e.impliedLeaf, e.impliedLeafLine = entry.ID, i
		}
		if entry.Kind == session.KindName {
			e.nameHash, e.nameLine = hashName(entry.Name), i
		}
	}
	for _, l := range tail.Labels {
		e.labels = append(e.labels, hashStrings(t.At(l.Target).ID, l.Text, strconv.FormatInt(l.Time, 10)))
	}
	return e
}

// takeTrailerAnnotations is what is kept beside a file, and taken out of its tail. A name that the
// lines say themselves is not; and they cannot be told to say none.
func (s *Session) takeTrailerAnnotations(f *session.NewFile) session.Annotations {
	tail := f.Trailer
	if tail == nil || !tail.LastLineIsLeaf {
		return f.Annotations
	}
	aside, said := tail.Annotations, ""
	for _, l := range f.Lines {
		if l.Pos != session.NoPos && s.tree.At(l.Pos).Kind == session.KindName {
			said = s.tree.At(l.Pos).Name
		}
	}
	if aside.Name != nil && (aside.Name.Text == "" || aside.Name.Text == said) {
		aside.Name = nil
	}
	tail.Name, tail.Labels = nil, nil
	return aside
}

// hashName tells names apart; that of none is "", as in an empty file.
func hashName(name string) string {
	if name == "" {
		return ""
	}
	return hashStrings(name)
}

// hasEntryID reports whether an entry has an id.
func (s *Session) hasEntryID(id string) (taken bool) {
	s.ReadTree(func(t *session.Tree, _ Revision) { taken = t.FindID(id) != session.NoPos })
	return taken
}

// hashStrings is short: a file has few labels.
func hashStrings(words ...string) string {
	h := sha256.New()
	for _, w := range words {
		h.Write(strconv.AppendQuote(nil, w))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
