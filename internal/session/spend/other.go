package spend

import (
	"maps"
	"slices"

	"sessiontree/internal/session"
)

// counts are the tokens of a session.Usage.
type counts [6]int64

func countsOf(u *session.Usage) counts {
	return counts{u.Input, u.Output, u.CacheRead, u.CacheWrite, u.CacheWrite1h, u.Thinking}
}

func (c counts) usage() session.Usage {
	return session.Usage{Input: c[0], Output: c[1], CacheRead: c[2], CacheWrite: c[3], CacheWrite1h: c[4], Thinking: c[5]}
}

// combine returns fn of each pair of counts.
func (c counts) combine(o counts, fn func(a, b int64) int64) counts {
	for i := range c {
		c[i] = fn(c[i], o[i])
	}
	return c
}

func add(a, b int64) int64      { return a + b }
func subtract(a, b int64) int64 { return a - b }
func minimum(a, b int64) int64  { return min(a, b) }

// otherRequest is a request that only running totals include.
type otherRequest struct {
	Request
	totals int // index of the first totals that include it
}

// otherRequests returns the requests that only running totals include, such as those of
// compactions: what the totals grew by between two of them, minus the answers in between.
// The first totals of a fork include those of the original.
func otherRequests(all []totals, answers []Request, isFork bool) (others []otherRequest) {
	if len(all) == 0 {
		return nil
	}
	answers = slices.Clone(answers)
	slices.SortStableFunc(answers, func(a, b Request) int { return int(max(-1, min(1, a.Time-b.Time))) })
	for first := 0; first < len(all); {
		end := first + 1
		for end < len(all) && !all[end].isReset(&all[end-1]) {
			end++
		}
		n := 0
		for n < len(answers) && (end == len(all) || answers[n].Time <= all[end-1].time) {
			n++
		}
		for _, other := range othersOfRun(all[first:end], answers[:n], isFork && first == 0) {
			other.totals += first
			others = append(others, other)
		}
		first, answers = end, answers[n:]
	}
	return others
}

// isReset reports whether the totals are those of another run of the agent, which counts
// from 0 again.
func (t *totals) isReset(before *totals) bool {
	for i := range before.models {
		m := &before.models[i]
		at := slices.IndexFunc(t.models, func(o Request) bool { return o.Model == m.Model })
		if at < 0 || t.models[at].Input+t.models[at].Output < m.Input+m.Output {
			return true
		}
	}
	return false
}

// othersOfRun is otherRequests for totals that only grow.
func othersOfRun(run []totals, answers []Request, isFork bool) (others []otherRequest) {
	models := map[string]bool{}
	for i := range run[len(run)-1].models {
		models[run[len(run)-1].models[i].Model] = true
	}
	for _, model := range slices.Sorted(maps.Keys(models)) {
		excess := excessOf(run, answers, model)
		base := excess[0] // of a session older than its totals, which lack its first requests
		if !isFork {
			base = base.combine(counts{}, minimum)
		}
		// An answer may be recorded a little later than the totals that include it: what
		// later totals do not confirm is no other request.
		for i := len(run) - 2; i >= 0; i-- {
			excess[i] = excess[i].combine(excess[i+1], minimum)
		}
		for i, before := 0, base; i < len(run); i++ {
			now := excess[i].combine(before, func(a, b int64) int64 { return max(a, b) })
			if grown := now.combine(before, subtract); grown != (counts{}) {
				q := Request{Time: run[i].time, Model: model, Usage: grown.usage(), Branch: run[i].branch, Other: true}
				others = append(others, otherRequest{q, i})
			}
			before = now
		}
	}
	return others
}

// excessOf returns by how much the totals of a model exceed its recorded requests so far.
func excessOf(run []totals, answers []Request, model string) []counts {
	excess := make([]counts, len(run))
	var answered counts
	for i := range run {
		for len(answers) > 0 && answers[0].Time <= run[i].time {
			if answers[0].Model == model {
				answered = answered.combine(countsOf(&answers[0].Usage), add)
			}
			answers = answers[1:]
		}
		for k := range run[i].models {
			if m := &run[i].models[k]; m.Model == model {
				excess[i] = countsOf(&m.Usage)
			}
		}
		excess[i] = excess[i].combine(answered, subtract)
	}
	return excess
}
