package spend_test

import (
	"fmt"
	"sync"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/prices"
	"sessiontree/internal/session/spend"
)

// growthTree returns a session of n requests, every tenth of them on a branch of its own.
func growthTree(n int) *session.Tree {
	entries := make([]session.Entry, 0, n)
	main := ""
	for i := range n {
		e := session.Entry{ID: fmt.Sprint("e", i), Parent: main, Kind: session.KindAssistant, Time: int64(i), Preview: "x"}
		if main != "" {
			e.Flags = session.FlagHasParent
		}
		e.OwnDetails().Charge = &session.Charge{Key: uint64(i), Model: "claude-opus-4-5", Usage: session.Usage{Input: 10, Output: int64(i)}}
		if entries = append(entries, e); i%10 != 5 {
			main = e.ID
		}
	}
	return session.BuildTree(session.Header{}, entries, nil)
}

// The work for a session is in proportion to its requests, the allocations too.
func TestGrowth(t *testing.T) {
	table := prices.Default()
	per := func(n int) float64 {
		trees := make([]*session.Tree, 3)
		for i := range trees {
			trees[i] = growthTree(n)
		}
		next := 0
		return testing.AllocsPerRun(1, func() {
			tree := trees[next]
			next++
			spend.ReadSheet(tree, table, spend.Ownership{}).PathCosts()
			l := spend.NewLedger(table)
			l.Put(spend.Source{Path: "a", Session: "a", File: new(spend.CollectTree(tree))})
			l.Brief("a")
		}) / float64(n)
	}
	if one, eight := per(1000), per(8000); eight > 1.3*one {
		t.Errorf("%.1f allocations for each of 8,000 requests, %.1f for each of 1,000", eight, one)
	}
}

// Readers that hold a tree's lock for reading use its sheet at the same time.
func TestReadSheet_Concurrent(t *testing.T) {
	tree, table := growthTree(100), prices.Default()
	want := spend.ReadSheet(tree, table, spend.Ownership{}).Total().Sums.Requests
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			s := spend.ReadSheet(tree, table, spend.Ownership{})
			if n := s.Total().Sums.Requests; n != want || len(s.PathCosts()) != tree.Len() {
				t.Errorf("%d requests and %d costs, want %d and %d", n, len(s.PathCosts()), want, tree.Len())
			}
		})
	}
	readers.Wait()
}

func BenchmarkGrowth(b *testing.B) {
	for _, times := range []int{1, 2, 4, 8} {
		b.Run(fmt.Sprintf("%dx", times), func(b *testing.B) {
			n := 5000 * times
			table := prices.Default()
			for b.Loop() {
				b.StopTimer()
				tree := growthTree(n)
				b.StartTimer()
				spend.ReadSheet(tree, table, spend.Ownership{}).PathCosts()
				l := spend.NewLedger(table)
				l.Put(spend.Source{Path: "a", Session: "a", File: new(spend.CollectTree(tree))})
				l.Brief("a")
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/request")
		})
	}
}
