package searchall

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
)

// While the receiver of the results is busy, only some of the next sessions are searched: their
// results are kept in memory. The others, deleted meanwhile, cannot be read.
func TestSearch_WaitsForReceiver(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const sessions, hits = 60, 400
	prompt := fmt.Sprintf(`{"role":"user","content":"a word %s"}`, strings.Repeat("or two ", 50))
	for i := range sessions {
		lines := []string{header(fmt.Sprintf("s%d", i))}
		for k := range hits {
			lines = append(lines, entry(fmt.Sprintf("u%d-%d", i, k), "", 1, prompt))
		}
		write(t, filepath.Join(dir, fmt.Sprintf("s%d.jsonl", i)), lines...)
	}
	synctest.Test(t, func(t *testing.T) {
		s := newSearcher(t, dir)
		found, failed := 0, 0
		err := s.Search(context.Background(), parse(t, "word"), func(e Event) error {
			if e.Progress.Sessions == 1 {
				synctest.Wait() // until no session is being searched
				if err := os.RemoveAll(dir); err != nil {
					return err
				}
			}
			if e.Result != nil {
				found += len(e.Result.Hits)
			}
			failed = e.Progress.Failed
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if most := maxWaitingBytes/hitBytes + 4*hits; found > most || found < 2*hits || failed != sessions-found/hits {
			t.Errorf("%d hits were found while the receiver was busy, %d sessions failed; want at most %d hits", found, failed, most)
		}
	})
}

// A search that is stopped while it waits for the receiver ends.
func TestAheadLimit_Canceled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		canceled, cancel := context.WithCancel(ctx)
		limit := newAheadLimit()
		limit.addBytes(maxWaitingBytes)
		ended := false
		go func() {
			if err := limit.waitForRoom(canceled); err == nil {
				t.Error("there is room")
			}
			ended = true
		}()
		synctest.Wait()
		if ended {
			t.Error("a session is searched although there is no room")
		}
		cancel()
		synctest.Wait()
		if !ended {
			t.Error("the canceled search still waits")
		}
	})
}
