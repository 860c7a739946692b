package claude

import (
	"fmt"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// extractSelection makes a session file of a part: every line is as it was, but
// for the session it names. Where it was copied from it does not say, as a fork does:
// whoever gets the file has no other that holds what was said.
// Lines without an id are left behind. What agents did stands in the file itself,
// as Claude Code's first versions wrote it. An agent's work alone is made a session
// of its own. Labels have no place in the file.
func extractSelection(t *session.Tree, part session.Selection, _ string, _ session.LineReader, m session.IDSource) (session.NewFile, error) {
	c := newFileCopier(t, part.Keep, m)
	c.resumeAt = part.Leaf
	if !c.hasMessage {
		c.adoptAgent()
	}
	if !c.hasMessage {
		return session.NewFile{}, errNoMessage
	}
	c.assignSessionIDs()
	c.refitParents()
	c.file.Lines = c.copyLines(false)
	told := c.otherLeafLines()
	c.file.Lines = append(c.file.Lines, told...)
	c.file.Unordered = c.copyLines(true)
	c.file.Trailer = c.makeTrailer()
	if len(told) > 0 {
		c.file.Trailer.ImpliedLeaf = session.NoPos // the last line tells of another session
	}
	c.file.LossWarning = c.describeOmitted()
	c.file.Annotations.Labels = t.LabelAnnotations(func(p session.Pos) bool { return c.copied[t.At(p).Extra.(*facts).id] })
	return c.file, nil
}

// fileCopier makes a file of copied lines.
type fileCopier struct {
	tree           *session.Tree
	keep           []session.Pos
	copied         map[string]bool
	copiedAbove    copiedAncestors
	moved          map[string]bool   // ids of lines that hang where they are shown, not where recorded
	isFork         bool              // it lies beside the session that it was made of
	adoptedAgent   string            // the agent whose work becomes the session's own, "" for none
	missingParents int               // lines that follow one which is recorded nowhere
	hasMessage     bool              // somebody says something who is no agent
	lastMessage    session.Pos       // the last line that does
	resumeAt       session.Pos       // the entry at which the file is to be continued, NoPos: where the session is
	mainSession    string            // the source's session that the file is named after
	otherSessions  map[string]string // ids in the file of its other sessions, nil where all become one
	file           session.NewFile
}

func newFileCopier(t *session.Tree, keep []session.Pos, m session.IDSource) *fileCopier {
	id := m.SessionID()
	c := &fileCopier{tree: t, keep: keep, lastMessage: session.NoPos, resumeAt: session.NoPos, copied: make(map[string]bool, len(keep)), file: session.NewFile{ID: id, Name: id + ".jsonl"}}
	for _, p := range keep {
		if x := c.factsAt(p); x.hasID {
			c.copied[x.id] = true
			c.hasMessage = c.hasMessage || x.class.isMessage() && !x.isAgentLine()
		}
	}
	c.copiedAbove = copiedAncestors{tree: t, copied: c.copied, known: map[session.Pos]string{}}
	return c
}

func (c *fileCopier) factsAt(p session.Pos) *facts { return c.tree.At(p).Extra.(*facts) }

// adoptAgent makes the session's own what an agent did that nothing stands above: the one
// that was at work last, or the first.
func (c *fileCopier) adoptAgent() {
	if leaf := c.tree.Leaf(); leaf != session.NoPos && c.copied[c.factsAt(leaf).id] && c.copiedAbove.nearestAbove(leaf) == "" {
		c.adoptedAgent = c.factsAt(leaf).agent
	}
	for _, p := range c.keep {
		if x := c.factsAt(p); x.hasID && x.isAgentLine() && x.class.isMessage() {
			if c.adoptedAgent == "" && c.copiedAbove.nearestAbove(p) == "" {
				c.adoptedAgent = x.agent
			}
			c.hasMessage = c.hasMessage || x.agent == c.adoptedAgent
		}
	}
}

// isOtherAgent reports whether a line is another agent's than the session's own.
func (c *fileCopier) isOtherAgent(x *facts) bool { return x.isAgentLine() && x.agent != c.adoptedAgent }

// copyLines copies the lines of agents, or all others.
func (c *fileCopier) copyLines(agents bool) (all []session.FileLine) {
	for _, p := range c.keep {
		x := c.factsAt(p)
		if !x.hasID || c.isOtherAgent(x) != agents {
			continue
		}
		l := lineCopy{session: c.newSessionID(x), facts: x, adopted: x.isAgentLine() && !agents, isFork: c.isFork}
		l.setParent, l.parent = c.newParent(p, x)
		if l.setParent && l.parent == "" && c.tree.FindID(x.parent) == session.NoPos {
			c.missingParents++
		}
		if x.class.isMessage() && (l.adopted || !x.sidechain) {
			c.lastMessage = p
		}
		all = append(all, session.FileLine{Pos: p, Edit: l.editLine, EditInput: fmt.Sprint(l.session, l.setParent, l.parent, l.adopted, l.isFork)})
	}
	return all
}

// newParent reports whether a line has to name another one above it than it does. What
// followed a compaction goes on doing so: Claude Code reads no further up.
func (c *fileCopier) newParent(p session.Pos, x *facts) (hang bool, parent string) {
	above := c.copiedAbove.nearestAbove(p)
	switch {
	case c.moved[x.id] && !x.boundary:
		return x.parent != above, above
	case x.parent == "":
		return false, ""
	case c.tree.FindID(x.parent) == session.NoPos: // it is recorded nowhere: the line began something
		return true, ""
	}
	return !c.copied[x.parent], above
}

// makeTrailer names the session, and tells where the agent stands where the last line would
// not.
func (c *fileCopier) makeTrailer() *session.Trailer {
	t := &session.Trailer{Leaf: c.agentLeaf(), ImpliedLeaf: c.lastMessage}
	typ, key := c.titleKeys()
	if name := c.sessionName(); name != "" {
		t.Name = &name
	}
	about, at := c.file.ID, ""
	if t.Leaf != session.NoPos {
		at = c.factsAt(t.Leaf).id
	}
	t.EncodeLine = func(_, _ string, say session.TrailerItem) []byte {
		if say.Name != nil {
			return metadataLine(typ, key, *say.Name, "", about)
		}
		return metadataLine("last-prompt", "lastPrompt", "", at, about)
	}
	return t
}

// sessionName is what the session is called: by its own lines or, where they do not say, by
// the last summary of it, which may stand in another file.
func (c *fileCopier) sessionName() (name string) {
	if name = c.tree.Header().Name; name != "" {
		return name
	}
	for p := range session.Pos(c.tree.Len()) {
		if x := c.factsAt(p); x.summary != "" && c.copied[x.leaf] && c.factsAt(c.tree.FindID(x.leaf)).sessionID == c.tree.Header().ID {
			name = x.summary
		}
	}
	return name
}

// titleKeys is how the session was named; a summary is the agent's own title, too.
func (c *fileCopier) titleKeys() (typ, key string) {
	typ, key = "custom-title", "customTitle"
	for p := range session.Pos(c.tree.Len()) {
		if x := c.factsAt(p); x.title != "" {
			return "custom-title", "customTitle"
		} else if x.aiTitle == c.tree.Header().Name {
			typ, key = "ai-title", "aiTitle"
		}
	}
	return typ, key
}

// agentLeaf is where the agent stands, NoPos when that is not in the file: where it is to,
// or where that line has no id or is another agent's, the nearest one above.
func (c *fileCopier) agentLeaf() session.Pos {
	holds := func(p session.Pos) bool {
		x := c.factsAt(p)
		return x.hasID && c.copied[x.id] && !c.isOtherAgent(x)
	}
	if c.resumeAt == session.NoPos {
		if leaf := c.tree.Leaf(); leaf != session.NoPos && holds(leaf) {
			return leaf
		}
		return session.NoPos
	}
	at := c.resumeAt
	for at != session.NoPos && !holds(at) {
		at = c.tree.Parent(at)
	}
	return at
}

// metadataLine makes a line without an id.
func metadataLine(typ, key, text, leaf, about string) []byte {
	line := jsonl.AppendString([]byte(`{"type":`), typ)
	for _, p := range [][2]string{{key, text}, {"leafUuid", leaf}, {"sessionId", about}} {
		if p[0] != "leafUuid" || p[1] != "" {
			line = jsonl.AppendString(append(jsonl.AppendString(append(line, ','), p[0]), ':'), p[1])
		}
	}
	return append(line, '}')
}
