package claude

import "sessiontree/internal/session/jsonl"

// compactMetadata is a compact_boundary's metadata.
type compactMetadata struct {
	tokens  jsonl.Value
	trigger jsonl.Value
	keptIDs []jsonl.Value // ids of what was preserved

	head, tail, anchor jsonl.Value   // the first and the last of a segment, and what it comes after
	messages           []jsonl.Value // their ids, in order; older versions name the segment alone
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

// readPreserved reads which messages a compaction lets stand.
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
