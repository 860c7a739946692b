package sessiontest

import (
	"fmt"

	"pgregory.net/rapid"

	"sessiontree/internal/session"
)

// drawnKinds are the kinds of drawn entries.
var drawnKinds = []session.Kind{session.KindUser, session.KindAssistant, session.KindAssistant, session.KindToolResult, session.KindLabel,
	session.KindModel, session.KindCustom, session.KindUsage, session.KindCompaction, session.KindBranchSummary, session.KindUnknown, session.KindArchive}

// DrawDamagedEntries draws entries as no agent writes them: repeated ids, missing, late or circular
// parents, missing times.
func DrawDamagedEntries(rt *rapid.T) []session.Entry {
	n := rapid.IntRange(0, 40).Draw(rt, "n")
	return drawEntries(rt, n, func(i int) (id, parent string, rooted bool) {
		id = fmt.Sprint("e", rapid.IntRange(0, n+n/4).Draw(rt, "id"))
		parent = fmt.Sprint("e", rapid.IntRange(0, n+n/4).Draw(rt, "parent"))
		return id, parent, rapid.IntRange(0, 9).Draw(rt, "root") == 0
	})
}

// DrawEntries draws entries as agents write them: every parent is a recorded entry, mostly
// the one before.
func DrawEntries(rt *rapid.T) []session.Entry {
	n := rapid.IntRange(1, 40).Draw(rt, "n")
	return drawEntries(rt, n, func(i int) (id, parent string, rooted bool) {
		up := i - 1
		if i > 0 && rapid.IntRange(0, 3).Draw(rt, "fork") == 0 {
			up = rapid.IntRange(0, i-1).Draw(rt, "up")
		}
		return fmt.Sprint("e", i), fmt.Sprint("e", up), i == 0 || rapid.IntRange(0, 20).Draw(rt, "root") == 0
	})
}

func drawEntries(rt *rapid.T, n int, edge func(i int) (id, parent string, rooted bool)) []session.Entry {
	entries := make([]session.Entry, n)
	for i := range entries {
		id, parent, rooted := edge(i)
		e := session.Entry{ID: id, Parent: parent, Kind: rapid.SampledFrom(drawnKinds).Draw(rt, "kind"), Role: "any", Time: session.NoTime}
		if !rooted {
			e.Flags |= session.FlagHasParent
		}
		if rapid.Bool().Draw(rt, "worded") {
			e.Preview, e.Flags = "words", e.Flags|session.FlagText|session.FlagOn
		}
		if rapid.IntRange(0, 7).Draw(rt, "timed") > 0 {
			e.Time = int64(rapid.IntRange(0, n).Draw(rt, "time")) * 1000
		}
		switch e.Kind {
		case session.KindLabel, session.KindArchive, session.KindCompaction:
			e.OwnDetails().Target = fmt.Sprint("e", rapid.IntRange(0, n).Draw(rt, "target"))
		case session.KindAssistant:
			if rapid.Bool().Draw(rt, "calls") {
				e.OwnDetails().Calls = []session.ToolCall{{ID: fmt.Sprint("c", rapid.IntRange(0, 5).Draw(rt, "call")), Name: "t"}}
			}
		case session.KindToolResult:
			e.OwnDetails().Call = fmt.Sprint("c", rapid.IntRange(0, 5).Draw(rt, "answers"))
		}
		e.Span.Line = int32(i + 2)
		entries[i] = e
	}
	return entries
}

// Chain returns n entries in a row; every fork-th entry also has a branch of one
// exchange.
func Chain(n, fork int) []session.Entry {
	kinds := []session.Kind{session.KindUser, session.KindAssistant, session.KindToolResult, session.KindAssistant}
	entries := make([]session.Entry, 0, n)
	last := ""
	for i := range n {
		e := session.Entry{ID: fmt.Sprintf("%08x", i), Parent: last, Kind: kinds[i%len(kinds)], Role: "any", Preview: "some words about what to do next",
			Flags: session.FlagText, Time: int64(i) * 1000}
		if last != "" {
			e.Flags |= session.FlagHasParent
		}
		if e.Kind == session.KindToolResult {
			e.OwnDetails().Call = e.ID
		}
		e.Span.Line = int32(i + 2)
		entries = append(entries, e)
		if fork == 0 || i%fork != fork-1 {
			last = e.ID
		}
	}
	return entries
}
