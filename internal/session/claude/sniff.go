package claude

import "sessiontree/internal/session/jsonl"

// maxSniffed is how many records are looked at.
const maxSniffed = 16

// standaloneTypes are the types of lines that only Claude Code writes and that name no
// session; a file may hold nothing else.
var standaloneTypes = map[string]bool{"summary": true, "file-history-snapshot": true, "queue-operation": true, "last-prompt": true,
	"permission-mode": true, "ai-title": true, "custom-title": true}

// sniffTranscript reports whether a file that begins with head is a transcript: messages
// with uuid and sessionId, or the lines that stand beside them.
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

// isPartialMessage reports whether a line that head is only the beginning of is a message: one
// with an image may be long, and its uuid stands behind that.
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
