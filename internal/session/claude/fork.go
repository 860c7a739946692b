package claude

import (
	"fmt"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// forkFile makes a new session of the path to leaf, leaf included, as Claude
// Code's own --fork-session does: agents and names stay behind.
func forkFile(t *session.Tree, leaf session.Pos, _ string, _ session.Source, m session.Mint) (session.NewFile, error) {
	if leaf == session.NoPos {
		return session.NewFile{}, errSilent
	}
	c := newCopying(t, t.Path(leaf), m)
	c.fork = true
	switch {
	case t.At(leaf).Extra.(*facts).ofAgent():
		return session.NewFile{}, fmt.Errorf("%w: an agent's work is no session of its own, so Claude Code could not go on with it. Fork the session that started it", session.ErrInvalid)
	case !c.spoken:
		return session.NewFile{}, errSilent
	}
	c.file.Lines = c.lines(false)
	if slices.ContainsFunc(c.keep, func(p session.Pos) bool { return t.At(p).Extra.(*facts).spawns }) {
		c.file.Left = "What the agents of this path did stays with the session they were started in; their results are on the path."
	}
	return c.file, nil
}

var errSilent = fmt.Errorf("%w: there is no message on the path yet, and Claude Code opens only sessions with one", session.ErrInvalid)

// lineage finds the copied entry above another one.
type lineage struct {
	tree   *session.Tree
	copied map[string]bool
	found  map[session.Pos]string // for entries that are not copied
}

// of is the id of the copied entry above p, "" when there is none.
func (l *lineage) of(p session.Pos) (id string) {
	var passed []session.Pos
	for at := l.tree.Parent(p); at != session.NoPos; at = l.tree.Parent(at) {
		x := l.tree.At(at).Extra.(*facts)
		if known, ok := l.found[at]; ok {
			id = known
			break
		}
		if l.copied[x.id] {
			id = x.id
			break
		}
		passed = append(passed, at)
	}
	for _, at := range passed {
		l.found[at] = id
	}
	return id
}

// ofAgent reports whether an agent recorded the line.
func (x *facts) ofAgent() bool { return x.sidechain && x.agent != "" }

// lineCopy is what becomes of one line.
type lineCopy struct {
	*facts
	session string
	hang    bool   // what it records to stand above it is not in the file
	parent  string // then: the entry above it that is, "" for none
	own     bool   // an agent's work that becomes the session's own
	fork    bool   // the file lies beside the session it was copied from, and names it
}

func (c lineCopy) edit(line []byte) (_ []byte, err error) {
	set := func(key string, value []byte) {
		if err == nil {
			line, err = jsonl.Set(line, value, key)
		}
	}
	set("sessionId", jsonl.AppendString(nil, c.session))
	if c.fork {
		set("forkedFrom", c.from())
	} else if c.forked != "" && err == nil {
		line, err = jsonl.Delete(line, "forkedFrom")
	}
	if c.hang && c.parent != "" {
		set("parentUuid", jsonl.AppendString(nil, c.parent))
	} else if c.hang {
		set("parentUuid", []byte("null"))
	}
	if c.own {
		set("isSidechain", []byte("false"))
		if err == nil {
			line, err = jsonl.Delete(line, "agentId")
		}
	}
	return line, err
}

// from names the line that this is a copy of.
func (c lineCopy) from() []byte {
	from := jsonl.AppendString([]byte(`{"sessionId":`), c.about)
	return append(jsonl.AppendString(append(from, `,"messageUuid":`...), c.id), '}')
}
