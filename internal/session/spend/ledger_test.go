package spend_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/prices"
	"sessiontree/internal/session/spend"
)

// answer returns an entry with a request.
func answer(key uint64, time int64, model string, u session.Usage) session.Entry {
	e := session.Entry{Kind: session.KindAssistant, Time: time}
	e.OwnDetails().Charge = &session.Charge{Key: key, Model: model, Usage: u}
	return e
}

func closeTo(a, b float64) bool { return math.Abs(a-b) < 1e-9*(1+math.Abs(a)) }

// drawLibrary draws sessions whose files copy requests of each other in every way, and what all
// requests cost together.
func drawLibrary(rt *rapid.T) (files [][]session.Entry, forks []bool, cost float64) {
	key, now := uint64(0), int64(1000)
	newAnswer := func() []session.Entry {
		key++
		now += rapid.Int64Range(0, 5000).Draw(rt, "pause")
		count := rapid.Int64Range(0, 3000)
		u := session.Usage{Input: 1 + count.Draw(rt, "input"), Output: count.Draw(rt, "output"), CacheRead: count.Draw(rt, "read"), CacheWrite: count.Draw(rt, "write")}
		complete := answer(key, now, "claude-opus-4-5", u)
		dollars, _ := prices.Default().Price("claude-opus-4-5", &u)
		if rapid.IntRange(0, 3).Draw(rt, "recorded") == 0 {
			u.Cost = float64(key)
			complete.Details.Charge.Usage, complete.Details.Charge.HasCost, dollars = u, true, u.Cost
		}
		cost += dollars
		lines := []session.Entry{complete}
		if rapid.Bool().Draw(rt, "streamed") {
			begun := answer(key, now, "claude-opus-4-5", session.Usage{Input: u.Input, Output: u.Output / 2})
			begun.Details.Charge.HasCost = complete.Details.Charge.HasCost
			lines = append([]session.Entry{begun}, lines...)
		}
		return lines
	}
	for range rapid.IntRange(1, 6).Draw(rt, "files") {
		var file []session.Entry
		fork := false
		if len(files) > 0 && rapid.Bool().Draw(rt, "copies") {
			from := files[rapid.IntRange(0, len(files)-1).Draw(rt, "from")]
			mark := rapid.Bool().Draw(rt, "marked")
			fork = rapid.Bool().Draw(rt, "fork")
			for _, e := range from[:rapid.IntRange(0, len(from)).Draw(rt, "prefix")] {
				if c := *e.Charge(); mark {
					c.Copied = true
					e.OwnDetails().Charge = &c
				}
				file = append(file, e)
			}
		}
		for range rapid.IntRange(0, 5).Draw(rt, "answers") {
			file = append(file, newAnswer()...)
			if rapid.IntRange(0, 3).Draw(rt, "copied within") == 0 {
				file = append(file, file[rapid.IntRange(0, len(file)-1).Draw(rt, "which")])
			}
		}
		files, forks = append(files, file), append(forks, fork)
	}
	return files, forks, cost
}

// Forks, resumed sessions, copies of answers and streamed lines never change what everything
// costs, in whatever order and pieces the files become known.
func TestCopiesCountOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		files, forks, want := drawLibrary(rt)
		l := spend.NewLedger(prices.Default())
		order := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "order"), 0)).Perm(len(files))
		for _, i := range order {
			s := spend.Source{Path: fmt.Sprint("s", i), Session: fmt.Sprint("s", i), IsFork: forks[i], Time: 7, File: new(spend.CollectEntries(nil))}
			for rest := files[i]; len(rest) > 0; {
				n := rapid.IntRange(1, len(rest)).Draw(rt, "appended")
				s.File = new(s.File.Extend(rest[:n]))
				if rest = rest[n:]; rapid.Bool().Draw(rt, "put") {
					l.Put(s)
					total(l)
				}
			}
			l.Put(s)
		}
		if got := total(l); !closeTo(got.Cost, want) {
			rt.Fatalf("all sessions cost %v, want %v", got.Cost, want)
		}
		gone := rapid.IntRange(0, len(files)-1).Draw(rt, "removed")
		l.Remove(fmt.Sprint("s", gone))
		fresh := spend.NewLedger(prices.Default())
		fresh.Grow(rapid.IntRange(0, 10_000).Draw(rt, "requests"))
		for i := range files {
			if i != gone {
				fresh.Put(spend.Source{Path: fmt.Sprint("s", i), Session: fmt.Sprint("s", i), IsFork: forks[i], Time: 7, File: new(spend.CollectEntries(files[i]))})
			}
		}
		for _, path := range fresh.Paths() {
			if a, b := l.Session(path), fresh.Session(path); !closeTo(a.Sums.Cost, b.Sums.Cost) || a.Sums.Requests != b.Sums.Requests {
				rt.Fatalf("after a removal %s has %+v, read again %+v", path, a.Sums, b.Sums)
			}
		}
		back := fmt.Sprint("s", len(files))
		l.Put(spend.Source{Path: back, Session: back, IsFork: forks[gone], Time: 7, File: new(spend.CollectEntries(files[gone]))})
		if got := total(l); !closeTo(got.Cost, want) {
			rt.Fatalf("with the removed file at another path all sessions cost %v, want %v", got.Cost, want)
		}
	})
}

