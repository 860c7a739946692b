package pi

import (
	"sessiontree/internal/session/jsonl"
	"sessiontree/internal/session/pi/usage"
)

// message holds the used fields of a line's message.
type message struct {
	present   bool
	maxOutput int // UTF-16 units of the preview of a tool result

	role, provider, model, stop, errorText, time jsonl.Value
	callID, toolName, isError                    jsonl.Value
	command, exitCode, cancelled, excluded       jsonl.Value
	customType, display, summary                 jsonl.Value

	usage   usage.Usage
	content messageContent
	details details
	files   []jsonl.Value // paths in a fileMention
}

// details holds the used fields of a tool result's details.
type details struct {
	diff, exit        jsonl.Value
	used              usage.Usage // by the agents of a task
	progress, results jsonl.Value // from the task tool
}

// messageFields reads the members of a line's message.
var messageFields = jsonl.NewFields(
	func(m *message) map[string]*jsonl.Value {
		return map[string]*jsonl.Value{
			"role":               &m.role,
			"provider":           &m.provider,
			"model":              &m.model,
			"stopReason":         &m.stop,
			"errorMessage":       &m.errorText,
			"timestamp":          &m.time,
			"toolCallId":         &m.callID,
			"toolName":           &m.toolName,
			"isError":            &m.isError,
			"command":            &m.command,
			"code":               &m.command,
			"exitCode":           &m.exitCode,
			"cancelled":          &m.cancelled,
			"excludeFromContext": &m.excluded,
			"customType":         &m.customType,
			"display":            &m.display,
			"summary":            &m.summary,
		}
	},
	map[string]func(*message, *jsonl.Cursor){
		"content": func(m *message, c *jsonl.Cursor) { m.content.readContent(c) },
		"usage":   func(m *message, c *jsonl.Cursor) { m.usage.ReadUsage(c) },
		"details": func(m *message, c *jsonl.Cursor) { m.details.readDetails(c) },
		"files":   func(m *message, c *jsonl.Cursor) { m.files = readFilePaths(c) },
	},
)

func (m *message) readMessage(c *jsonl.Cursor) {
	if m.present { // the line has another one
		*m = message{content: messageContent{blocks: m.content.blocks[:0]}}
	}
	m.present = c.Kind() == '{'
	messageFields.ReadObject(c, m)
}

// detailFields reads the members of a tool result's details.
var detailFields = jsonl.NewFields(
	func(d *details) map[string]*jsonl.Value {
		return map[string]*jsonl.Value{"diff": &d.diff, "exitCode": &d.exit, "progress": &d.progress, "results": &d.results}
	},
	map[string]func(*details, *jsonl.Cursor){
		"usage": func(d *details, c *jsonl.Cursor) { d.used.ReadUsage(c) },
	},
)

func (d *details) readDetails(c *jsonl.Cursor) {
	*d = details{}
	detailFields.ReadObject(c, d)
}

// readFilePaths reads the paths of a fileMention.
func readFilePaths(c *jsonl.Cursor) (out []jsonl.Value) {
	for ok := c.EnterArray(); ok; ok = c.More() {
		for ok := c.EnterObject(); ok; ok = c.More() {
			if string(c.Key()) == "path" {
				out = append(out, c.Value())
			} else {
				c.Skip()
			}
		}
	}
	return out
}
