package claude

import (
	"fmt"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// extract makes a session file of a part: every line is as it was, but
// for the session it names. Where it was copied from it does not say, as a fork does:
// whoever gets the file has no other that holds what was said.
// Lines without an id are left behind. What agents did stands in the file itself,
// as Claude Code's first versions wrote it. An agent's work alone is made a session
// of its own. Labels have no place in the file.
func extract(t *session.Tree, part session.Part, _ string, _ session.Source, m session.Mint) (session.NewFile, error) {
	c := newCopying(t, part.Keep, m)
	c.end = part.Leaf
	if !c.spoken {
		c.adopt()
	}
	if !c.spoken {
		return session.NewFile{}, errSilent
	}
	c.keepApart()
	c.settle()
	c.file.Lines = c.lines(false)
	told := c.othersStand()
	c.file.Lines = append(c.file.Lines, told...)
	c.file.Beside = c.lines(true)
	c.file.Tail = c.tail()
	if len(told) > 0 {
		c.file.Tail.Last = session.NoPos // the last line tells of another session
	}
	c.file.Left = c.left()
	c.file.Aside.Labels = t.LabelsOf(func(p session.Pos) bool { return c.copied[t.At(p).Extra.(*facts).id] })
	return c.file, nil
}

// copying makes a file of copied lines.
type copying struct {
	tree   *session.Tree
	keep   []session.Pos
	copied map[string]bool
	above  lineage
	moved  map[string]bool   // ids of lines that hang where they are shown, not where recorded
	fork   bool              // it lies beside the session that it was made of
	own    string            // the agent whose work becomes the session's own, "" for none
	lost   int               // lines that follow one which is recorded nowhere
	spoken bool              // somebody says something who is no agent
	last   session.Pos       // the last line that does
	end    session.Pos       // the entry at which the file is to be continued, NoPos: where the session is
	main   string            // the source's session that the file is named after
	others map[string]string // ids in the file of its other sessions, nil where all become one
	file   session.NewFile
}

func newCopying(t *session.Tree, keep []session.Pos, m session.Mint) *copying {
	id := m.Session()
	c := &copying{tree: t, keep: keep, last: session.NoPos, end: session.NoPos, copied: make(map[string]bool, len(keep)), file: session.NewFile{ID: id, Name: id + ".jsonl"}}
	for _, p := range keep {
		if x := c.facts(p); x.hasID {
			c.copied[x.id] = true
			c.spoken = c.spoken || x.class.spoken() && !x.ofAgent()
		}
	}
	c.above = lineage{tree: t, copied: c.copied, found: map[session.Pos]string{}}
	return c
}

func (c *copying) facts(p session.Pos) *facts { return c.tree.At(p).Extra.(*facts) }

// adopt makes the session's own what an agent did that nothing stands above: the one
// that was at work last, or the first.
func (c *copying) adopt() {
	if leaf := c.tree.Leaf(); leaf != session.NoPos && c.copied[c.facts(leaf).id] && c.above.of(leaf) == "" {
		c.own = c.facts(leaf).agent
	}
	for _, p := range c.keep {
		if x := c.facts(p); x.hasID && x.ofAgent() && x.class.spoken() {
			if c.own == "" && c.above.of(p) == "" {
				c.own = x.agent
			}
			c.spoken = c.spoken || x.agent == c.own
		}
	}
}

// beside reports whether a line is another agent's than the session's own.
func (c *copying) beside(x *facts) bool { return x.ofAgent() && x.agent != c.own }

// lines copies the lines of agents, or all others.
func (c *copying) lines(agents bool) (all []session.FileLine) {
	for _, p := range c.keep {
		x := c.facts(p)
		if !x.hasID || c.beside(x) != agents {
			continue
		}
		l := lineCopy{session: c.sessionOf(x), facts: x, own: x.ofAgent() && !agents, fork: c.fork}
		l.hang, l.parent = c.hangs(p, x)
		if l.hang && l.parent == "" && c.tree.Find(x.parent) == session.NoPos {
			c.lost++
		}
		if x.class.spoken() && (l.own || !x.sidechain) {
			c.last = p
		}
		all = append(all, session.FileLine{Pos: p, Edit: l.edit, With: fmt.Sprint(l.session, l.hang, l.parent, l.own, l.fork)})
	}
	return all
}

// hangs reports whether a line has to name another one above it than it does. What
// followed a compaction goes on doing so: Claude Code reads no further up.
func (c *copying) hangs(p session.Pos, x *facts) (hang bool, parent string) {
	above := c.above.of(p)
	switch {
	case c.moved[x.id] && !x.boundary:
		return x.parent != above, above
	case x.parent == "":
		return false, ""
	case c.tree.Find(x.parent) == session.NoPos: // it is recorded nowhere: the line began something
		return true, ""
	}
	return !c.copied[x.parent], above
}

// tail names the session, and tells where the agent stands where the last line would
// not.
func (c *copying) tail() *session.Tail {
	t := &session.Tail{Leaf: c.stand(), Last: c.last}
	typ, key := c.title()
	if name := c.name(); name != "" {
		t.Name = &name
	}
	about, at := c.file.ID, ""
	if t.Leaf != session.NoPos {
		at = c.facts(t.Leaf).id
	}
	t.Line = func(_, _ string, say session.Saying) []byte {
		if say.Name != nil {
			return tell(typ, key, *say.Name, "", about)
		}
		return tell("last-prompt", "lastPrompt", "", at, about)
	}
	return t
}

// name is what the session is called: by its own lines or, where they do not say, by
// the last summary of it, which may stand in another file.
func (c *copying) name() (name string) {
	if name = c.tree.Header().Name; name != "" {
		return name
	}
	for p := range session.Pos(c.tree.Len()) {
		if x := c.facts(p); x.summary != "" && c.copied[x.leaf] && c.facts(c.tree.Find(x.leaf)).about == c.tree.Header().ID {
			name = x.summary
		}
	}
	return name
}

// title is how the session was named; a summary is the agent's own title, too.
func (c *copying) title() (typ, key string) {
	typ, key = "custom-title", "customTitle"
	for p := range session.Pos(c.tree.Len()) {
		if x := c.facts(p); x.title != "" {
			return "custom-title", "customTitle"
		} else if x.aiTitle == c.tree.Header().Name {
			typ, key = "ai-title", "aiTitle"
		}
	}
	return typ, key
}

// stand is where the agent stands, NoPos when that is not in the file: where it is to,
// or where that line has no id or is another agent's, the nearest one above.
func (c *copying) stand() session.Pos {
	holds := func(p session.Pos) bool {
		x := c.facts(p)
		return x.hasID && c.copied[x.id] && !c.beside(x)
	}
	if c.end == session.NoPos {
		if leaf := c.tree.Leaf(); leaf != session.NoPos && holds(leaf) {
			return leaf
		}
		return session.NoPos
	}
	at := c.end
	for at != session.NoPos && !holds(at) {
		at = c.tree.Parent(at)
	}
	return at
}

// tell makes a line without an id.
func tell(typ, key, text, leaf, about string) []byte {
	line := jsonl.AppendString([]byte(`{"type":`), typ)
	for _, p := range [][2]string{{key, text}, {"leafUuid", leaf}, {"sessionId", about}} {
		if p[0] != "leafUuid" || p[1] != "" {
			line = jsonl.AppendString(append(jsonl.AppendString(append(line, ','), p[0]), ':'), p[1])
		}
	}
	return append(line, '}')
}
