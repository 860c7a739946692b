package claude

import "sessiontree/internal/session/jsonl"

// maxSniffed is the number of records that are checked.
const maxSniffed = 16

// standaloneTypes are types of lines that only Claude Code writes and that name no session. A file
// may hold nothing else.
var standaloneTypes = map[string]bool{"summary": true, "file-history-snapshot": true, "queue-operation": true, "last-prompt": true,
	"permission-mode": true, "ai-title": true, "custom-title": true}

// sniffTranscript reports whether a file that begins with head is a transcript. Its lines are
// messages with uuid and sessionId, or metadata.
func sniffTranscript(head []byte) bool {
	var l line
	n := 0
	for found := range jsonl.Lines(head) {
		if l.readLine(found.Data) != nil {
			continue
		}
		switch typ := string(l.typ.Bytes()); {
		case l.uuid.IsString() && l.sessionID.IsString() && l.typ.IsString():
			return true
		case standaloneTypes[typ] && (l.sessionID.IsString() || l.leaf.IsString() || typ == "file-history-snapshot"):
			return true
		case (typ == "started" || typ == "result") && l.agentID.IsString():
			return true
		}
		if n++; n == maxSniffed {
			break
		}
	}
	return n == 0 && isPartialMessage(head)
}

// isPartialMessage reports whether an incomplete line is a message. A line with an image may be
// longer than head, and its uuid comes after the image.
func isPartialMessage(line []byte) bool {
	parent, side, about := false, false, false
	c := jsonl.NewCursor(line)
	for ok := c.EnterObject(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "parentUuid":
			v := c.Value()
			parent = v.IsString() || v.Kind() == 'n'
		case "isSidechain":
			v := c.Value()
			side = v.Kind() == 't' || v.Kind() == 'f'
		case "sessionId":
			about = c.Value().IsString()
		default:
			c.Skip()
		}
	}
	return parent && side && about
}
