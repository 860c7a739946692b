package claude

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// line is what is wanted of one recorded line. Keys come in any order, so
// nothing is decoded before the line has ended.
type line struct {
	cursor jsonl.Cursor

	typ, subtype, uuid, parent, logical, sessionID, time jsonl.Value
	agentID, cwd, branch, requestID, level, content      jsonl.Value
	requestSession                                       jsonl.Value // the session in which the request of an answer was made
	sidechain, meta, skill, summarized, apiError         bool

	// Lines without a uuid, by type.
	summary, leaf, title, prompt, mode, operation, agent, url, tools, cost jsonl.Value

	attachment attachment
	progress   attachment
	forked     jsonl.Value // forkedFrom.sessionId
	compact    compact
	message    message
	result     result
}

// compact is a compact_boundary's metadata.
type compact struct {
	tokens  jsonl.Value
	trigger jsonl.Value
	kept    []jsonl.Value // ids of what was preserved
}

// attachment is what is wanted of an attachment, and of the data of a progress
// line: they name alike.
type attachment struct{ typ, hook, file, prompt jsonl.Value }

// result is what is wanted of a toolUseResult.
type result struct {
	async   bool
	agent   jsonl.Value
	run     jsonl.Value
	task    jsonl.Value
	patch   jsonl.Value
	code    jsonl.Value
	present bool
}

var lines jsonl.Pool[line]

// reset forgets everything but memory that can be used again.
func (l *line) reset(text []byte) {
	c, blocks, kept := l.cursor, l.message.blocks[:0], l.compact.kept[:0]
	*l = line{}
	l.cursor = c
	l.cursor.Reset(text)
	l.message.blocks, l.compact.kept = blocks, kept
}

// read takes the line in. jsonl.ErrNoObject is of a line that is JSON but no object.
func (l *line) read(text []byte) error {
	l.reset(text)
	c := &l.cursor
	isObject := c.Kind() == '{'
	for ok := c.Enter(); ok; ok = c.More() {
		l.field(c)
	}
	if err := c.End(); err != nil || isObject {
		return err
	}
	return jsonl.ErrNoObject
}

func (l *line) field(c *jsonl.Cursor) {
	if v := l.value(c.Key()); v != nil {
		*v = c.Value()
		return
	}
	switch string(c.Key()) {
	case "isSidechain":
		l.sidechain = c.Value().Kind() == 't'
	case "isMeta":
		l.meta = c.Value().Kind() == 't'
	case "isCompactSummary":
		l.summarized = c.Value().Kind() == 't'
	case "isApiErrorMessage":
		l.apiError = c.Value().Kind() == 't'
	case "message":
		l.message.read(c)
	case "toolUseResult":
		l.result.read(c)
	case "attachment":
		l.attachment.read(c)
	case "data":
		l.progress.read(c)
	case "sourceToolUseID":
		l.skill = c.Value().IsString()
	case "forkedFrom":
		l.forked = one(c, "sessionId")
	case "compactMetadata":
		l.compact.read(c)
	default:
		c.Skip()
	}
}

// value is where the value of a plain key goes, nil when it is not wanted.
func (l *line) value(key []byte) *jsonl.Value {
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

// one reads an object for one of its keys.
func one(c *jsonl.Cursor, key string) (v jsonl.Value) {
	for ok := c.Enter(); ok; ok = c.More() {
		if string(c.Key()) == key {
			v = c.Value()
		} else {
			c.Skip()
		}
	}
	return v
}

func (a *attachment) read(c *jsonl.Cursor) {
	*a = attachment{}
	for ok := c.Enter(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "type":
			a.typ = c.Value()
		case "hookName":
			a.hook = c.Value()
		case "filename", "displayPath":
			a.file = c.Value()
		case "prompt":
			a.prompt = c.Value()
		default:
			c.Skip()
		}
	}
}

func (r *result) read(c *jsonl.Cursor) {
	*r = result{present: c.Kind() == '{'}
	for ok := c.Enter(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "agentId":
			r.agent = c.Value()
		case "isAsync":
			r.async = c.Value().Kind() == 't'
		case "runId":
			r.run = c.Value()
		case "taskId":
			r.task = c.Value()
		case "structuredPatch":
			r.patch = c.Value()
		case "exitCode", "code":
			r.code = c.Value()
		default:
			c.Skip()
		}
	}
}

func (m *compact) read(c *jsonl.Cursor) {
	for ok := c.Enter(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "preTokens":
			m.tokens = c.Value()
		case "trigger":
			m.trigger = c.Value()
		case "preservedSegment":
			for ok := c.Enter(); ok; ok = c.More() {
				m.kept = append(m.kept, c.Value())
			}
		case "preservedMessages":
			m.messages(c)
		default:
			c.Skip()
		}
	}
}

func (m *compact) messages(c *jsonl.Cursor) {
	for ok := c.Enter(); ok; ok = c.More() {
		if c.Kind() != '[' {
			m.kept = append(m.kept, c.Value())
			continue
		}
		for ok := c.Elements(); ok; ok = c.More() {
			m.kept = append(m.kept, c.Value())
		}
	}
}

// scan reads one line into a record.
func scan(text []byte, home string) (session.Record, error) {
	l := lines.Get()
	defer lines.Put(l, len(text))
	if err := l.read(text); err != nil {
		return session.Record{}, err
	}
	return l.record(home), nil
}
