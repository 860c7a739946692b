package claude

import (
	"fmt"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// forkPath makes a new session of the path to leaf, inclusive, as Claude Code's --fork-session
// does: agents and names are not copied.
func forkPath(t *session.Tree, leaf session.Pos, _ string, _ session.LineReader, m session.IDSource) (session.NewFile, error) {
	if leaf == session.NoPos {
		return session.NewFile{}, errNoMessage
	}
	c := newFileCopier(t, t.Path(leaf), m)
	c.isFork = true
	switch {
	case t.At(leaf).Extra.(*facts).isAgentLine():
		return session.NewFile{}, fmt.Errorf("%w: a sub-agent is not a session, so Claude Code cannot continue it. Fork the session that started it", session.ErrInvalid)
	case !c.hasMessage:
		return session.NewFile{}, errNoMessage
	}
	c.file.Lines = c.copyLines(false)
	if slices.ContainsFunc(c.keep, func(p session.Pos) bool { return t.At(p).Extra.(*facts).Spawns }) {
		c.file.LossWarning = "Sub-agents stay with the session that started them; their results are on the path."
	}
	return c.file, nil
}

var errNoMessage = fmt.Errorf("%w: there is no message on the path yet, and Claude Code opens only sessions with one", session.ErrInvalid)

// copiedAncestors finds the nearest copied ancestor of an entry.
type copiedAncestors struct {
	tree   *session.Tree
	copied map[string]bool
	known  map[session.Pos]string // for entries that are not copied
}

// nearestAbove returns the id of the nearest copied ancestor of p, "" if none.
func (l *copiedAncestors) nearestAbove(p session.Pos) (id string) {
	var passed []session.Pos
	for at := l.tree.Parent(p); at != session.NoPos; at = l.tree.Parent(at) {
		x := l.tree.At(at).Extra.(*facts)
		if known, ok := l.known[at]; ok {
			id = known
			break
		}
		if l.copied[x.ID] {
			id = x.ID
			break
		}
		passed = append(passed, at)
	}
	for _, at := range passed {
		l.known[at] = id
	}
	return id
}

// isAgentLine reports whether an agent recorded the line.
func (x *facts) isAgentLine() bool { return x.Sidechain && x.Agent != "" }

// lineCopy describes how one line is copied.
type lineCopy struct {
	*facts
	session   string
	setParent bool   // the recorded parent is not in the file
	parent    string // with setParent: the new parent, "" for none
	adopted   bool   // the work of the adopted agent
	isFork    bool   // the new file lies next to its source and names it
}

func (c lineCopy) editLine(line []byte) (_ []byte, err error) {
	set := func(key string, value []byte) {
		if err == nil {
			line, err = jsonl.SetKey(line, value, key)
		}
	}
	set("sessionId", jsonl.AppendString(nil, c.session))
	if c.isFork {
		set("forkedFrom", c.forkedFrom())
	} else if c.forked != "" && err == nil {
		line, err = jsonl.DeleteKey(line, "forkedFrom")
	}
	if c.setParent && c.parent != "" {
		set("parentUuid", jsonl.AppendString(nil, c.parent))
	} else if c.setParent {
		set("parentUuid", []byte("null"))
	}
	if c.adopted {
		set("isSidechain", []byte("false"))
		if err == nil {
			line, err = jsonl.DeleteKey(line, "agentId")
		}
	}
	return line, err
}

// forkedFrom returns the reference to the line that this is a copy of.
func (c lineCopy) forkedFrom() []byte {
	from := jsonl.AppendString([]byte(`{"sessionId":`), c.sessionID)
	return append(jsonl.AppendString(append(from, `,"messageUuid":`...), c.ID), '}')
}
