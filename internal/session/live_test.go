package session_test

import (
	"testing"

	"sessiontree/internal/session"
)

func TestIsLive_IsTornByCrash(t *testing.T) {
	t.Parallel()
	const now = 1_770_000_000_000
	for _, c := range []struct {
		age        int64 // ms
		live, torn bool
	}{{0, true, false}, {9_999, true, false}, {10_000, true, true}, {59_999, true, true}, {60_000, false, true}, {3_600_000, false, true}} {
		if live, torn := session.IsLive(now-c.age, now), session.IsTornByCrash(now-c.age, now); live != c.live || torn != c.torn {
			t.Errorf("%d ms ago: live %v, torn by a crash %v, want %v, %v", c.age, live, torn, c.live, c.torn)
		}
	}
}
