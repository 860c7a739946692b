package pi

import (
	"math"

	"sessiontree/internal/session/jsonl"
)

// message holds the used fields of a line's message.
type message struct {
	present bool

	role, provider, model, stop, errorText, time jsonl.Value
	callID, toolName, isError                    jsonl.Value
	command, exitCode, cancelled, excluded       jsonl.Value
	customType, display, summary                 jsonl.Value

	usage   usage
	content messageContent
	details details
	files   []jsonl.Value // paths in a fileMention
}

// usage is the tokens and the cost of a request.
type usage struct {
	total, input, output, cacheRead, cacheWrite float64
	cost                                        float64
}

// details holds the used fields of a tool result's details.
type details struct {
	diff jsonl.Value
	exit jsonl.Value
	cost float64

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
		"usage":   func(m *message, c *jsonl.Cursor) { m.usage.readUsage(c) },
		"details": func(m *message, c *jsonl.Cursor) { m.details.readDetails(c) },
		"files":   func(m *message, c *jsonl.Cursor) { m.files = readFilePaths(c) },
	},
)

func (m *message) readMessage(c *jsonl.Cursor) {
	blocks := m.content.blocks[:0]
	*m = message{}
	m.content.blocks = blocks
	m.present = c.Kind() == '{'
	messageFields.ReadObject(c, m)
}

func (u *usage) readUsage(c *jsonl.Cursor) {
	*u = usage{}
	for ok := c.EnterObject(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "input":
			u.input = readNumber(c)
		case "output":
			u.output = readNumber(c)
		case "cacheRead":
			u.cacheRead = readNumber(c)
		case "cacheWrite":
			u.cacheWrite = readNumber(c)
		case "totalTokens":
			u.total = readNumber(c)
		case "cost":
			u.cost = readDollars(c)
		default:
			c.Skip()
		}
	}
}

// contextTokens returns the size of the context after the request.
func (u *usage) contextTokens() int64 {
	if u.total > 0 {
		return toCount(u.total)
	}
	return toCount(u.input + u.output + u.cacheRead + u.cacheWrite)
}

// readCost reads a usage and returns its cost.
func readCost(c *jsonl.Cursor) float64 {
	var u usage
	u.readUsage(c)
	return u.cost
}

// maxDollars is more than any session costs. It prevents that sums of large numbers overflow to
// infinity.
const maxDollars = 1e9

// readDollars reads a cost: its total, or the sum of its parts if there is no total. Implausible
// values count as 0.
func readDollars(c *jsonl.Cursor) (sum float64) {
	var total, input, output, cacheRead, cacheWrite jsonl.Value
	for ok := c.EnterObject(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "total":
			total = c.Value()
		case "input":
			input = c.Value()
		case "output":
			output = c.Value()
		case "cacheRead":
			cacheRead = c.Value()
		case "cacheWrite":
			cacheWrite = c.Value()
		default:
			c.Skip()
		}
	}
	if n, ok := total.Number(); ok {
		return plausibleCost(n)
	}
	for _, part := range []jsonl.Value{input, output, cacheRead, cacheWrite} {
		n, _ := part.Number()
		sum += plausibleCost(n)
	}
	return sum
}

func plausibleCost(cost float64) float64 {
	if math.Abs(cost) <= maxDollars {
		return cost
	}
	return 0
}

func readNumber(c *jsonl.Cursor) float64 {
	n, _ := c.Value().Number()
	return n
}

// toCount returns n as a count, 0 if it cannot be one.
func toCount(n float64) int64 {
	if !(n > 0) || n > 1<<53 {
		return 0
	}
	return int64(n)
}

// detailFields reads the members of a tool result's details.
var detailFields = jsonl.NewFields(
	func(d *details) map[string]*jsonl.Value {
		return map[string]*jsonl.Value{"diff": &d.diff, "exitCode": &d.exit, "progress": &d.progress, "results": &d.results}
	},
	map[string]func(*details, *jsonl.Cursor){
		"usage": func(d *details, c *jsonl.Cursor) { d.cost = readCost(c) },
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
