// Package usage reads what transcripts record of the tokens of requests.
package usage

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// Tokens are the tokens of a request.
type Tokens struct{ session.Usage }

// maxTokens is more than any request has. It prevents that sums overflow.
const maxTokens = 1 << 40

func readCount(c *jsonl.Cursor) int64 {
	n, ok := c.Value().Number()
	if !ok || !(n > 0) || n >= maxTokens {
		return 0
	}
	return int64(n)
}

// ReadUsage reads the usage of a message.
func (t *Tokens) ReadUsage(c *jsonl.Cursor) {
	*t = Tokens{}
	for ok := c.EnterObject(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "input_tokens":
			t.Input = readCount(c)
		case "output_tokens":
			t.Output = readCount(c)
		case "cache_read_input_tokens":
			t.CacheRead = readCount(c)
		case "cache_creation_input_tokens":
			t.CacheWrite = readCount(c)
		case "cache_creation":
			t.CacheWrite1h = readMember(c, "ephemeral_1h_input_tokens")
		case "output_tokens_details":
			t.Thinking = readMember(c, "thinking_tokens")
		default:
			c.Skip()
		}
	}
}

// readMember returns one count of an object.
func readMember(c *jsonl.Cursor, key string) (n int64) {
	for ok := c.EnterObject(); ok; ok = c.More() {
		if string(c.Key()) == key {
			n = readCount(c)
		} else {
			c.Skip()
		}
	}
	return n
}

// ContextTokens returns the size of the model's context after the request.
func (t *Tokens) ContextTokens() int64 { return t.Input + t.Output + t.CacheRead + t.CacheWrite }

// Charge returns the charge of an answer line. id is that of the line, for requests of which
// no other id is recorded. It returns nil if no request was made.
func (t *Tokens) Charge(model string, request, message, id jsonl.Value) *session.Charge {
	if model == "<synthetic>" || t.ContextTokens() == 0 {
		return nil
	}
	if len(request.Bytes()) == 0 && len(message.Bytes()) == 0 {
		request = id
	}
	return &session.Charge{Key: session.HashRequest(request.Bytes(), message.Bytes()), Model: model, Usage: t.Usage}
}

// ParseTotals returns the charge of a line with the running totals of a session by model.
func ParseTotals(byModel jsonl.Value) *session.Charge {
	if byModel.Kind() != '{' {
		return nil
	}
	all := &session.Charge{Totals: []session.Charge{}}
	c := jsonl.NewCursor(byModel.Raw)
	for ok := c.EnterObject(); ok; ok = c.More() {
		model := string(c.Key())
		o := jsonl.ObjectFields(c.Value())
		cost, has := o.Get("costUSD").Number()
		all.Totals = append(all.Totals, session.Charge{Model: model, HasCost: has, Usage: session.Usage{
			Input: o.Count("inputTokens"), Output: o.Count("outputTokens"), CacheRead: o.Count("cacheReadInputTokens"), CacheWrite: o.Count("cacheCreationInputTokens"),
			CacheWrite1h: o.Count("cacheCreationEphemeral1hInputTokens"), Thinking: o.Count("thinkingTokens"), Cost: cost,
		}})
	}
	return all
}
