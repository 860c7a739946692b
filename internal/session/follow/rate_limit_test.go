package follow

import (
	"testing"
	"time"
)

func TestRestDuration(t *testing.T) {
	for took, want := range map[time.Duration]time.Duration{
		0:                     minRestInterval,
		30 * time.Millisecond: 120 * time.Millisecond,
		5 * time.Second:       maxRestInterval, // many changes at once
	} {
		if got := restDuration(took, minRestInterval); got != want {
			t.Errorf("rest after %v = %v, want %v", took, got, want)
		}
	}
	if got := restDuration(time.Millisecond, unseenRestInterval); got != unseenRestInterval {
		t.Errorf("rest after an update that nobody waits for = %v, want %v", got, unseenRestInterval)
	}
}
