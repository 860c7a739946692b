//go:build hub && unix

package postgres_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"sessiontree/internal/session/archive"
	"sessiontree/internal/session/archive/archivetest"
	"sessiontree/internal/session/archive/postgres"
	"sessiontree/internal/session/archive/postgres/pgtest"
)

// BenchmarkAppend appends 2,000 bytes to some files at once, each time durably.
func BenchmarkAppend(b *testing.B) {
	pg := pgtest.StartPostgres(b, "fsync=on", "full_page_writes=on")
	db, err := postgres.Open(ctx, postgres.Config{URL: pg.NewDatabase(b) + "&pool_max_conns=16"})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	data := archivetest.Lines(rand.New(rand.NewPCG(1, 2)), 2000)
	for _, files := range []int{1, 50} {
		b.Run(fmt.Sprint(files, " files"), func(b *testing.B) {
			var left atomic.Int64
			left.Store(int64(b.N))
			var group sync.WaitGroup
			for file := range files {
				group.Go(func() {
					s := archive.Segment{Path: fmt.Sprintf("/%d/%d/%d", files, b.N, file), Generation: 1, Before: archive.EmptyChain, Data: data}
					for left.Add(-1) >= 0 {
						head, err := db.Archive().Append(ctx, s)
						if err != nil {
							b.Error(err)
							return
						}
						s.Off, s.Before = head.End, head.Chain
					}
				})
			}
			group.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "appends/s")
		})
	}
}
