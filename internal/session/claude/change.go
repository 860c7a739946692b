package claude

import (
	"fmt"
	"io/fs"

	"sessiontree/internal/session"
	"sessiontree/internal/session/claude/sidefiles"
	"sessiontree/internal/session/jsonl"
)

// Reasons why Claude Code's files cannot be changed.
const (
	leafIsChosenByAgent = "Claude Code decides where to resume. Branch to a new file instead."
	noOlderVersion      = "Claude Code's files have no older version to migrate from."
)

// fileCapabilities returns what a file can hold: a name, as Claude Code writes it. The agent owns
// everything else, so labels are kept in a sidecar and changes make new files.
func fileCapabilities(session.Header) session.Capabilities {
	return session.Capabilities{
		Label:  session.Ability{InSidecar: true},
		Branch: session.Ability{Reason: leafIsChosenByAgent}, Copy: session.Ability{Reason: leafIsChosenByAgent},
		Migrate: session.Ability{Reason: noOlderVersion},
	}
}

// encodeChange encodes a new name of the session as the two lines that Claude Code writes itself.
// An empty name removes the name there, too. Other changes are refused.
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

// titleLine returns a line that sets a session's title.
func titleLine(typ, key, name, id string) session.Line {
	text := append([]byte(`{"type":"`+typ+`","`+key+`":`), jsonl.AppendString(nil, name)...)
	text = append(text, `,"sessionId":`...)
	return session.Line{Text: append(jsonl.AppendString(text, id), '}')}
}

// readTitleFile reads the title from the file next to the session. A title in the session's
// lines is newer and wins.
func readTitleFile(h *session.Header, dir fs.FS, name string) {
	if h.UserTitled {
		return
	}
	if given := cutRow(flattenText(sidefiles.ReadTitle(dir, name)), maxPreview); given != "" {
		h.Name, h.UserTitled = given, true
	}
}
