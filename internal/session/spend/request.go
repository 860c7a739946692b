// Package spend counts what requests to models cost: each request once, however many forks,
// resumed sessions and branches record it.
package spend

import (
	"cmp"
	"encoding/binary"

	"sessiontree/internal/session"
	"sessiontree/internal/session/prices"
)

// Request is a request to a model.
type Request struct {
	Key       uint64 // see session.Charge
	Time      int64  // when the answer was recorded, in ms or session.NoTime
	Model     string
	Branch    int32 // 0: on the current path or in a sub-agent of it; else 1 + the index of a branch in File.Branches
	ModelWait int64 // ms until the answer was complete
	ToolWait  int64 // ms until the results of its tool calls were there
	session.Usage
	HasCost   bool // Cost was recorded
	Copied    bool // it was made in another session
	Delegated bool // a sum of requests of sub-agents
	InAgent   bool // it is recorded in the file of a sub-agent
	Other     bool // it is known from running totals only, no line records its answer
}

// newRequest returns the request that an entry records; ok is false if it records none. An
// answer without tokens is a request that costs nothing.
func newRequest(e *session.Entry) (q Request, ok bool) {
	switch c := e.Charge(); {
	case c == nil && e.Kind == session.KindAssistant:
		return Request{Key: hashAnswer(e), Time: e.Time, Model: e.ModelID(), HasCost: true}, true
	case c == nil || c.Totals != nil:
		return Request{}, false
	default:
		return Request{Key: c.Key, Time: e.Time, Model: c.Model, Usage: c.Usage, HasCost: c.HasCost, Copied: c.Copied, Delegated: c.Delegated}, true
	}
}

// hashAnswer returns a key that an answer shares with its copies.
func hashAnswer(e *session.Entry) uint64 {
	return session.HashParts(binary.LittleEndian.AppendUint64([]byte(e.ID), uint64(e.Time)))
}

// Price returns the price of the request in dollars. ok is false if it is unknown.
func (r *Request) Price(t *prices.Table) (dollars float64, ok bool) {
	if r.HasCost {
		return r.Cost, true
	}
	return t.Price(r.Model, &r.Usage)
}

// mergeCopy merges another record of the same request: a line of a streamed answer, of which
// the one with the largest output is complete, or a copy of the line.
func (r *Request) mergeCopy(o *Request) {
	if cmp.Or(cmp.Compare(o.Output, r.Output), cmp.Compare(o.InputTokens(), r.InputTokens()), cmp.Compare(o.Cost, r.Cost)) > 0 {
		r.Usage, r.HasCost = o.Usage, o.HasCost
	}
	r.Copied = r.Copied && o.Copied
}

// ToolUse is a finished tool call.
type ToolUse struct {
	Request int32 // index of the request that called the tool
	Tool    string
	Failed  bool
}

// totals are the running totals of a session at a time.
type totals struct {
	time   int64
	branch int32 // that of the compaction before them, else their own, as in Request
	models []Request
}

// Branch is a branch that was left.
type Branch struct {
	Title string
	Tip   string // id of its newest entry
}
