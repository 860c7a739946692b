package catalog_test

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/spend"
	"sessiontree/internal/session/store"
	"sessiontree/internal/testgen/random"
)

// Random sessions cost the same in the list, on their pages and in the spend report.
func TestSessions_RandomSpend(t *testing.T) {
	for _, format := range random.Formats {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			cost := 0.0
			for _, seed := range random.Seeds(10) {
				dir := t.TempDir()
				for name, text := range random.Long(format, seed, random.Length{Steps: 100, Sessions: 3}).Files() {
					write(t, filepath.Join(dir, "-p", filepath.FromSlash(name)), text)
				}
				lib := library(t, dir)
				c := catalog.New(catalog.Config{Library: lib})
				if err := c.Fill(ctx); err != nil {
					t.Fatal(err)
				}
				listed := c.Sessions()
				for i := range listed {
					cost += listed[i].Cost
					if text := compareSpend(t, lib, c, &listed[i]); text != "" {
						t.Errorf("%s: %s", filepath.Base(listed[i].Path), text)
					}
				}
				if t.Failed() {
					t.Fatalf("with SEED=%d", seed)
				}
			}
			if recordsCost := format == "pi" || format == "omp"; recordsCost != (cost > 0) {
				t.Errorf("the sessions cost %v", cost)
			}
		})
	}
}

// compareSpend returns how what a session costs differs between the list, its page and the
// requests of the spend report, "" if it does not.
func compareSpend(t *testing.T, lib *store.Library, c *catalog.Catalog, listed *catalog.Summary) string {
	t.Helper()
	sess, err := lib.Open(ctx, listed.Path)
	if err != nil {
		t.Fatal(err)
	}
	var page spend.TreeSpend
	sess.ReadTree(func(tree *session.Tree, _ store.Revision) {
		page = spend.ReadSheet(tree, c.Ledger().Prices, c.Ledger().Ownership(listed.Path)).Total()
	})
	reported, sums, left := 0.0, spend.Sums{}, 0.0
	if own := c.Ledger().Session(listed.Path); own != nil {
		for i := range own.Requests {
			price, _ := own.Requests[i].Price(c.Ledger().Prices)
			reported += price
		}
		sums, left = own.Sums, own.Left.Cost
	}
	differs := func(a, b float64) bool { return math.Abs(a-b) > 1e-9*(1+math.Abs(a)) }
	switch {
	case differs(listed.Cost, reported):
	// The random results of oh-my-pi record other costs than the files of the agents, and
	// the list knows only by time on which branch an agent was started.
	case listed.Agents > 0 && listed.Format == "omp":
		return ""
	case differs(listed.Cost, page.Sums.Cost), sums.Requests != page.Sums.Requests:
	// Random sessions of other agents record lines of other sessions, or an answer twice.
	case listed.Agents == 0 && listed.Format == "pi" && sums.ModelWait != page.Sums.ModelWait:
	case listed.Agents == 0 && differs(left, page.Left):
	default:
		return ""
	}
	return fmt.Sprintf("the list has $%.6f, $%.6f left; the page $%.6f left of %+v; the report $%.6f of %+v",
		listed.Cost, left, page.Left, page.Sums, reported, sums)
}
