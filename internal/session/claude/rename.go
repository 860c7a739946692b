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

// encodeChange makes the lines of a new name: the two that Claude Code writes itself. An
// empty one takes the name away there, too. All else is the agent's.
func encodeChange(t *session.Tree, c session.Change, _ session.LineReader, _ session.IDSource) ([]session.Line, error) {
	if c.Op != session.OpName {
		return nil, fmt.Errorf("%w: %s", session.ErrInvalid, leafIsChosenByAgent)
	}
	id := t.Header().ID
	if id == "" {
		return nil, fmt.Errorf("%w: the file names no session that could be renamed", session.ErrInvalid)
	}
	name := flattenText(c.Text)
	return []session.Line{titleLine("custom-title", "customTitle", name, id), titleLine("agent-name", "agentName", name, id)}, nil
}

// titleLine is a line that gives a session a name.
func titleLine(typ, key, name, id string) session.Line {
	text := append([]byte(`{"type":"`+typ+`","`+key+`":`), jsonl.AppendString(nil, name)...)
	text = append(text, `,"sessionId":`...)
	return session.Line{Text: append(jsonl.AppendString(text, id), '}')}
}

// readTitleFile reads the title that Claude Code keeps a copy of beside the session. The
// lines of the file are newer.
func readTitleFile(h *session.Header, dir fs.FS, name string) {
	stem, ok := strings.CutSuffix(name, ".jsonl")
	if h.UserTitled || !ok {
		return
	}
	f, err := dir.Open(stem + "/custom-title.json")
	if err != nil {
		return
	}
	defer f.Close()
	var title struct{ CustomTitle string }
	if json.NewDecoder(io.LimitReader(f, maxSideFile)).Decode(&title) != nil {
		return
	}
	if given := cutRow(flattenText(title.CustomTitle), maxPreview); given != "" {
		h.Name, h.UserTitled = given, true
	}
}
