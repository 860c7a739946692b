package claude

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/dag"
)

// assignSessionIDs gives each session of a selection its own id in the file, so that sessions which
// continue one another stay separate. The file is named after the session of the tree, else of the
// leaf, else of the first line. A single path is one conversation and becomes one session.
func (c *fileCopier) assignSessionIDs() {
	var all []string
	for _, p := range c.keep {
		if x := c.factsAt(p); x.hasID && !slices.Contains(all, x.baseSession()) {
			all = append(all, x.baseSession())
		}
	}
	if c.resumeAt != session.NoPos || len(all) < 2 {
		return
	}
	c.mainSession = c.tree.Header().ID
	if !slices.Contains(all, c.mainSession) {
		c.mainSession = all[0]
		if leaf := c.agentLeaf(); leaf != session.NoPos {
			c.mainSession = c.factsAt(leaf).baseSession()
		}
	}
	c.otherSessions = map[string]string{}
	for _, id := range all {
		if id != c.mainSession {
			c.otherSessions[id] = deriveSessionID(c.file.ID, id)
		}
	}
}

// baseSession returns the session of a line, without the agent that the id may name.
func (x *facts) baseSession() string {
	id, _, _ := strings.Cut(x.sessionID, dag.AgentMark)
	return id
}

// newSessionID returns the id that the session of a line has in the file.
func (c *fileCopier) newSessionID(x *facts) string {
	if id, ok := c.otherSessions[x.baseSession()]; ok {
		return id
	}
	return c.file.ID
}

// deriveSessionID derives the id of another session in the file: with the same time, and the same
// on each call.
func deriveSessionID(file, id string) string {
	const when = len("01234567-89ab-7")
	sum := sha256.Sum256([]byte(file + "\x00" + id))
	text := hex.EncodeToString(sum[:])
	if len(file) < when {
		return text
	}
	return file[:when] + text[:3] + "-8" + text[3:6] + "-" + text[6:18]
}

// otherLeafLines returns lines that set the leaf of the other sessions where their last message
// does not.
func (c *fileCopier) otherLeafLines() (all []session.FileLine) {
	last := map[string]string{} // id of the last message, by session
	for _, p := range c.keep {
		if x := c.factsAt(p); x.hasID && x.Class.IsMessage() && !x.Sidechain {
			last[x.sessionID] = x.ID
		}
	}
	for _, l := range c.tree.Threads().All() {
		id, other := c.otherSessions[l.Session]
		if !other || l.Branch || l.Agent != "" || l.Leaf == session.NoPos {
			continue
		}
		if x := c.factsAt(l.Leaf); c.copied[x.ID] && x.ID != last[l.Session] {
			all = append(all, session.FileLine{Pos: session.NoPos, AddsEntry: true, Text: encodeMetadataLine("last-prompt", "lastPrompt", "", x.ID, id)})
		}
	}
	return all
}
