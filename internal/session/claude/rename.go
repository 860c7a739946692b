package claude

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// encode makes the lines of a new name: the two that Claude Code writes itself. An
// empty one takes the name away there, too. All else is the agent's.
func encode(t *session.Tree, c session.Change, _ session.Source, _ session.Mint) ([]session.Line, error) {
	if c.Op != session.OpName {
		return nil, fmt.Errorf("%w: %s", session.ErrInvalid, ownLeaf)
	}
	id := t.Header().ID
	if id == "" {
		return nil, fmt.Errorf("%w: the file names no session that could be renamed", session.ErrInvalid)
	}
	name := flat(c.Text)
	return []session.Line{naming("custom-title", "customTitle", name, id), naming("agent-name", "agentName", name, id)}, nil
}

// naming is a line that gives a session a name.
func naming(typ, key, name, id string) session.Line {
	text := append([]byte(`{"type":"`+typ+`","`+key+`":`), jsonl.AppendString(nil, name)...)
	text = append(text, `,"sessionId":`...)
	return session.Line{Text: append(jsonl.AppendString(text, id), '}')}
}

// namedBeside reads the title that Claude Code keeps a copy of beside the session. The
// lines of the file are newer.
func namedBeside(h *session.Header, dir fs.FS, name string) {
	stem, ok := strings.CutSuffix(name, ".jsonl")
	if h.Titled || !ok {
		return
	}
	f, err := dir.Open(stem + "/custom-title.json")
	if err != nil {
		return
	}
	defer f.Close()
	var title struct{ CustomTitle string }
	if json.NewDecoder(io.LimitReader(f, maxAside)).Decode(&title) != nil {
		return
	}
	if given := cut(flat(title.CustomTitle), maxPreview); given != "" {
		h.Name, h.Titled = given, true
	}
}
