package path

import (
	"fmt"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/spend"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// entryCost is what an entry costs, copied out of the tree.
type entryCost struct {
	request *spend.Request // nil if no request belongs to the entry
	owner   session.Pos    // the entry that the request of this line belongs to, or NoPos
	dollars float64        // of the request
	priced  bool
	foreign bool        // the request belongs to another session
	others  *spend.Sums // requests without a line, nil if there are none
	// mayGain is set for a compaction whose requests later lines may still tell.
	mayGain bool
}

// copyCosts sets the costs of the page's entries.
func (p *Page) copyCosts(s view.Scene) {
	costs := s.Costs()
	for i := range p.entries {
		e := &p.entries[i]
		e.cost = entryCost{request: costs.Request(e.pos), owner: costs.Owner(e.pos), mayGain: costs.AwaitsTotals(e.pos)}
		if q := e.cost.request; q != nil {
			e.cost.dollars, e.cost.priced = costs.Price(q)
			e.cost.foreign = costs.IsForeign(q)
		}
		if others := costs.Others(e.pos); others != nil {
			sums := *others
			e.cost.others = &sums
		}
	}
}

// answerFoot returns the model, the duration, the tokens and the cost of an answer, nil if no
// request belongs to the entry.
func (ib *itemBuilder) answerFoot(e *pathEntry) *components.AnswerFoot {
	q := e.cost.request
	if q == nil {
		return nil
	}
	f := &components.AnswerFoot{Model: view.OneLine(q.Model), Duration: view.FormatDuration(q.ModelWait), Title: ib.costTitle(e)}
	if n := q.InputTokens(); n > 0 {
		f.Input = view.FormatTokens(n)
		if ib.page.audience.Snapshot == nil {
			f.Context = ib.page.params.WithEntry(e.ID, ib.page.params.Leaf).Href(ib.page.base + "/context")
		}
	}
	if q.Output > 0 {
		f.Output = components.FormatCount(int(q.Output))
	}
	f.Cost = view.FormatDollars(e.cost.dollars)
	if !e.cost.priced {
		f.Cost = "no price"
	}
	return f
}

// costTitle returns the tokens of a request by kind, and what its price is based on.
func (ib *itemBuilder) costTitle(e *pathEntry) string {
	q := e.cost.request
	var kinds []string
	for _, k := range []struct {
		name string
		n    int64
	}{
		{"input", q.Input}, {"cache read", q.CacheRead}, {"cache write, 5 min", q.CacheWrite - q.CacheWrite1h}, {"cache write, 1 h", q.CacheWrite1h},
		{"output", q.Output}, {"thinking", q.Thinking},
	} {
		if k.n > 0 {
			kinds = append(kinds, k.name+" "+components.FormatCount(int(k.n)))
		}
	}
	var parts []string
	if len(kinds) > 0 {
		parts = append(parts, "Tokens: "+strings.Join(kinds, "; "))
	}
	switch {
	case q.HasCost:
		parts = append(parts, "Cost as recorded")
	case e.cost.priced:
		parts = append(parts, "At API prices of "+ib.page.config.PriceTable().Date.Format("2 January 2006"))
	default:
		parts = append(parts, "The price of this model is not known")
	}
	if e.cost.foreign {
		parts = append(parts, "Counted in another session")
	}
	return strings.Join(parts, ". ")
}

// callTitle returns what the request cost that called a tool and has no card of its
// own.
func (ib *itemBuilder) callTitle(e *pathEntry) string {
	f := ib.answerFoot(e)
	if f == nil {
		return ""
	}
	parts := []string{f.Model, f.Duration}
	if f.Input != "" {
		parts = append(parts, f.Input+" tokens in")
	}
	if f.Output != "" {
		parts = append(parts, f.Output+" out")
	}
	parts = append(parts, f.Cost)
	return joinNonEmpty(parts) + ". " + f.Title
}

// otherRequestsText says what the requests without a line cost that belong to an entry, "" if
// there are none.
func otherRequestsText(e *pathEntry) string {
	o := e.cost.others
	if o == nil {
		return ""
	}
	text := "other requests"
	if o.Requests == 1 {
		text = "1 other request"
	}
	if o.Cost == 0 && o.Unpriced > 0 {
		return fmt.Sprintf("%s of %s tokens", text, view.FormatTokens(o.Tokens()))
	}
	return strings.TrimSpace(text + " " + view.FormatDollars(o.Cost))
}

// joinNonEmpty joins texts with commas.
func joinNonEmpty(parts []string) string {
	var rest []string
	for _, part := range parts {
		if part != "" {
			rest = append(rest, part)
		}
	}
	return strings.Join(rest, ", ")
}

// addStart records where the item of the page's i-th entry begins. before is the number of
// items above it.
func (ib *itemBuilder) addStart(i, before int) {
	switch {
	case ib.group.size > 0:
		i = ib.group.start
	case len(ib.items) == before && i > 0: // it is part of the item above
		i = ib.starts[i-1]
	}
	ib.starts = append(ib.starts, i)
}

// maxUnsettled is how many of the last entries of a page are sent again with each new one
// because later lines may change what they cost: enough for the lines of one request. What a
// longer wait changes is shown when the page is loaded again.
const maxUnsettled = 24

// unsettledIndex returns the index of the first entry of the first item of the page whose cost
// later lines may change, or the number of shown entries.
func (ib *itemBuilder) unsettledIndex() int {
	shown := ib.page.entries[:ib.page.shown]
	first := max(len(shown)-maxUnsettled, 0)
	from := len(shown)
	for i := len(shown) - 1; i >= first && shown[i].Kind != session.KindUser; i-- { // a prompt ends the request before it
		if owner := shown[i].cost.owner; owner != session.NoPos {
			at := slices.IndexFunc(shown[:i+1], func(e pathEntry) bool { return e.pos == owner })
			from = ib.starts[max(at, first)]
			if at < 0 { // above the page
				from = ib.starts[i]
			}
			break
		}
	}
	for i := first; i < from; i++ {
		if shown[i].cost.mayGain {
			return ib.starts[i]
		}
	}
	return from
}