// total returns the sums over all sessions.
func total(l *spend.Ledger) (all spend.Sums) {
	for _, path := range l.Paths() {
		all.Add(&l.Session(path).Sums)
	}
	return all
}

// A request belongs to the session that made it: not to one that marks it as a copy, not to a
// fork, and else to the session that continued first.
func TestOwner(t *testing.T) {
	t.Parallel()
	u := session.Usage{Input: 1_000_000}
	shared, ownA, ownB := answer(1, 10, "claude-opus-4-5", u), answer(2, 50, "claude-opus-4-5", u), answer(3, 40, "claude-opus-4-5", u)
	marked := shared
	marked.OwnDetails().Charge = &session.Charge{Key: 1, Model: "claude-opus-4-5", Usage: u, Copied: true}
	for name, c := range map[string]struct {
		a, b         session.Entry
		forkA, forkB bool
		timeB        int64
		owner        string
	}{
		"copy":          {shared, marked, false, false, 1, "a"},
		"copy in other": {marked, shared, false, false, 1, "b"},
		"fork":          {shared, shared, true, false, 1, "b"},
		"later session": {shared, shared, false, false, 2, "a"},
		"goes on later": {shared, shared, false, false, 1, "b"},
	} {
		l := spend.NewLedger(prices.Default())
		l.Put(spend.Source{Path: "a", Session: "a", IsFork: c.forkA, Time: 1, File: new(spend.CollectEntries([]session.Entry{c.a, ownA}))})
		l.Put(spend.Source{Path: "b", Session: "b", IsFork: c.forkB, Time: c.timeB, File: new(spend.CollectEntries([]session.Entry{c.b, ownB}))})
		for _, path := range []string{"a", "b"} {
			s := l.Session(path)
			if owns := s.Sums.Requests == 2; owns != (path == c.owner) {
				t.Errorf("%s: %s has %d requests; the owner is %s", name, path, s.Sums.Requests, c.owner)
			}
		}
	}
}

// Waiting, tools and unpriced models of a session by hand.
func TestSums(t *testing.T) {
	t.Parallel()
	at := func(e session.Entry, ms int64) session.Entry { e.Time = ms; return e }
	call := answer(1, 3000, "claude-haiku-4-5", session.Usage{Input: 1000, Output: 100, CacheRead: 5000})
	call.Details.Calls = []session.ToolCall{{ID: "t1", Name: "bash"}, {ID: "t2", Name: "read"}}
	result := func(id string, flags session.Flags) session.Entry {
		return session.Entry{Kind: session.KindToolResult, Flags: flags, Details: &session.Details{Call: id}}
	}
	file := spend.CollectEntries([]session.Entry{
		at(session.Entry{Kind: session.KindUser}, 1000), call, at(result("t1", session.FlagError), 3500), at(result("t2", 0), 4500),
		answer(2, 6500, "unheard-of", session.Usage{Input: 10}),
		at(session.Entry{Kind: session.KindUser}, 900_000), answer(3, 901_000, "unheard-of", session.Usage{Output: 1}),
	})
	l := spend.NewLedger(prices.Default())
	l.Put(spend.Source{Path: "a", Session: "a", File: &file})
	got := l.Session("a")
	want := spend.Sums{Usage: session.Usage{Input: 1010, Output: 101, CacheRead: 5000, Cost: (1000*1.0 + 100*5 + 5000*.1) / 1e6},
		Requests: 3, Unpriced: 2, ToolCalls: 2, ToolFailures: 1, ModelWait: 2000 + 2000 + 1000, ToolWait: 500 + 1000}
	if !closeTo(got.Sums.Cost, want.Cost) {
		t.Errorf("costs %v, want %v", got.Sums.Cost, want.Cost)
	}
	if want.Cost = got.Sums.Cost; got.Sums != want {
		t.Errorf("sums %+v, want %+v", got.Sums, want)
	}
	if want := []spend.ToolUse{{Request: 0, Tool: "bash", Failed: true}, {Request: 0, Tool: "read"}}; !slices.Equal(got.Uses, want) {
		t.Errorf("tools %+v, want %+v", got.Uses, want)
	}
}

