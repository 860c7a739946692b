package claude

import "sessiontree/internal/session/jsonl"

// compact is a compact_boundary's metadata.
type compact struct {
	tokens  jsonl.Value
	trigger jsonl.Value
	kept    []jsonl.Value // ids of what was preserved

	head, tail, anchor jsonl.Value   // the first and the last of a segment, and what it comes after
	messages           []jsonl.Value // their ids, in order; older versions name the segment alone
}

func (m *compact) read(c *jsonl.Cursor) {
	for ok := c.Enter(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "preTokens":
			m.tokens = c.Value()
		case "trigger":
			m.trigger = c.Value()
		case "preservedSegment", "preservedMessages":
			m.preserved(c)
		default:
			c.Skip()
		}
	}
}

// preserved reads which messages a compaction lets stand.
func (m *compact) preserved(c *jsonl.Cursor) {
	for ok := c.Enter(); ok; ok = c.More() {
		key := string(c.Key())
		if c.Kind() == '[' {
			for ok := c.Elements(); ok; ok = c.More() {
				m.kept = append(m.kept, c.Value())
				if key == "uuids" {
					m.messages = append(m.messages, m.kept[len(m.kept)-1])
				}
			}
			continue
		}
		v := c.Value()
		m.kept = append(m.kept, v)
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
