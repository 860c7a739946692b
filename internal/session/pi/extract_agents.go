package pi

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sessiontree/internal/session"
)

// fileSelection is the part of a selection in one file, with a tree of its own. Agents have
// separate files, and a new file is made of one of them.
type fileSelection struct {
	tree       *session.Tree
	sessionPos []session.Pos               // positions in the session, by position in tree
	filePos    map[session.Pos]session.Pos // positions in tree, by position in the session
	omitted    string                      // description of what other files hold
}

// singleFilePart reduces part to the file of its leaf or of its top entry. It returns nil if the
// session is one file.
func singleFilePart(t *session.Tree, part *session.Selection) *fileSelection {
	several := slices.ContainsFunc(t.Threads().All(), func(l session.Thread) bool { return l.Agent != "" })
	if !several || len(part.Keep) == 0 {
		return nil
	}
	end := part.Leaf
	if end == session.NoPos {
		end = part.Top
	}
	if end == session.NoPos {
		end = slices.MinFunc(part.Keep, func(a, b session.Pos) int { return cmp.Compare(t.At(a).Span.File, t.At(b).Span.File) })
	}
	c := &fileSelection{filePos: map[session.Pos]session.Pos{}, omitted: describeOmittedAgents(t, t.At(end).Span.File, part.Keep)}
	c.linkFileTree(t, t.At(end).Span.File)
	part.Keep = slices.DeleteFunc(slices.Clone(part.Keep), func(p session.Pos) bool { return c.posInFile(p) == session.NoPos })
	for i, p := range part.Keep {
		part.Keep[i] = c.posInFile(p)
	}
	for _, p := range []*session.Pos{&part.Leaf, &part.Top} {
		if *p != session.NoPos {
			*p = c.posInFile(*p)
		}
	}
	return c
}

// posInFile returns the position in the file of an entry of the session, NoPos for an entry of
// another file.
func (c *fileSelection) posInFile(p session.Pos) session.Pos {
	if own, ok := c.filePos[p]; ok {
		return own
	}
	return session.NoPos
}

// linkFileTree builds the recorded tree of a file, with the labels and the name in force.
func (c *fileSelection) linkFileTree(t *session.Tree, file int32) {
	var entries []*session.Entry
	for p := range session.Pos(t.Len()) {
		if e := t.At(p); e.Span.File == file {
			c.filePos[p] = session.Pos(len(c.sessionPos))
			c.sessionPos, entries = append(c.sessionPos, p), append(entries, recordedEntry(e))
		}
	}
	h := t.Header()
	if file != 0 {
		h.Name = ""
		if l := t.Threads().StartingAt(c.sessionPos[0]); l != nil {
			h.Name = l.Title
		}
	}
	c.tree = session.BuildLinked(h, entries)
	var kept session.Annotations
	for own, p := range c.sessionPos {
		in, ok := t.Label(p)
		if was, had := c.tree.Label(session.Pos(own)); ok && in.InSidecar || had && !ok {
			kept.Labels = append(kept.Labels, session.LabelAnnotation{Target: entries[own].ID, Text: in.Text, Time: max(in.Time, was.Time)})
		}
	}
	c.tree.ApplyAnnotations(kept)
}

// restorePositions replaces the positions in a new file by those of the session.
func (c *fileSelection) restorePositions(f *session.NewFile) {
	out := func(p *session.Pos) {
		if *p != session.NoPos {
			*p = c.sessionPos[*p]
		}
	}
	for i := range f.Lines {
		out(&f.Lines[i].Pos)
	}
	if t := f.Trailer; t != nil {
		out(&t.Leaf)
		out(&t.ImpliedLeaf)
		for i := range t.Labels {
			out(&t.Labels[i].Target)
		}
		t.EncodeLine, t.EncodeSiblingLine = c.mapTrailerLines(t.EncodeLine), c.mapTrailerLines(t.EncodeSiblingLine)
	}
	f.LossWarning = strings.TrimSpace(f.LossWarning + " " + c.omitted)
}

// mapTrailerLines wraps a function that encodes trailer lines so that it accepts positions of the
// session.
func (c *fileSelection) mapTrailerLines(line func(id, above string, say session.TrailerItem) []byte) func(id, above string, say session.TrailerItem) []byte {
	if line == nil {
		return nil
	}
	return func(id, above string, say session.TrailerItem) []byte {
		if say.Label != nil {
			own := *say.Label
			own.Target = c.posInFile(own.Target)
			say.Label = &own
		}
		return line(id, above, say)
	}
}

// describeOmittedAgents describes the entries in keep that are in other files than the exported
// one.
func describeOmittedAgents(t *session.Tree, file int32, keep []session.Pos) string {
	in := make(map[int32]bool)
	for _, p := range keep {
		in[t.At(p).Span.File] = true
	}
	var agents []string
	for _, l := range t.Threads().All() {
		if f := t.At(l.Entries[0]).Span.File; f != file && l.Agent != "" && in[f] {
			agents = append(agents, l.Title)
		}
	}
	var all []string
	if file != 0 && in[0] {
		all = append(all, "The file contains the sub-agent only; the session that started it is left out.")
	}
	switch n := len(agents); {
	case n == 1:
		all = append(all, fmt.Sprintf("The sub-agent %s is in a separate file and is left out.", agents[0]))
	case n > 1:
		all = append(all, fmt.Sprintf("%d sub-agents (%s) are in separate files and are left out.", n, strings.Join(agents, ", ")))
	}
	return strings.Join(all, " ")
}

// sourceInFile returns a reader for the lines of the file's tree.
func (c *fileSelection) sourceInFile(src session.LineReader) session.LineReader {
	return func(p session.Pos) ([]byte, error) { return src(c.sessionPos[p]) }
}
