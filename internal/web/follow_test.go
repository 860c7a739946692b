package web

import (
	"testing"
	"time"
)

func TestRestAfter(t *testing.T) {
	for took, want := range map[time.Duration]time.Duration{
		0:                     libraryPace,
		30 * time.Millisecond: 120 * time.Millisecond,
		5 * time.Second:       longestRest, // many changes at once
	} {
		if got := restAfter(took); got != want {
			t.Errorf("rest after %v = %v, want %v", took, got, want)
		}
	}
}
