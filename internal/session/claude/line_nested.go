package claude

import (
	"sessiontree/internal/session/jsonl"
)

// attachment holds the used fields of an attachment, and of a progress line's data, which has the
// same keys.
type attachment struct {
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

func (a *attachment) readAttachment(c *jsonl.Cursor) {
	*a = attachment{}
	for ok := c.EnterObject(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "type":
			a.typ = c.Value()
		case "hookName":
			a.hook = c.Value()
		case "filename", "displayPath":
			a.file = c.Value()
		case "prompt":
			a.prompt = c.Value()
		case "identity":
			a.model = readOneKey(c, "modelId")
		case "humanTurn":
			a.byHand = c.Value().Kind() == 't'
		default:
			c.Skip()
		}
	}
}

func (r *result) readToolUseResult(c *jsonl.Cursor) {
	*r = result{present: c.Kind() == '{'}
	for ok := c.EnterObject(); ok; ok = c.More() {
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
