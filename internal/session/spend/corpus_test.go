package spend_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/prices"
	"sessiontree/internal/session/spend"
	"sessiontree/internal/session/store"
)

// corpusDir has sessions of a real Claude Code 2.1.330.
const corpusDir = "../../../../shared/corpus"

func readCorpus(t *testing.T, dir string) *spend.Ledger {
	t.Helper()
	root, err := filepath.Abs(filepath.Join(corpusDir, dir))
	if err != nil {
		t.Fatal(err)
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		t.Skip("the corpus is not there")
	}
	lib, err := store.New(store.Config{Roots: []string{root}, Formats: format.All})
	if err != nil {
		t.Fatal(err)
	}
	l := spend.NewLedger(prices.Default())
	err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		s, err := lib.SummarizeFile(context.Background(), path, lib.NewOwnerFinder())
		var part *store.MemberFileError
		switch {
		case err == nil:
			h := s.Tree.Header()
			l.Put(spend.Source{Path: path, Session: path, IsFork: h.Parent != "", Time: h.Time, File: new(spend.CollectTree(s.Tree))})
		case errors.As(err, &part):
			entries, err := lib.ReadMember(context.Background(), path)
			if err != nil {
				return err
			}
			l.Put(spend.Source{Path: path, Session: part.Owner, Time: session.NoTime, File: new(spend.CollectEntries(entries.Entries))})
		default:
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// readTree returns what the tree of a session costs with its sub-agents.
func readTree(t *testing.T, path string, l *spend.Ledger) (spent spend.TreeSpend) {
	t.Helper()
	lib, err := store.New(store.Config{Roots: []string{filepath.Dir(path)}, Formats: format.All})
	if err != nil {
		t.Fatal(err)
	}
	sess, err := lib.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	own := l.Ownership(path)
	sess.ReadTree(func(tree *session.Tree, _ store.Revision) { spent = spend.OfTree(tree, l.Prices, own, tree.Leaf()) })
	return spent
}

// Claude Code's own totals are those of the answers and of the other requests. A fork's
// totals include those of the original up to the fork.
func TestCostState(t *testing.T) {
	t.Parallel()
	l := readCorpus(t, "claude-2.1.330")
	want := map[string]float64{"4cba28cb-0835-4969-9c48-db9c8703a9c8": 2.182116, "3ed16a21-46ca-4693-b26b-061731d28aaf": 2.005113 - 1.774185, "77b98e66-4a88-4103-a62a-56a3e64ab28d": .761518}
	wantOther := map[string]float64{"4cba28cb-0835-4969-9c48-db9c8703a9c8": .072051} // the compaction
	for _, path := range l.Paths() {
		s := l.Session(path)
		other := 0.0
		for i := range s.Requests {
			if q := &s.Requests[i]; q.Other {
				cost, _ := q.Price(l.Prices)
				other += cost
			}
		}
		id := strings.TrimSuffix(filepath.Base(path), ".jsonl")
		if math.Abs(s.Sums.Cost-want[id]) > 1e-9 || math.Abs(other-wantOther[id]) > 1e-9 {
			t.Errorf("%s costs $%.6f with $%.6f of other requests, want $%.6f and $%.6f", id, s.Sums.Cost, other, want[id], wantOther[id])
		}
		if spent := readTree(t, path, l); !closeTo(s.Sums.Cost, spent.Sums.Cost) || math.Abs(s.Left.Cost-spent.Left) > 1e-9 || s.Sums.Requests != spent.Sums.Requests {
			t.Errorf("%s: the list has $%.6f, $%.6f of it left, %d requests; the session $%.6f, $%.6f, %d", id, s.Sums.Cost, s.Left.Cost, s.Sums.Requests, spent.Sums.Cost, spent.Left, spent.Sums.Requests)
		}
		delete(want, id)
	}
	if len(want) > 0 {
		t.Errorf("no spend of %v", want)
	}
}

// A fork of a session costs only what was asked in the fork.
func TestForkedProject(t *testing.T) {
	t.Parallel()
	l := readCorpus(t, "pi")
	if got := total(l).Cost; math.Abs(got-30.3301977) > 1e-7 {
		t.Errorf("the session costs $%.7f", got)
	}
}
