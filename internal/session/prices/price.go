package prices

import (
	"cmp"
	"reflect"
	"regexp"
	"strings"

	"sessiontree/internal/session"
)

// Price returns the price of a request in dollars. ok is false if the table has no price
// for the model: then the price is unknown, not zero.
func (t *Table) Price(modelID string, u *session.Usage) (dollars float64, ok bool) {
	p, ok := t.Split(modelID, u)
	return p.Sum(), ok
}

// Window returns how many tokens the context of a model can have, 0 if unknown.
func (t *Table) Window(modelID string) int64 {
	if m := t.findModel(modelID); m != nil {
		return m.Context
	}
	return 0
}

// ratesFor returns the rates for a request of the size of u.
func (m *model) ratesFor(u *session.Usage) *rates {
	r, above := &m.rates, int64(0)
	size := u.InputTokens()
	for i := range m.Tiers {
		if t := &m.Tiers[i]; size > t.Above && t.Above > above {
			r, above = &t.rates, t.Above
		}
	}
	return r
}

// Parts are the prices in dollars of the kinds of tokens of a request.
type Parts struct{ Input, Output, CacheRead, CacheWrite5m, CacheWrite1h float64 }

// Sum returns the price of all tokens.
func (p *Parts) Sum() float64 {
	return p.Input + p.Output + p.CacheRead + p.CacheWrite5m + p.CacheWrite1h
}

// Split returns the price of a request by kind of token.
func (t *Table) Split(modelID string, u *session.Usage) (p Parts, ok bool) {
	m := t.findModel(modelID)
	if m == nil {
		return p, false
	}
	return m.ratesFor(u).split(u), true
}

// split returns the price of a request by kind of token. Cached tokens without a price cost
// as much as input, and thinking as much as output.
func (r *rates) split(u *session.Usage) Parts {
	write := cmp.Or(r.CacheWrite, r.Input)
	hour := min(u.CacheWrite1h, u.CacheWrite)
	thinking := min(u.Thinking, u.Output)
	price := func(tokens int64, rate *float64) float64 { return float64(tokens) * *rate / 1e6 }
	return Parts{
		Input: price(u.Input, r.Input), Output: price(u.Output-thinking, r.Output) + price(thinking, cmp.Or(r.Reasoning, r.Output)),
		CacheRead: price(u.CacheRead, cmp.Or(r.CacheRead, r.Input)), CacheWrite5m: price(u.CacheWrite-hour, write), CacheWrite1h: price(hour, cmp.Or(r.CacheWrite1h, write)),
	}
}

// findModel returns the model of an id, or nil.
func (t *Table) findModel(id string) *model {
	if m, ok := t.found.Load(id); ok {
		return m.(*model)
	}
	m := t.models[id]
	if m == nil {
		short := shortenID(id)
		if m = t.models[short]; m == nil {
			m = t.shortened[short]
		}
	}
	t.found.Store(strings.Clone(id), m)
	return m
}

// indexShortened fills t.shortened.
func (t *Table) indexShortened() {
	t.shortened = map[string]*model{}
	for id, m := range t.models {
		short := shortenID(id)
		if other, ok := t.shortened[short]; ok && !reflect.DeepEqual(other, m) {
			m = nil
		}
		t.shortened[short] = m
	}
}

// Parts of ids that say where a model runs or which build of it, not what it costs.
var (
	regionPrefix = regexp.MustCompile(`^(?:[A-Za-z-]+\.)+`)     // us.anthropic.
	idSuffix     = regexp.MustCompile(`(?:-\d{8}|-v\d+:\d+)+$`) // -20250929, -v1:0
)

// shortenID removes from a model's id its provider or region, a suffix in brackets or after
// an @, the date and the version.
func shortenID(id string) string {
	id, _, _ = strings.Cut(id, "[")
	id, _, _ = strings.Cut(id, "@")
	id = id[strings.LastIndexByte(id, '/')+1:]
	id = regionPrefix.ReplaceAllString(id, "")
	return idSuffix.ReplaceAllString(id, "")
}
