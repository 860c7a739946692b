package spend

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/prices"
)

// Sums are sums over requests.
type Sums struct {
	session.Usage       // Cost is that of the requests with a price
	Requests      int64 // other requests included
	Unpriced      int64 // requests without a price
	ToolCalls     int64
	ToolFailures  int64
	ModelWait     int64 // ms
	ToolWait      int64 // ms
}

// AddRequest adds a request.
func (s *Sums) AddRequest(q *Request, t *prices.Table) {
	used, ok := q.Usage, false
	if used.Cost, ok = q.Price(t); !ok {
		s.Unpriced++
	}
	s.Usage.Add(&used)
	s.ModelWait, s.ToolWait = s.ModelWait+q.ModelWait, s.ToolWait+q.ToolWait
	if q.Usage != (session.Usage{}) {
		s.Requests++
	}
}

// AddToolUse adds a finished tool call.
func (s *Sums) AddToolUse(failed bool) {
	s.ToolCalls++
	if failed {
		s.ToolFailures++
	}
}

// Add adds other sums.
func (s *Sums) Add(o *Sums) {
	s.Usage.Add(&o.Usage)
	s.Requests, s.Unpriced, s.ToolCalls, s.ToolFailures = s.Requests+o.Requests, s.Unpriced+o.Unpriced, s.ToolCalls+o.ToolCalls, s.ToolFailures+o.ToolFailures
	s.ModelWait, s.ToolWait = s.ModelWait+o.ModelWait, s.ToolWait+o.ToolWait
}

// scale multiplies all sums.
func (s *Sums) scale(by int64) {
	s.Cost *= float64(by)
	for _, n := range []*int64{&s.Input, &s.Output, &s.CacheRead, &s.CacheWrite, &s.CacheWrite1h, &s.Thinking, &s.Requests, &s.Unpriced, &s.ToolCalls, &s.ToolFailures, &s.ModelWait, &s.ToolWait} {
		*n *= by
	}
}
