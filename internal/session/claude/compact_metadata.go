package claude

import "sessiontree/internal/session/jsonl"

// compactMetadata is the compactMetadata of a compact_boundary line.
type compactMetadata struct {
	tokens  jsonl.Value
	trigger jsonl.Value
	keptIDs []jsonl.Value // ids of the preserved messages

	head, tail, anchor jsonl.Value   // the first and the last message of the preserved segment, and the message it follows
	messages           []jsonl.Value // ids of the preserved messages in order; older versions name only the segment
}

func (m *compactMetadata) readCompactMetadata(c *jsonl.Cursor) {
	for ok := c.EnterObject(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "preTokens":
			m.tokens = c.Value()
		case "trigger":
			m.trigger = c.Value()
		case "preservedSegment", "preservedMessages":
			m.readPreserved(c)
		default:
			c.Skip()
		}
	}
}

// readPreserved reads which messages a compaction preserves.
func (m *compactMetadata) readPreserved(c *jsonl.Cursor) {
	for ok := c.EnterObject(); ok; ok = c.More() {
		key := string(c.Key())
		if c.Kind() == '[' {
			for ok := c.EnterArray(); ok; ok = c.More() {
				m.keptIDs = append(m.keptIDs, c.Value())
				if key == "uuids" {
					m.messages = append(m.messages, m.keptIDs[len(m.keptIDs)-1])
				}
			}
			continue
		}
		v := c.Value()
		m.keptIDs = append(m.keptIDs, v)
		switch key {
		case "headUuid":
			m.head = v
		case "tailUuid":
			m.tail = v
		case "anchorUuid":
			m.anchor = v
		}
	}
}
