package claude

import (
	"fmt"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// forkFile makes a new session of the path to leaf, leaf included, as Claude
// Code's own --fork-session does: every line is a copy that names the new session
// and the entry it was copied from. Ids and times stay. Lines without an id, and
// the agents that the path started, are left behind.
func forkFile(t *session.Tree, leaf session.Pos, _ string, _ session.Source, m session.Mint) (session.NewFile, error) {
	id := m.Session()
	file := session.NewFile{ID: id, Name: id + ".jsonl"}
	copied := map[string]bool{}
	before, spoken, spawned := "", false, false
	for _, p := range t.Path(leaf) {
		x := t.At(p).Extra.(*facts)
		switch {
		case !x.hasID:
			continue
		case x.sidechain && x.agent != "":
			return session.NewFile{}, fmt.Errorf("%w: an agent's work is no session of its own, so Claude Code could not go on with it. Fork the session that started it", session.ErrInvalid)
		}
		c := lineCopy{session: id, facts: x}
		if x.parent != "" && !copied[x.parent] {
			c.hang, c.parent = true, before
		}
		file.Lines = append(file.Lines, session.FileLine{Pos: p, Edit: c.edit})
		copied[x.id] = true
		before, spoken, spawned = x.id, spoken || x.class.spoken(), spawned || x.spawns
	}
	if !spoken {
		return session.NewFile{}, fmt.Errorf("%w: there is no message on the path yet, and Claude Code opens only sessions with one", session.ErrInvalid)
	}
	if spawned {
		file.Left = "What the agents of this path did stays with the session they were started in; their results are on the path."
	}
	return file, nil
}

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
