package claude

import (
	"fmt"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// extractSelection makes a session file of a selection. Every line keeps its bytes but for the
// session id and, where needed, its parent. Unlike a fork it does not record its origin, because
// the recipient does not have the source file. Lines without an id are omitted. The work of agents
// is in the file itself, as the first versions of Claude Code wrote it; if nothing else is
// selected, it becomes the session's main thread. The format has no place for labels.
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
	leafLines := c.otherLeafLines()
	c.file.Lines = append(c.file.Lines, leafLines...)
	c.file.Unordered = c.copyLines(true)
	c.file.Trailer = c.makeTrailer()
	if len(leafLines) > 0 {
		c.file.Trailer.ImpliedLeaf = session.NoPos // the last line names another session
	}
	c.file.LossWarning = c.describeOmitted()
	for _, l := range t.Labels() { // the file cannot hold them
		if e := t.At(l.Target); c.copied[e.Extra.(*facts).ID] {
			c.file.Annotations.Labels = append(c.file.Annotations.Labels, session.LabelAnnotation{Target: e.ID, Text: l.Text, Time: l.Time})
		}
	}
	return c.file, nil
}

// fileCopier builds a file of copied lines.
type fileCopier struct {
	tree           *session.Tree
	keep           []session.Pos
	copied         map[string]bool
	copiedAbove    copiedAncestors
	moved          map[string]bool   // ids of lines that get their arranged parent instead of the recorded one
	isFork         bool              // the file is placed in the directory of its source
	adoptedAgent   string            // the agent whose work becomes the main thread, "" for none
	missingParents int               // number of lines whose parent is not recorded
	hasMessage     bool              // a message of the main thread is included
	lastMessage    session.Pos       // the last such message
	resumeAt       session.Pos       // the entry at which the file is to be continued, NoPos for the session's leaf
	mainSession    string            // the session of the source that the file is named after
	otherSessions  map[string]string // new ids of the other sessions, nil if all become one
	file           session.NewFile
}

func newFileCopier(t *session.Tree, keep []session.Pos, m session.IDSource) *fileCopier {
	id := m.SessionID()
	c := &fileCopier{tree: t, keep: keep, lastMessage: session.NoPos, resumeAt: session.NoPos, copied: make(map[string]bool, len(keep)), file: session.NewFile{ID: id, Name: id + ".jsonl"}}
	for _, p := range keep {
		if x := c.factsAt(p); x.hasID {
			c.copied[x.ID] = true
			c.hasMessage = c.hasMessage || x.Class.IsMessage() && !x.isAgentLine()
		}
	}
	c.copiedAbove = copiedAncestors{tree: t, copied: c.copied, known: map[session.Pos]string{}}
	return c
}

func (c *fileCopier) factsAt(p session.Pos) *facts { return c.tree.At(p).Extra.(*facts) }

// adoptAgent chooses the agent whose work becomes the main thread if nothing precedes it: the one
// that holds the leaf, or the first.
func (c *fileCopier) adoptAgent() {
	if leaf := c.tree.Leaf(); leaf != session.NoPos && c.copied[c.factsAt(leaf).ID] && c.copiedAbove.nearestAbove(leaf) == "" {
		c.adoptedAgent = c.factsAt(leaf).Agent
	}
	for _, p := range c.keep {
		if x := c.factsAt(p); x.hasID && x.isAgentLine() && x.Class.IsMessage() {
			if c.adoptedAgent == "" && c.copiedAbove.nearestAbove(p) == "" {
				c.adoptedAgent = x.Agent
			}
			c.hasMessage = c.hasMessage || x.Agent == c.adoptedAgent
		}
	}
}

// isOtherAgent reports whether a line is of another agent than the adopted one.
func (c *fileCopier) isOtherAgent(x *facts) bool { return x.isAgentLine() && x.Agent != c.adoptedAgent }

// copyLines copies either the lines of agents or all others.
func (c *fileCopier) copyLines(agents bool) (all []session.FileLine) {
	for _, p := range c.keep {
		x := c.factsAt(p)
		if !x.hasID || c.isOtherAgent(x) != agents {
			continue
		}
		l := lineCopy{session: c.newSessionID(x), facts: x, adopted: x.isAgentLine() && !agents, isFork: c.isFork}
		l.setParent, l.parent = c.newParent(p, x)
		if l.setParent && l.parent == "" && c.tree.FindID(x.Parent) == session.NoPos {
			c.missingParents++
		}
		if x.Class.IsMessage() && (l.adopted || !x.Sidechain) {
			c.lastMessage = p
		}
		all = append(all, session.FileLine{Pos: p, Edit: l.editLine, EditInput: fmt.Sprint(l.session, l.setParent, l.parent, l.adopted, l.isFork)})
	}
	return all
}

// newParent reports whether a line needs another parent than the recorded one. A compaction keeps
// its recorded parent where possible, because Claude Code reads no further back.
func (c *fileCopier) newParent(p session.Pos, x *facts) (needed bool, parent string) {
	above := c.copiedAbove.nearestAbove(p)
	switch {
	case c.moved[x.ID] && !x.Boundary:
		return x.Parent != above, above
	case x.Parent == "":
		return false, ""
	case c.tree.FindID(x.Parent) == session.NoPos: // not recorded: the thread began here
		return true, ""
	}
	return !c.copied[x.Parent], above
}

// makeTrailer returns the trailer, which names the session and sets the leaf where the last line
// would not.
func (c *fileCopier) makeTrailer() *session.Trailer {
	t := &session.Trailer{Leaf: c.agentLeaf(), ImpliedLeaf: c.lastMessage}
	typ, key := c.titleKeys()
	if name := c.sessionName(); name != "" {
		t.Name = &name
	}
	about, at := c.file.ID, ""
	if t.Leaf != session.NoPos {
		at = c.factsAt(t.Leaf).ID
	}
	t.EncodeLine = func(_, _ string, say session.TrailerItem) []byte {
		if say.Name != nil {
			return encodeMetadataLine(typ, key, *say.Name, "", about)
		}
		return encodeMetadataLine("last-prompt", "lastPrompt", "", at, about)
	}
	return t
}

// sessionName returns the name of the session: from its own lines, else the last summary of it,
// which may be in another file.
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

// titleKeys returns the type and the key of the line that names the session. A summary counts as a
// title by the agent.
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

// agentLeaf returns the leaf of the new file. An entry to continue at that has no id or belongs to
// another agent is replaced by its nearest suitable ancestor. It is NoPos if the file does not hold
// the leaf.
func (c *fileCopier) agentLeaf() session.Pos {
	holds := func(p session.Pos) bool {
		x := c.factsAt(p)
		return x.hasID && c.copied[x.ID] && !c.isOtherAgent(x)
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

// encodeMetadataLine returns a line without an id.
func encodeMetadataLine(typ, key, text, leaf, about string) []byte {
	line := jsonl.AppendString([]byte(`{"type":`), typ)
	for _, p := range [][2]string{{key, text}, {"leafUuid", leaf}, {"sessionId", about}} {
		if p[0] != "leafUuid" || p[1] != "" {
			line = jsonl.AppendString(append(jsonl.AppendString(append(line, ','), p[0]), ':'), p[1])
		}
	}
	return append(line, '}')
}