// What the results of an oh-my-pi task sum up counts once if the agents have files, too.
func TestDelegated(t *testing.T) {
	t.Parallel()
	spent := func(key uint64, cost float64, delegated bool) session.Entry {
		e := answer(key, 1, "m", session.Usage{Cost: cost})
		e.Details.Charge.HasCost, e.Details.Charge.Delegated = true, delegated
		return e
	}
	l := spend.NewLedger(prices.Default())
	l.Put(spend.Source{Path: "a", Session: "a", File: new(spend.CollectEntries([]session.Entry{spent(1, 1, false), spent(2, .5, true)}))})
	if got := l.Session("a").Sums.Cost; got != 1.5 {
		t.Errorf("without files of agents it costs %v", got)
	}
	l.Put(spend.Source{Path: "a/agent", Session: "a", File: new(spend.CollectEntries([]session.Entry{spent(3, .3, false), spent(4, .2, false)}))})
	if got := l.Session("a").Sums.Cost; !closeTo(got, 1.5) {
		t.Errorf("with files of agents it costs %v", got)
	}
}

// Running totals include requests without a line. Requests that are recorded a little later
// than the totals that include them are none.
func TestOtherRequests(t *testing.T) {
	t.Parallel()
	state := func(input int64) session.Entry {
		e := session.Entry{Kind: session.KindEvent, Flags: session.FlagMetadata, Time: session.NoTime}
		e.OwnDetails().Charge = &session.Charge{Totals: []session.Charge{{Model: "claude-opus-4-5", Usage: session.Usage{Input: input}}}}
		return e
	}
	ask := func(ms int64) session.Entry { return session.Entry{Kind: session.KindUser, Time: ms} }
	with := func(key uint64, ms, input int64) session.Entry {
		return answer(key, ms, "claude-opus-4-5", session.Usage{Input: input})
	}
	copied := with(9, 5, 70)
	copied.Details.Charge.Copied = true
	for name, c := range map[string]struct {
		lines []session.Entry
		want  []int64 // inputs of the other requests
	}{
		"none":          {[]session.Entry{with(1, 10, 100), state(100), with(2, 20, 50), state(150)}, nil},
		"compaction":    {[]session.Entry{with(1, 10, 100), state(100), ask(15), state(130), with(2, 20, 50), state(180)}, []int64{30}},
		"before first":  {[]session.Entry{with(1, 10, 100), state(140)}, []int64{40}},
		"fork":          {[]session.Entry{copied, with(1, 10, 100), state(500), with(2, 20, 50), state(560)}, []int64{10}},
		"late answer":   {[]session.Entry{with(1, 10, 100), state(150), with(2, 20, 50), state(150)}, nil},
		"older session": {[]session.Entry{with(1, 10, 100), state(0), with(2, 20, 50), ask(21), state(55)}, []int64{5}},
		"other run":     {[]session.Entry{with(1, 10, 100), state(100), with(2, 20, 50), state(60)}, []int64{10}},
	} {
		l := spend.NewLedger(prices.Default())
		l.Put(spend.Source{Path: "a", Session: "a", File: new(spend.CollectEntries(c.lines))})
		var got []int64
		for _, q := range l.Session("a").Requests {
			if q.Other {
				got = append(got, q.Input)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: other requests with %v tokens, want %v", name, got, c.want)
		}
	}
}

// The requests of a sub-agent are on the branch on which it was started.
func TestAgentOnBranch(t *testing.T) {
	t.Parallel()
	u := session.Usage{Output: 1_000_000}
	entry := func(id, parent string, kind session.Kind, ms int64) session.Entry {
		e := session.Entry{ID: id, Parent: parent, Kind: kind, Time: ms, Preview: id}
		if parent != "" {
			e.Flags = session.FlagHasParent
		}
		if kind == session.KindAssistant {
			e.OwnDetails().Charge = &session.Charge{Key: uint64(ms), Model: "claude-opus-4-5", Usage: u}
		}
		return e
	}
	tree := session.BuildTree(session.Header{}, []session.Entry{
		entry("ask", "", session.KindUser, 10), entry("tried", "ask", session.KindAssistant, 20),
		entry("again", "", session.KindUser, 100), entry("done", "again", session.KindAssistant, 110),
	}, nil)
	l := spend.NewLedger(prices.Default())
	l.Put(spend.Source{Path: "s", Session: "s", File: new(spend.CollectTree(tree))})
	for name, ms := range map[string]int64{"early": 25, "late": 115} {
		l.Put(spend.Source{Path: name, Session: "s", Time: session.NoTime, File: new(spend.CollectEntries([]session.Entry{answer(uint64(ms), ms, "claude-opus-4-5", u)}))})
	}
	if got := l.Session("s"); got.Sums.Cost != 100 || got.Left.Cost != 50 {
		t.Errorf("$%g, $%g of it on branches that were left", got.Sums.Cost, got.Left.Cost)
	}
}
