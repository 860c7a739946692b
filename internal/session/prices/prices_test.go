package prices

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session"
)

const sample = `{"date": "2026-01-31", "models": {
	"plain": {"input": 2, "output": 10},
	"cached": {"input": 3, "output": 15, "cache_read": 0.3, "cache_write": 3.75, "cache_write_1h": 6},
	"thinker": {"input": 1, "output": 2, "reasoning": 8},
	"tiered": {"input": 1, "output": 2, "cache_read": 0.1, "tiers": [{"above": 200000, "input": 2, "output": 4, "cache_read": 0.2}, {"above": 1000000, "input": 3, "output": 5}]},
	"free": {"input": 0, "output": 0},
	"dated-20250101": {"input": 1, "output": 1},
	"twins-20250101": {"input": 1, "output": 1},
	"twins-20250202": {"input": 2, "output": 2}}}`

func parse(t testing.TB, text string) *Table {
	t.Helper()
	table, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// Prices computed by hand.
func TestPrice(t *testing.T) {
	t.Parallel()
	table := parse(t, sample)
	const million = 1_000_000
	for _, c := range []struct {
		model string
		usage session.Usage
		want  float64
	}{
		{"plain", session.Usage{Input: million, Output: million}, 12},
		{"plain", session.Usage{CacheRead: million}, 2},                          // as input
		{"plain", session.Usage{CacheWrite: million}, 2},                         // as input
		{"plain", session.Usage{CacheWrite: million, CacheWrite1h: million}, 2},  // as a cache write
		{"plain", session.Usage{Output: million, Thinking: million / 2}, 10},     // as output
		{"cached", session.Usage{CacheRead: million, CacheWrite: million}, 4.05}, // 0.3 + 3.75
		{"cached", session.Usage{CacheWrite: million, CacheWrite1h: 400_000}, 600_000*3.75/million + 400_000*6.0/million},
		{"thinker", session.Usage{Output: million, Thinking: 250_000}, 750_000*2.0/million + 250_000*8.0/million},
		{"tiered", session.Usage{Input: 100_000, CacheRead: 100_000}, .1 + .01}, // not above the limit
		{"tiered", session.Usage{Input: 100_000, CacheRead: 100_001, Output: 10}, (100_000*2 + 100_001*.2 + 10*4) / million},
		{"tiered", session.Usage{Input: 1, CacheWrite: 2 * million}, (3 + 2*million*3.0) / million}, // the highest tier has no cache prices
		{"free", session.Usage{Input: million}, 0},
	} {
		got, ok := table.Price(c.model, &c.usage)
		if !ok || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s %+v: %v %v, want %v", c.model, c.usage, got, ok, c.want)
		}
	}
}

// A model is found by its id without what says where it runs and which build it is. A
// model that is not in the table has no price.
func TestModelIDs(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{
		"claude-sonnet-4-5": true, "claude-sonnet-4-5-20250929": true, "claude-sonnet-4-5-20991231": true, "claude-sonnet-4-5[1m]": true,
		"us.anthropic.claude-sonnet-4-5-20250929-v1:0": true, "anthropic/claude-sonnet-4.5": false, "anthropic/claude-sonnet-4-5": true,
		"openrouter/openai/gpt-5.5": true, "gpt-5.5": true, "claude-sonnet-4-5@20250929": true, "claude-3-7-sonnet": true, "us-gov.anthropic.claude-haiku-4-5": true,
		"gpt-5.9": false, "<synthetic>": false, "": false, "mock-1": false, "gpt": false,
	} {
		if _, ok := Default().Price(id, &session.Usage{}); ok != want {
			t.Errorf("price of %q: %v, want %v", id, ok, want)
		}
	}
	table := parse(t, sample)
	for id, want := range map[string]bool{"dated": true, "dated-20260101": true, "twins": false, "twins-20250202": true, "twins-20250303": false} {
		if _, ok := table.Price(id, &session.Usage{}); ok != want {
			t.Errorf("price of %q: %v, want %v", id, ok, want)
		}
	}
}

// An exact id wins over a shortened one.
func TestExactIDWins(t *testing.T) {
	t.Parallel()
	table := parse(t, `{"date":"2026-01-01","models":{"m":{"input":1,"output":1},"m-20250101":{"input":5,"output":5}}}`)
	u := &session.Usage{Input: 1_000_000}
	for id, want := range map[string]float64{"m": 1, "m-20250101": 5, "m-20250102": 1, "x/m-20250101": 1} {
		if got, _ := table.Price(id, u); got != want {
			t.Errorf("%s costs %v, want %v", id, got, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{`: "line 1: unexpected end of JSON input",
		"{\"date\":\"2026-01-01\",\n\"models\":7}":                                                                      "line 2",
		`{"date":"July","models":{"m":{"input":1,"output":1}}}`:                                                         `date "July" is not a day`,
		`{"date":"2026-01-01"}`:                                                                                         `"models" is missing`,
		`{"date":"2026-01-01","models":{"m":null}}`:                                                                     `model "m": it has no prices`,
		`{"date":"2026-01-01","models":{"m":{"output":1}}}`:                                                             `model "m": "input" is missing`,
		`{"date":"2026-01-01","models":{"m":{"input":-1,"output":1}}}`:                                                  `model "m": "input" is -1`,
		`{"date":"2026-01-01","models":{"m":{"input":1,"output":1,"tiers":[{"input":1,"output":1}]}}}`:                  `"above": 0`,
		`{"date":"2026-01-01","models":{"m":{"input":1,"output":1,"tiers":[{"above":5,"input":1}]}}}`:                   `the tier above 5: "output" is missing`,
		`{"date":"2026-01-01","models":{"b":{"input":1,"output":1,"cache_write_1h":1e9},"a":{"input":1,"output":"x"}}}`: "line 1",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

func TestReadFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "p.json")
	if _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a missing file: %v", err)
	}
	if err := os.WriteFile(path, []byte(sample), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := ReadFile(path)
	if err != nil || table.File != path || table.Date.Format("2006-01-02") != "2026-01-31" {
		t.Errorf("%+v %v", table, err)
	}
}

// Tokens never make a request cheaper, and the parts of tokens are at most all of them.
func TestPriceGrows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		id := rapid.SampledFrom([]string{"plain", "cached", "thinker", "tiered"}).Draw(rt, "model")
		table := parse(t, sample)
		count := rapid.Int64Range(0, 300_000)
		u := session.Usage{Input: count.Draw(rt, "input"), Output: count.Draw(rt, "output"), CacheRead: count.Draw(rt, "read"), CacheWrite: count.Draw(rt, "write"),
			CacheWrite1h: count.Draw(rt, "hour"), Thinking: count.Draw(rt, "thinking")}
		before, _ := table.Price(id, &u)
		u.Output += count.Draw(rt, "more")
		if after, _ := table.Price(id, &u); before < 0 || after < before-1e-9 {
			rt.Fatalf("%v, with more output %v", before, after)
		}
	})
}

func TestTable_Window(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]int64{"claude-opus-4-5-20251101": 200_000, "no-such-model": 0} {
		if got := Default().Window(id); got != want {
			t.Errorf("the context of %s has %d tokens, want %d", id, got, want)
		}
	}
}
