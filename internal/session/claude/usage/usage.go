// Package usage reads what transcripts record of the tokens of requests.
package usage

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// Usage is the tokens of a request. Their sum is the size of the context after it.
type Usage struct{ session.Usage }

// ReadUsage reads the usage of a message.
func (u *Usage) ReadUsage(c *jsonl.Cursor) {
	*u = Usage{}
	for ok := c.EnterObject(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "input_tokens":
			u.Input = c.Value().Count()
		case "output_tokens":
			u.Output = c.Value().Count()
		case "cache_read_input_tokens":
			u.CacheRead = c.Value().Count()
		case "cache_creation_input_tokens":
			u.CacheWrite = c.Value().Count()
		case "cache_creation":
			u.CacheWrite1h = readMember(c, "ephemeral_1h_input_tokens")
		case "output_tokens_details":
			u.Thinking = readMember(c, "thinking_tokens")
		default:
			c.Skip()
		}
	}
}

// readMember returns one count of an object.
func readMember(c *jsonl.Cursor, key string) (n int64) {
	for ok := c.EnterObject(); ok; ok = c.More() {
		if string(c.Key()) == key {
			n = c.Value().Count()
		} else {
			c.Skip()
		}
	}
	return n
}

// Charge returns the charge of an answer line. id is that of the line, for requests of which
// no other id is recorded. It returns nil if no request was made.
func (u *Usage) Charge(model string, request, message, id jsonl.Value) *session.Charge {
	if model == "<synthetic>" || u.Tokens() == 0 {
		return nil
	}
	if len(request.Bytes()) == 0 && len(message.Bytes()) == 0 {
		request = id
	}
	return &session.Charge{Key: session.HashParts(request.Bytes(), message.Bytes()), Model: model, Usage: u.Usage}
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
