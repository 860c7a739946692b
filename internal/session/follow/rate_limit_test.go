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
		if got := restDuration(took); got != want {
			t.Errorf("rest after %v = %v, want %v", took, got, want)
		}
	}
}
