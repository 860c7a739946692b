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
	summary, leaf, title, prompt, mode, operation, agent, url, tools, cost jsonl.Value

	attachment attachment
	progress   attachment
	forked     jsonl.Value // forkedFrom.sessionId
	compact    compactMetadata
	message    message
	result     result

	entryDetails session.Details // as far as they are read
}

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
	for ok := c.EnterObject(); ok; ok = c.More() {
		l.readField(c)
	}
	if err := c.End(); err != nil || isObject {
		return err
	}
	return jsonl.ErrNotObject
}

func (l *line) readField(c *jsonl.Cursor) {
	if v := l.plainField(c.Key()); v != nil {
		*v = c.Value()
		return
	}
	switch string(c.Key()) {
	case "isSidechain":
		l.sidechain = c.Value().Kind() == 't'
	case "isMeta":
		l.isMeta = c.Value().Kind() == 't'
	case "isCompactSummary":
		l.isCompactSummary = c.Value().Kind() == 't'
	case "isApiErrorMessage":
		l.apiError = c.Value().Kind() == 't'
	case "isVisibleInTranscriptOnly":
		l.transcriptOnly = c.Value().Kind() == 't'
	case "renderedBesideToolResult":
		l.besideResult = c.Value().Kind() == 't'
	case "rendered":
		l.hasRendered = len(jsonl.ArrayElements(c.Value())) > 0
	case "message":
		l.message.readMessage(c)
	case "toolUseResult":
		l.result.readToolUseResult(c)
	case "attachment":
		l.attachment.readAttachment(c)
	case "data":
		l.progress.readAttachment(c)
	case "tail":
		l.request.tail = len(jsonl.ArrayElements(c.Value()))
	case "sourceToolUseID":
		l.fromSkill = c.Value().IsString()
	case "forkedFrom":
		l.forked = readOneKey(c, "sessionId")
	case "compactMetadata":
		l.compact.readCompactMetadata(c)
	default:
		c.Skip()
	}
}

// plainField returns the destination of a plain key's value, nil if the key is not used.
func (l *line) plainField(key []byte) *jsonl.Value {
	switch string(key) {
	case "type":
		return &l.typ
	case "uuid":
		return &l.uuid
	case "parentUuid":
		return &l.parent
	case "sessionId":
		return &l.sessionID
	case "timestamp":
		return &l.time
	case "cwd":
		return &l.cwd
	case "gitBranch":
		return &l.branch
	case "requestId":
		return &l.requestID
	case "agentId":
		return &l.agentID
	case "subtype":
		return &l.subtype
	case "logicalParentUuid":
		return &l.logical
	case "level":
		return &l.level
	case "content":
		return &l.content
	case "renderedRole":
		return &l.renderedRole
	case "requestRef":
		return &l.request.ref
	case "id":
		return &l.request.id
	case "hash":
		return &l.request.hash
	case "shapeHash":
		return &l.request.shape
	case "keep":
		return &l.request.keep
	case "summary":
		return &l.summary
	case "leafUuid":
		return &l.leaf
	case "aiTitle", "customTitle":
		return &l.title
	case "lastPrompt":
		return &l.prompt
	case "permissionMode", "mode":
		return &l.mode
	case "operation":
		return &l.operation
	case "agentName", "agentColor", "agentSetting":
		return &l.agent
	case "prUrl":
		return &l.url
	case "tools":
		return &l.tools
	case "totalCostUSD":
		return &l.cost
	case "requestSessionId":
		return &l.requestSession
	}
	return nil
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
