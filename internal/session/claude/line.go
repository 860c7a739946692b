package claude

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// line holds the fields of a recorded line that are used. Keys come in any order, so nothing is
// decoded before the whole line has been read.
type line struct {
	cursor      jsonl.Cursor
	*lineMemory // set by scanLine

	typ, subtype, uuid, parent, logical, sessionID, time     jsonl.Value
	agentID, cwd, branch, requestID, level, content          jsonl.Value
	requestSession                                           jsonl.Value // the session of an answer's request
	sidechain, isMeta, fromSkill, isCompactSummary, apiError bool
	transcriptOnly, besideResult, hasRendered                bool // isVisibleInTranscriptOnly, renderedBesideToolResult, rendered is not empty
	renderedRole                                             jsonl.Value

	request requestLine

	// Fields of lines without a uuid, by type.
	summary, leaf, title, prompt, mode, operation, agent, url, tools, cost, modelUsage jsonl.Value

	attachment attachmentFacts
	progress   attachmentFacts
	forked     jsonl.Value // forkedFrom.sessionId
	compact    compactMetadata
	message    message
	result     result

	entryDetails session.Details // as far as they are read
}

// lineMemory is memory shared by successive lines, so that scanning a line allocates only what its
// entry keeps.
type lineMemory struct {
	interner    jsonl.Interner // recurring ids, directories and models
	innerCursor jsonl.Cursor   // for values within the line
	innerFields jsonl.Object
}

// lineFields reads the members of a line.
var lineFields = jsonl.NewFields(
	func(l *line) map[string]*jsonl.Value {
		return map[string]*jsonl.Value{
			"type":              &l.typ,
			"uuid":              &l.uuid,
			"parentUuid":        &l.parent,
			"sessionId":         &l.sessionID,
			"timestamp":         &l.time,
			"cwd":               &l.cwd,
			"gitBranch":         &l.branch,
			"requestId":         &l.requestID,
			"agentId":           &l.agentID,
			"subtype":           &l.subtype,
			"logicalParentUuid": &l.logical,
			"level":             &l.level,
			"content":           &l.content,
			"renderedRole":      &l.renderedRole,
			"requestRef":        &l.request.ref,
			"id":                &l.request.id,
			"hash":              &l.request.hash,
			"shapeHash":         &l.request.shape,
			"keep":              &l.request.keep,
			"summary":           &l.summary,
			"leafUuid":          &l.leaf,
			"aiTitle":           &l.title,
			"customTitle":       &l.title,
			"lastPrompt":        &l.prompt,
			"permissionMode":    &l.mode,
			"mode":              &l.mode,
			"operation":         &l.operation,
			"agentName":         &l.agent,
			"agentColor":        &l.agent,
			"agentSetting":      &l.agent,
			"prUrl":             &l.url,
			"tools":             &l.tools,
			"totalCostUSD":      &l.cost,
			"modelUsage":        &l.modelUsage,
			"requestSessionId":  &l.requestSession,
		}
	},
	map[string]func(*line, *jsonl.Cursor){
		"isSidechain":               func(l *line, c *jsonl.Cursor) { l.sidechain = c.Value().Kind() == 't' },
		"isMeta":                    func(l *line, c *jsonl.Cursor) { l.isMeta = c.Value().Kind() == 't' },
		"isCompactSummary":          func(l *line, c *jsonl.Cursor) { l.isCompactSummary = c.Value().Kind() == 't' },
		"isApiErrorMessage":         func(l *line, c *jsonl.Cursor) { l.apiError = c.Value().Kind() == 't' },
		"isVisibleInTranscriptOnly": func(l *line, c *jsonl.Cursor) { l.transcriptOnly = c.Value().Kind() == 't' },
		"renderedBesideToolResult":  func(l *line, c *jsonl.Cursor) { l.besideResult = c.Value().Kind() == 't' },
		"rendered":                  func(l *line, c *jsonl.Cursor) { l.hasRendered = len(jsonl.ArrayElements(c.Value())) > 0 },
		"message":                   func(l *line, c *jsonl.Cursor) { l.message.readMessage(c) },
		"toolUseResult":             func(l *line, c *jsonl.Cursor) { l.result.readToolUseResult(c) },
		"attachment":                func(l *line, c *jsonl.Cursor) { l.attachment.readAttachment(c) },
		"data":                      func(l *line, c *jsonl.Cursor) { l.progress.readAttachment(c) },
		"tail":                      func(l *line, c *jsonl.Cursor) { l.request.tail = len(jsonl.ArrayElements(c.Value())) },
		"sourceToolUseID":           func(l *line, c *jsonl.Cursor) { l.fromSkill = c.Value().IsString() },
		"forkedFrom":                func(l *line, c *jsonl.Cursor) { l.forked = readOneKey(c, "sessionId") },
		"compactMetadata":           func(l *line, c *jsonl.Cursor) { l.compact.readCompactMetadata(c) },
	},
)

var linePool jsonl.Pool[line]

// resetLine clears the line and keeps its buffers for reuse.
func (l *line) resetLine(text []byte) {
	c, blocks, kept, messages := l.cursor, l.message.blocks[:0], l.compact.keptIDs[:0], l.compact.messages[:0]
	*l = line{lineMemory: l.lineMemory}
	l.cursor = c
	l.cursor.Reset(text)
	l.message.blocks, l.compact.keptIDs, l.compact.messages = blocks, kept, messages
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

// readOneKey returns the value of one key of an object.
func readOneKey(c *jsonl.Cursor, key string) (v jsonl.Value) {
	for ok := c.EnterObject(); ok; ok = c.More() {
		if string(c.Key()) == key {
			v = c.Value()
		} else {
			c.Skip()
		}
	}
	return v
}

// scanLine scans one line into a record.
func scanLine(text []byte, home string) (session.Record, error) {
	l := linePool.Get()
	defer linePool.Put(l, len(text))
	if l.lineMemory == nil {
		l.lineMemory = new(lineMemory)
	}
	if err := l.readLine(text); err != nil {
		return session.Record{}, err
	}
	return l.makeRecord(home), nil
}
