package claude

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"sessiontree/internal/session"
)

// assignSessionIDs gives each session of a part an id of its own in the file: sessions that
// continue in one another stay several. The one that the file is named after is that
// of the tree, or where nothing of it is in the part, the one of its leaf or of its
// first line. One path is one conversation and becomes one session.
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

// baseSession is the session that a line is of, also one of an agent's that names both.
func (x *facts) baseSession() string {
	id, _, _ := strings.Cut(x.sessionID, "#agent-")
	return id
}

// newSessionID is the id in the file of the session that a line is of.
func (c *fileCopier) newSessionID(x *facts) string {
	if id, ok := c.otherSessions[x.baseSession()]; ok {
		return id
	}
	return c.file.ID
}

// deriveSessionID is an id for another session in the file of one: of the same time, and the
// same whenever it is made again.
func deriveSessionID(file, id string) string {
	const when = len("01234567-89ab-7")
	sum := sha256.Sum256([]byte(file + "\x00" + id))
	text := hex.EncodeToString(sum[:])
	if len(file) < when {
		return text
	}
	return file[:when] + text[:3] + "-8" + text[3:6] + "-" + text[6:18]
}

// otherLeafLines tells where the agents of other sessions stand where their last message
// does not.
func (c *fileCopier) otherLeafLines() (all []session.FileLine) {
	last := map[string]string{} // id of the last message, by session
	for _, p := range c.keep {
		if x := c.factsAt(p); x.hasID && x.class.isMessage() && !x.sidechain {
			last[x.sessionID] = x.id
		}
	}
	for _, l := range c.tree.Threads() {
		id, other := c.otherSessions[l.Session]
		if !other || l.Branch || l.Agent != "" || l.Leaf == session.NoPos {
			continue
		}
		if x := c.factsAt(l.Leaf); c.copied[x.id] && x.id != last[l.Session] {
			all = append(all, session.FileLine{Pos: session.NoPos, AddsEntry: true, Text: metadataLine("last-prompt", "lastPrompt", "", x.id, id)})
		}
	}
	return all
}
