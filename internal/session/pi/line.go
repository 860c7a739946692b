package pi

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
	"sessiontree/internal/session/pi/usage"
)

// line holds the fields of a recorded line that are used, undecoded. Keys come in any order and the
// last of repeated keys counts, so nothing is decoded before the whole line has been read.
type line struct {
	cursor jsonl.Cursor
	pack   stringPacker
	rec    session.Record

	typ, id, uuid, parent, parentUUID, time jsonl.Value

	// Header and title slot.
	version, cwd, parentSession, title, v, updated, pad, source jsonl.Value
	ompHeader                                                   bool

	// Entries, by type.
	provider, model, modelID, role, level, configured  jsonl.Value
	summary, firstKept, firstKeptIndex, tokens, fromID jsonl.Value
	customType, display, target, label, name, kind     jsonl.Value
	archived, mode, agent, task, tier, purpose, rules  jsonl.Value
	details                                            jsonl.Value // of a custom_message
	checkpoint, replaces                               bool
	usage                                              usage.Usage
	content                                            messageContent // of a custom_message and of a context_edit's replacement
	message                                            message

	entryDetails session.Details // as far as they are read
}

// lineFields reads the members of a line.
var lineFields = jsonl.NewFields(
	func(l *line) map[string]*jsonl.Value {
		return map[string]*jsonl.Value{
			"type":                &l.typ,
			"id":                  &l.id,
			"parentId":            &l.parent,
			"timestamp":           &l.time,
			"uuid":                &l.uuid,
			"parentUuid":          &l.parentUUID,
			"version":             &l.version,
			"v":                   &l.v,
			"updatedAt":           &l.updated,
			"pad":                 &l.pad,
			"source":              &l.source,
			"cwd":                 &l.cwd,
			"parentSession":       &l.parentSession,
			"title":               &l.title,
			"provider":            &l.provider,
			"model":               &l.model,
			"modelId":             &l.modelID,
			"role":                &l.role,
			"thinkingLevel":       &l.level,
			"configured":          &l.configured,
			"summary":             &l.summary,
			"firstKeptEntryId":    &l.firstKept,
			"firstKeptEntryUuid":  &l.firstKept,
			"firstKeptEntryIndex": &l.firstKeptIndex,
			"tokensBefore":        &l.tokens,
			"fromId":              &l.fromID,
			"fromUuid":            &l.fromID,
			"customType":          &l.customType,
			"display":             &l.display,
			"targetId":            &l.target,
			"targetUuid":          &l.target,
			"label":               &l.label,
			"name":                &l.name,
			"kind":                &l.kind,
			"archived":            &l.archived,
			"mode":                &l.mode,
			"agent":               &l.agent,
			"task":                &l.task,
			"serviceTier":         &l.tier,
			"purpose":             &l.purpose,
			"injectedRules":       &l.rules,
			"details":             &l.details,
		}
	},
	map[string]func(*line, *jsonl.Cursor){
		"message":                func(l *line, c *jsonl.Cursor) { l.message.readMessage(c) },
		"content":                func(l *line, c *jsonl.Cursor) { l.content.readContent(c) },
		"replacement":            (*line).readReplacement,
		"usage":                  func(l *line, c *jsonl.Cursor) { l.usage.ReadUsage(c) },
		"systemMessage":          (*line).readSystemMessage,
		"titleSource":            (*line).readOMPKey,
		"additionalDirectories":  (*line).readOMPKey,
		"previousSessionFiles":   (*line).readOMPKey,
		"providerPromptCacheKey": (*line).readOMPKey,
	},
)

// resetLine clears the line and keeps its buffers for reuse.
func (l *line) resetLine(text []byte) {
	c, p := l.cursor, l.pack
	blocks, own := l.message.content.blocks[:0], l.content.blocks[:0]
	*l = line{}
	l.cursor, l.pack = c, p
	l.cursor.Reset(text)
	l.pack.resetPacker()
	l.message.content.blocks, l.content.blocks = blocks, own
}

// readLine reads a line. It returns jsonl.ErrNotObject for a line that is JSON but no object.
func (l *line) readLine(text []byte) error {
	l.resetLine(text)
	c := &l.cursor
	isObject := c.Kind() == '{'
	lineFields.ReadObject(c, l)
	if err := c.End(); err != nil || isObject {
		return err
	}
	return jsonl.ErrNotObject
}

// readReplacement reads the replacement of a context_edit. If it is null or missing, the target is
// omitted from the context.
func (l *line) readReplacement(c *jsonl.Cursor) {
	l.replaces = c.Kind() == '{'
	l.content.resetContent()
	for ok := c.EnterObject(); ok; ok = c.More() {
		if string(c.Key()) == "content" {
			l.content.readContent(c)
		} else {
			c.Skip()
		}
	}
}

// readOMPKey skips the value of a key that only oh-my-pi writes.
func (l *line) readOMPKey(c *jsonl.Cursor) {
	l.ompHeader = true
	c.Skip()
}

func (l *line) readSystemMessage(c *jsonl.Cursor) {
	l.checkpoint = c.Kind() == '{'
	c.Skip()
}
