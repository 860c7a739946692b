package pi

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
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
	cost                                               float64
	content                                            messageContent // of a custom_message and of a context_edit's replacement
	message                                            message

	entryDetails session.Details // as far as they are read
}

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
	for ok := c.EnterObject(); ok; ok = c.More() {
		l.readCommonField(c)
	}
	if err := c.End(); err != nil || isObject {
		return err
	}
	return jsonl.ErrNotObject
}

// readCommonField reads the value of one key of the line.
func (l *line) readCommonField(c *jsonl.Cursor) {
	switch string(c.Key()) {
	case "type":
		l.typ = c.Value()
	case "id":
		l.id = c.Value()
	case "parentId":
		l.parent = c.Value()
	case "timestamp":
		l.time = c.Value()
	case "message":
		l.message.readMessage(c)
	default:
		l.readRareField(c)
	}
}

func (l *line) readRareField(c *jsonl.Cursor) {
	if v := l.plainField(c.Key()); v != nil {
		*v = c.Value()
		return
	}
	switch string(c.Key()) {
	case "content":
		l.content.readContent(c)
	case "replacement":
		l.readReplacement(c)
	case "usage":
		l.cost = readCost(c)
	case "systemMessage":
		l.checkpoint = c.Kind() == '{'
		c.Skip()
	case "titleSource", "additionalDirectories", "previousSessionFiles", "providerPromptCacheKey":
		l.ompHeader = true
		c.Skip()
	default:
		c.Skip()
	}
}

// plainField returns the destination of a plain key's value, nil if the key is not used.
func (l *line) plainField(key []byte) *jsonl.Value {
	switch string(key) {
	case "uuid":
		return &l.uuid
	case "parentUuid":
		return &l.parentUUID
	case "version":
		return &l.version
	case "v":
		return &l.v
	case "updatedAt":
		return &l.updated
	case "pad":
		return &l.pad
	case "source":
		return &l.source
	case "cwd":
		return &l.cwd
	case "parentSession":
		return &l.parentSession
	case "title":
		return &l.title
	case "provider":
		return &l.provider
	case "model":
		return &l.model
	case "modelId":
		return &l.modelID
	case "role":
		return &l.role
	case "thinkingLevel":
		return &l.level
	case "configured":
		return &l.configured
	case "summary":
		return &l.summary
	case "firstKeptEntryId", "firstKeptEntryUuid":
		return &l.firstKept
	case "firstKeptEntryIndex":
		return &l.firstKeptIndex
	case "tokensBefore":
		return &l.tokens
	case "fromId", "fromUuid":
		return &l.fromID
	case "customType":
		return &l.customType
	case "display":
		return &l.display
	case "targetId", "targetUuid":
		return &l.target
	case "label":
		return &l.label
	case "name":
		return &l.name
	case "kind":
		return &l.kind
	case "archived":
		return &l.archived
	case "mode":
		return &l.mode
	case "agent":
		return &l.agent
	case "task":
		return &l.task
	case "serviceTier":
		return &l.tier
	case "purpose":
		return &l.purpose
	case "injectedRules":
		return &l.rules
	case "details":
		return &l.details
	}
	return nil
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
