// Package usage reads the tokens and the cost of requests.
package usage

import (
	"encoding/binary"
	"math"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// Usage is the tokens and the cost of a request.
type Usage struct {
	session.Usage
	HasCost bool
	total   int64
}

// ReadUsage reads a usage.
func (u *Usage) ReadUsage(c *jsonl.Cursor) {
	*u = Usage{}
	for ok := c.EnterObject(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "input":
			u.Input = c.Value().Count()
		case "output":
			u.Output = c.Value().Count()
		case "cacheRead":
			u.CacheRead = c.Value().Count()
		case "cacheWrite":
			u.CacheWrite = c.Value().Count()
		case "cacheWrite1h":
			u.CacheWrite1h = c.Value().Count()
		case "reasoning":
			u.Thinking = c.Value().Count()
		case "totalTokens":
			u.total = c.Value().Count()
		case "cost":
			u.Cost, u.HasCost = readDollars(c)
		default:
			c.Skip()
		}
	}
}

// Parse reads the usage in a value. It has no tokens if v is no object.
func Parse(v jsonl.Value) (u Usage) {
	if v.Kind() == '{' {
		c := jsonl.NewCursor(v.Raw)
		u.ReadUsage(&c)
	}
	return u
}

// ContextTokens returns the size of the context after the request.
func (u *Usage) ContextTokens() int64 {
	if u.total > 0 {
		return u.total
	}
	return u.Tokens()
}

// AddUsage adds the usage of other requests.
func (u *Usage) AddUsage(o *Usage) {
	u.Add(&o.Usage)
	u.HasCost = u.HasCost || o.HasCost
}

// Charge returns the charge of a request, nil if there is nothing to charge. Requests have
// no reliable id, and copies get new entry ids: a request is known by its time, its numbers
// and the beginning of its text.
func (u *Usage) Charge(time, model jsonl.Value, text []byte) *session.Charge {
	if u.Usage == (session.Usage{}) {
		return nil
	}
	var numbers [48]byte
	for i, n := range []uint64{uint64(u.Input), uint64(u.Output), uint64(u.CacheRead), uint64(u.CacheWrite), math.Float64bits(u.Cost), uint64(u.total)} {
		binary.LittleEndian.PutUint64(numbers[8*i:], n)
	}
	return &session.Charge{Key: session.HashParts(time.Bytes(), model.Bytes(), numbers[:], text), Usage: u.Usage, HasCost: u.HasCost}
}

// maxDollars is more than any session costs. It prevents that sums of large numbers overflow to
// infinity.
const maxDollars = 1e9

// readDollars reads a cost: its total, or the sum of its parts if there is no total. Implausible
// values count as 0. ok is false if there is no number.
func readDollars(c *jsonl.Cursor) (sum float64, ok bool) {
	var total jsonl.Value
	var parts [4]jsonl.Value
	for ok := c.EnterObject(); ok; ok = c.More() {
		switch string(c.Key()) {
		case "total":
			total = c.Value()
		case "input":
			parts[0] = c.Value()
		case "output":
			parts[1] = c.Value()
		case "cacheRead":
			parts[2] = c.Value()
		case "cacheWrite":
			parts[3] = c.Value()
		default:
			c.Skip()
		}
	}
	if n, ok := total.Number(); ok {
		return plausibleCost(n), true
	}
	for _, part := range parts {
		n, isNumber := part.Number()
		sum += plausibleCost(n)
		ok = ok || isNumber
	}
	return sum, ok
}

func plausibleCost(cost float64) float64 {
	if math.Abs(cost) <= maxDollars {
		return cost
	}
	return 0
}
