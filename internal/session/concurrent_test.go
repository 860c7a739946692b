package session_test

import (
	"sync"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/sessiontest"
)

// Readers share a tree under a read lock, so its caches may be filled by two of them at
// once.
func TestConcurrentReaders(t *testing.T) {
	t.Parallel()
	entries := sessiontest.Chain(2_000, 50)
	for i := range entries {
		if entries[i].Kind == session.KindAssistant {
			entries[i].OwnDetails().Calls = []session.ToolCall{{ID: "same", Name: "read", Arg: "x"}}
		}
	}
	tree := session.BuildTree(session.Header{}, entries, nil)
	want := outline.Dump(session.BuildTree(session.Header{}, entries, nil))
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			if got := outline.Dump(tree); got != want {
				t.Error("a reader beside others sees another tree")
			}
		})
	}
	readers.Wait()
}
