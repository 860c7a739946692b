package export

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// buildTrailer makes the trailer lines that the file does not have yet. It returns
// false if a line of the file would have to be removed.
func (x *extract) buildTrailer(r *outputPlan, c CopiedState) bool {
	for _, key := range c.Labels {
		if !slices.Contains(x.trailer.labels, key) {
			return false
		}
	}
	r.copied.Labels, r.copied.TrailerLines = x.trailer.labels, c.TrailerLines
	above, line := "", x.Trailer.EncodeLine
	if !x.appendable && x.Trailer.EncodeSiblingLine != nil {
		line = x.Trailer.EncodeSiblingLine
		r.lines, r.afterTrailer = splitLastLine(r.lines)
	}
	say := func(what session.TrailerItem, words ...string) {
		id := x.trailer.newID(words...)
		r.trailer = append(r.trailer, session.FileLine{Pos: session.NoPos, Text: line(id, above, what)})
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
	case "": // the recorded leaf cannot be removed
		return r.copied.Leaf == x.trailer.impliedLeaf
	default:
		r.copied.Leaf = x.trailer.leaf
		say(session.TrailerItem{}, "leaf", x.trailer.leaf, strconv.Itoa(r.copied.Lines.Len), strconv.Itoa(r.copied.TrailerLines))
	}
	return true
}

// trailerState describes what a trailer says.
type trailerState struct {
	labels                    []string // as hashes
	leaf, impliedLeaf         string   // ids of entries, "" for none
	nameHash                  string   // hash of the name by the copied lines
	impliedLeafLine, nameLine int      // indexes of the lines that set these, -1 for none
	newID                     func(words ...string) string
}

// newTrailerState returns the state of the trailer of f, which is made of s with the tree
// t.
func newTrailerState(s *store.Session, t *session.Tree, f *session.NewFile, o Origin) (e trailerState) {
	tail := f.Trailer
	if tail == nil {
		return e
	}
	e.newID = func(words ...string) (id string) {
		for i := 0; id == "" || hasEntryID(s, id); i++ {
			id = o.trailerID(append(words, strconv.Itoa(i))...)
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
			e.nameHash, e.nameLine = hashName(entry.SessionName()), i
		}
	}
	for _, l := range tail.Labels {
		e.labels = append(e.labels, hashStrings(t.At(l.Target).ID, l.Text, strconv.FormatInt(l.Time, 10)))
	}
	return e
}

// takeTrailerAnnotations removes the name and the labels from the trailer of a file and
// returns them for its sidecar. A name is dropped if the lines record it, or if it is
// empty: the sidecar cannot clear a recorded name.
func takeTrailerAnnotations(t *session.Tree, f *session.NewFile) session.Annotations {
	tail := f.Trailer
	if tail == nil || !tail.LastLineIsLeaf {
		return f.Annotations
	}
	aside, said := tail.Annotations, ""
	for _, l := range f.Lines {
		if l.Pos != session.NoPos && t.At(l.Pos).Kind == session.KindName {
			said = t.At(l.Pos).SessionName()
		}
	}
	if aside.Name != nil && (aside.Name.Text == "" || aside.Name.Text == said) {
		aside.Name = nil
	}
	tail.Name, tail.Labels = nil, nil
	return aside
}

// hashName returns the hash of a name, "" for no name, as in an empty file.
func hashName(name string) string {
	if name == "" {
		return ""
	}
	return hashStrings(name)
}

// hasEntryID reports whether the session has an entry with an id.
func hasEntryID(s *store.Session, id string) (taken bool) {
	s.ReadTree(func(t *session.Tree, _ store.Revision) { taken = t.FindID(id) != session.NoPos })
	return taken
}

// hashStrings returns a hash of 64 bits, which suffices for the few labels of a file.
func hashStrings(words ...string) string {
	h := sha256.New()
	for _, w := range words {
		h.Write(strconv.AppendQuote(nil, w))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
