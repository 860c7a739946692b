package report_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/prices"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/spend"
	"sessiontree/internal/session/spend/report"
)

var models = []string{"claude-opus-4-5", "claude-haiku-4-5", "unheard-of"}

// start is noon, so that the days are the same in every order.
var start = time.Date(2026, 10, 1, 12, 0, 0, 0, time.UTC)

// drawLedger draws sessions with sub-agents and branches, some of which copy requests.
func drawLedger(rt *rapid.T) (*spend.Ledger, []catalog.Summary) {
	l := spend.NewLedger(prices.Default())
	var sessions []catalog.Summary
	key := uint64(0)
	drawEntries := func(id string) (entries []session.Entry) {
		parent := ""
		for i := range rapid.IntRange(1, 8).Draw(rt, "entries") {
			key++
			own := key
			if rapid.IntRange(0, 4).Draw(rt, "copy") == 0 {
				own = rapid.Uint64Range(1, key).Draw(rt, "of")
			}
			kind := session.KindUser
			if i%2 == 1 {
				kind = session.KindAssistant
			}
			e := session.Entry{ID: fmt.Sprint(id, i), Parent: parent, Kind: kind, Preview: "x", Time: start.UnixMilli() + int64(i)*3600_000*rapid.Int64Range(0, 30).Draw(rt, "hours")}
			if parent != "" {
				e.Flags = session.FlagHasParent
			}
			if i%2 == 1 {
				e.OwnDetails().Charge = &session.Charge{Key: own, Model: models[own%3], Usage: session.Usage{Input: int64(own) * 1000, Output: int64(own)}}
			}
			entries = append(entries, e)
			parent = entries[rapid.IntRange(0, i).Draw(rt, "parent")].ID
		}
		return entries
	}
	for i := range rapid.IntRange(1, 5).Draw(rt, "sessions") {
		path := fmt.Sprint("s", i)
		tree := session.BuildTree(session.Header{}, drawEntries(path), nil)
		l.Put(spend.Source{Path: path, Session: path, Time: int64(i), File: new(spend.CollectTree(tree))})
		if rapid.Bool().Draw(rt, "agent") {
			l.Put(spend.Source{Path: path + "/agent", Session: path, Time: session.NoTime, File: new(spend.CollectEntries(drawEntries(path + "a")))})
		}
		sessions = append(sessions, catalog.Summary{Key: path, Path: path, Format: []string{"pi", "claude"}[i%2], Cwd: []string{"/a", "/b", "/c"}[i%3]})
	}
	return l, sessions
}

func closeTo(a, b float64) bool { return math.Abs(a-b) < 1e-9*(1+math.Abs(a)) }

// All parts of a report add up to its total, which is the sum over the rows of the list of
// sessions.
func TestBuild_addsUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		l, sessions := drawLedger(rt)
		r := report.Build(l, sessions, report.Filter{Zone: time.UTC})
		var listed spend.Sums
		briefs, listedLeft := spend.Brief{}, 0.0
		for _, s := range sessions {
			if own := l.Session(s.Path); own != nil {
				listed.Add(&own.Sums)
				listedLeft += own.Left.Cost
			}
			brief := l.Brief(s.Path)
			briefs.Cost, briefs.Tokens = briefs.Cost+brief.Cost, briefs.Tokens+brief.Tokens
		}
		var rows, projects, byModel, agents, days, left spend.Sums
		for i := range r.Sessions {
			rows.Add(&r.Sessions[i].Total)
		}
		for i := range r.Projects {
			projects.Add(&r.Projects[i].Total)
		}
		for i := range r.Models {
			byModel.Add(&r.Models[i].Total)
		}
		for i := range r.Agents {
			agents.Add(&r.Agents[i].Total)
		}
		for i := range r.Days {
			days.Add(&r.Days[i].Total)
		}
		for i := range r.Branches {
			left.Add(&r.Branches[i].Total)
		}
		for name, sums := range map[string]*spend.Sums{"list": &listed, "sessions": &rows, "projects": &projects, "models": &byModel, "agents": &agents, "days": &days} {
			if !closeTo(sums.Cost, r.Total.Cost) || sums.Requests != r.Total.Requests || sums.Tokens() != r.Total.Tokens() || sums.Unpriced != r.Total.Unpriced {
				rt.Errorf("%s: $%g in %d requests, total $%g in %d", name, sums.Cost, sums.Requests, r.Total.Cost, r.Total.Requests)
			}
		}
		if !closeTo(briefs.Cost, r.Total.Cost) || briefs.Tokens != r.Total.Tokens() {
			rt.Errorf("the list shows $%g and %d tokens, the report $%g and %d", briefs.Cost, briefs.Tokens, r.Total.Cost, r.Total.Tokens())
		}
		if !closeTo(left.Cost, r.Left.Cost) || !closeTo(listedLeft, r.Left.Cost) {
			rt.Errorf("left: branches $%g, list $%g, report $%g", left.Cost, listedLeft, r.Left.Cost)
		}
		if !closeTo(r.Kinds.Sum(), r.Total.Cost) {
			rt.Errorf("the kinds of tokens cost $%g of $%g", r.Kinds.Sum(), r.Total.Cost)
		}
		var cells strings.Builder
		if err := r.WriteCSV(&cells); err != nil {
			rt.Fatal(err)
		}
		if rows, err := csv.NewReader(strings.NewReader(cells.String())).ReadAll(); err != nil || len(rows) != 1+len(r.Sessions) {
			rt.Errorf("%d rows of CSV for %d sessions, %v", len(rows), len(r.Sessions), err)
		}
	})
}

// Filters that select disjoint parts divide the total.
func TestBuild_filters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		l, sessions := drawLedger(rt)
		all := report.Build(l, sessions, report.Filter{Zone: time.UTC})
		cost := func(f report.Filter) float64 {
			f.Zone = time.UTC
			return report.Build(l, sessions, f).Total.Cost
		}
		parse := func(text string) *query.Query {
			q, err := query.Parse(text, start)
			if err != nil {
				rt.Fatal(err)
			}
			return q
		}
		parts := map[string]float64{"model": 0, "agent": cost(report.Filter{Query: parse("agent:pi")}) + cost(report.Filter{Query: parse("agent:claude")})}
		for _, m := range models {
			parts["model"] += cost(report.Filter{Models: []string{m}})
		}
		for name, sum := range parts {
			if !closeTo(sum, all.Total.Cost) {
				rt.Errorf("by %s $%g, all $%g", name, sum, all.Total.Cost)
			}
		}
		if unpriced := all.Unpriced(); all.Total.Unpriced > 0 && (len(unpriced) != 1 || unpriced[0].Name != "unheard-of") {
			rt.Errorf("unpriced models %v", unpriced)
		}
	})
}
