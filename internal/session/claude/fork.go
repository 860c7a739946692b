package claude

import (
	"fmt"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// forkFile makes a new session of the path to leaf, leaf included, as Claude
// Code's own --fork-session does.
func forkFile(t *session.Tree, leaf session.Pos, from string, src session.Source, m session.Mint) (session.NewFile, error) {
	if leaf == session.NoPos {
		return session.NewFile{}, errSilent
	}
	return extract(t, t.Path(leaf), from, src, m)
}

// extract makes a session file of the entries in keep: every line is a copy that
// names the new session and the entry it was copied from. Ids and times stay.
// Lines without an id, and what agents did, are left behind: those are files of
// their own.
func extract(t *session.Tree, keep []session.Pos, _ string, _ session.Source, m session.Mint) (session.NewFile, error) {
	id := m.Session()
	file := session.NewFile{ID: id, Name: id + ".jsonl"}
	copied := make(map[string]bool, len(keep))
	agents, spoken := false, false
	for _, p := range keep {
		x := t.At(p).Extra.(*facts)
		if x.hasID && !x.ofAgent() {
			copied[x.id] = true
			spoken = spoken || x.class.spoken()
		}
		agents = agents || x.spawns || x.ofAgent()
	}
	switch last := keep[len(keep)-1]; {
	case t.At(last).Extra.(*facts).ofAgent() && len(t.Path(last)) == len(keep), t.At(keep[0]).Extra.(*facts).ofAgent():
		return session.NewFile{}, fmt.Errorf("%w: an agent's work is no session of its own, so Claude Code could not go on with it. Fork the session that started it", session.ErrInvalid)
	case !spoken:
		return session.NewFile{}, errSilent
	}
	above := lineage{tree: t, copied: copied, found: map[session.Pos]string{}}
	for _, p := range keep {
		x := t.At(p).Extra.(*facts)
		if !x.hasID || x.ofAgent() {
			continue
		}
		c := lineCopy{session: id, facts: x}
		if x.parent != "" && !copied[x.parent] {
			c.hang, c.parent = true, above.of(p)
		}
		file.Lines = append(file.Lines, session.FileLine{Pos: p, Edit: c.edit})
	}
	if agents {
		file.Left = "What the agents of this path did stays with the session they were started in; their results are on the path."
	}
	return file, nil
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
	hang    bool   // its recorded parent is not on the path
	parent  string // then: the entry before it, "" for none
}

func (c lineCopy) edit(line []byte) ([]byte, error) {
	from := []byte(`{"sessionId":`)
	from = jsonl.AppendString(from, c.about)
	from = jsonl.AppendString(append(from, `,"messageUuid":`...), c.id)
	from = append(from, '}')
	line, err := jsonl.Set(line, jsonl.AppendString(nil, c.session), "sessionId")
	if err == nil {
		line, err = jsonl.Set(line, from, "forkedFrom")
	}
	if err == nil && c.hang {
		parent := []byte("null")
		if c.parent != "" {
			parent = jsonl.AppendString(nil, c.parent)
		}
		line, err = jsonl.Set(line, parent, "parentUuid")
	}
	return line, err
}
