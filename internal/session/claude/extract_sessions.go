package claude

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"sessiontree/internal/session"
)

// keepApart gives each session of a part an id of its own in the file: sessions that
// continue in one another stay several. The one that the file is named after is that
// of the tree, or where nothing of it is in the part, the one of its leaf or of its
// first line. One path is one conversation and becomes one session.
func (c *copying) keepApart() {
	var all []string
	for _, p := range c.keep {
		if x := c.facts(p); x.hasID && !slices.Contains(all, x.ofSession()) {
			all = append(all, x.ofSession())
		}
	}
	if c.end != session.NoPos || len(all) < 2 {
		return
	}
	c.main = c.tree.Header().ID
	if !slices.Contains(all, c.main) {
		c.main = all[0]
		if leaf := c.stand(); leaf != session.NoPos {
			c.main = c.facts(leaf).ofSession()
		}
	}
	c.others = map[string]string{}
	for _, id := range all {
		if id != c.main {
			c.others[id] = derivedID(c.file.ID, id)
		}
	}
}

// ofSession is the session that a line is of, also one of an agent's that names both.
func (x *facts) ofSession() string {
	id, _, _ := strings.Cut(x.about, "#agent-")
	return id
}

// sessionOf is the id in the file of the session that a line is of.
func (c *copying) sessionOf(x *facts) string {
	if id, ok := c.others[x.ofSession()]; ok {
		return id
	}
	return c.file.ID
}

// derivedID is an id for another session in the file of one: of the same time, and the
// same whenever it is made again.
func derivedID(file, id string) string {
	const when = len("01234567-89ab-7")
	sum := sha256.Sum256([]byte(file + "\x00" + id))
	text := hex.EncodeToString(sum[:])
	if len(file) < when {
		return text
	}
	return file[:when] + text[:3] + "-8" + text[3:6] + "-" + text[6:18]
}

// othersStand tells where the agents of other sessions stand where their last message
// does not.
func (c *copying) othersStand() (all []session.FileLine) {
	last := map[string]string{} // id of the last message, by session
	for _, p := range c.keep {
		if x := c.facts(p); x.hasID && x.class.spoken() && !x.sidechain {
			last[x.about] = x.id
		}
	}
	for _, l := range c.tree.Lines() {
		id, other := c.others[l.Session]
		if !other || l.Branch || l.Agent != "" || l.Leaf == session.NoPos {
			continue
		}
		if x := c.facts(l.Leaf); c.copied[x.id] && x.id != last[l.Session] {
			all = append(all, session.FileLine{Pos: session.NoPos, Added: true, Text: tell("last-prompt", "lastPrompt", "", x.id, id)})
		}
	}
	return all
}
