package claude

import (
	"sessiontree/internal/session/jsonl"
)

// attachmentFacts holds the used fields of an attachment, and of a progress line's data, which has the
// same keys.
type attachmentFacts struct {
	typ, hook, file, prompt, model jsonl.Value
	byHand                         bool // a prompt that the user queued while the agent was working
}

// result holds the used fields of a toolUseResult.
type result struct {
	async   bool
	agent   jsonl.Value
	run     jsonl.Value
	task    jsonl.Value
	patch   jsonl.Value
	code    jsonl.Value
	present bool
}

// attachmentFields reads the members of an attachment.
var attachmentFields = jsonl.NewFields(
	func(a *attachmentFacts) map[string]*jsonl.Value {
		return map[string]*jsonl.Value{"type": &a.typ, "hookName": &a.hook, "filename": &a.file, "displayPath": &a.file, "path": &a.file, "prompt": &a.prompt}
	},
	map[string]func(*attachmentFacts, *jsonl.Cursor){
		"identity":  func(a *attachmentFacts, c *jsonl.Cursor) { a.model = readOneKey(c, "modelId") },
		"humanTurn": func(a *attachmentFacts, c *jsonl.Cursor) { a.byHand = c.Value().Kind() == 't' },
	},
)

func (a *attachmentFacts) readAttachment(c *jsonl.Cursor) {
	*a = attachmentFacts{}
	attachmentFields.ReadObject(c, a)
}

// resultFields reads the members of a toolUseResult.
var resultFields = jsonl.NewFields(
	func(r *result) map[string]*jsonl.Value {
		return map[string]*jsonl.Value{"agentId": &r.agent, "runId": &r.run, "taskId": &r.task, "structuredPatch": &r.patch, "exitCode": &r.code, "code": &r.code}
	},
	map[string]func(*result, *jsonl.Cursor){
		"isAsync": func(r *result, c *jsonl.Cursor) { r.async = c.Value().Kind() == 't' },
	},
)

func (r *result) readToolUseResult(c *jsonl.Cursor) {
	*r = result{present: c.Kind() == '{'}
	resultFields.ReadObject(c, r)
}

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
