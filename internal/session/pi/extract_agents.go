package pi

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sessiontree/internal/session"
)

// filePart is what lies in one file of a session with sub-agents, as a tree of its own:
// agents have files of their own, and a new file is made of one of them.
type filePart struct {
	tree *session.Tree
	at   []session.Pos               // in the session, by position in tree
	own  map[session.Pos]session.Pos // the other way
	left string                      // what of the part other files hold
}

// oneFile returns the part of a session that lies in the file of its end, or of the entry
// that it is about. nil: the session is one file.
func oneFile(t *session.Tree, part *session.Part) *filePart {
	several := slices.ContainsFunc(t.Lines(), func(l session.DAGLine) bool { return l.Agent != "" })
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
	c := &filePart{own: map[session.Pos]session.Pos{}, left: leftAgents(t, t.At(end).Span.File, part.Keep)}
	c.link(t, t.At(end).Span.File)
	part.Keep = slices.DeleteFunc(slices.Clone(part.Keep), func(p session.Pos) bool { return c.of(p) == session.NoPos })
	for i, p := range part.Keep {
		part.Keep[i] = c.of(p)
	}
	for _, p := range []*session.Pos{&part.Leaf, &part.Top} {
		if *p != session.NoPos {
			*p = c.of(*p)
		}
	}
	return c
}

// of is the position in the part of an entry of the session, NoPos of one of another
// file.
func (c *filePart) of(p session.Pos) session.Pos {
	if own, ok := c.own[p]; ok {
		return own
	}
	return session.NoPos
}

// link makes the tree of a file as it was recorded, with the labels and the name that are
// in force.
func (c *filePart) link(t *session.Tree, file int32) {
	var entries []*session.Entry
	for p := range session.Pos(t.Len()) {
		if e := t.At(p); e.Span.File == file {
			c.own[p] = session.Pos(len(c.at))
			c.at, entries = append(c.at, p), append(entries, recordedEntry(e))
		}
	}
	h := t.Header()
	if file != 0 {
		h.Name = ""
		if l := t.LineFrom(c.at[0]); l != nil {
			h.Name = l.Title
		}
	}
	c.tree = session.Link(h, entries)
	var kept session.Aside
	for own, p := range c.at {
		in, ok := t.Label(p)
		if was, had := c.tree.Label(session.Pos(own)); ok && in.Aside || had && !ok {
			kept.Labels = append(kept.Labels, session.AsideLabel{Target: entries[own].ID, Text: in.Text, Time: max(in.Time, was.Time)})
		}
	}
	c.tree.Overlay(kept)
}

// back gives the entries of a new file their positions in the session.
func (c *filePart) back(f *session.NewFile) {
	out := func(p *session.Pos) {
		if *p != session.NoPos {
			*p = c.at[*p]
		}
	}
	for i := range f.Lines {
		out(&f.Lines[i].Pos)
	}
	if t := f.Tail; t != nil {
		out(&t.Leaf)
		out(&t.Last)
		for i := range t.Labels {
			out(&t.Labels[i].Target)
		}
		t.Line, t.Side = c.saying(t.Line), c.saying(t.Side)
	}
	f.Left = strings.TrimSpace(f.Left + " " + c.left)
}

// saying makes lines of what is said of entries by their positions in the session.
func (c *filePart) saying(line func(id, above string, say session.Saying) []byte) func(id, above string, say session.Saying) []byte {
	if line == nil {
		return nil
	}
	return func(id, above string, say session.Saying) []byte {
		if say.Label != nil {
			own := *say.Label
			own.Target = c.of(own.Target)
			say.Label = &own
		}
		return line(id, above, say)
	}
}

// leftAgents says what of the entries of a part is in other files than the one that a new
// file is made of.
func leftAgents(t *session.Tree, file int32, keep []session.Pos) string {
	in := make(map[int32]bool)
	for _, p := range keep {
		in[t.At(p).Span.File] = true
	}
	var agents []string
	for _, l := range t.Lines() {
		if f := t.At(l.Entries[0]).Span.File; f != file && l.Agent != "" && in[f] {
			agents = append(agents, l.Title)
		}
	}
	var all []string
	if file != 0 && in[0] {
		all = append(all, "The file holds what the sub-agent did; the session that started it is left out.")
	}
	switch n := len(agents); {
	case n == 1:
		all = append(all, fmt.Sprintf("What the sub-agent %s did is in a file of its own and is left out.", agents[0]))
	case n > 1:
		all = append(all, fmt.Sprintf("What %d sub-agents (%s) did is in files of their own and is left out.", n, strings.Join(agents, ", ")))
	}
	return strings.Join(all, " ")
}

// elsewhere reads lines for the tree of one file.
func (c *filePart) elsewhere(src session.Source) session.Source {
	return func(p session.Pos) ([]byte, error) { return src(c.at[p]) }
}
