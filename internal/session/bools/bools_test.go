package bools

import (
	"slices"
	"testing"
)

func TestCompare(t *testing.T) {
	got := []bool{true, false, true, false}
	slices.SortFunc(got, Compare)
	if want := []bool{false, false, true, true}; !slices.Equal(got, want) {
		t.Errorf("sorted %v, want %v", got, want)
	}
	if Compare(true, true) != 0 || Compare(false, false) != 0 {
		t.Error("equal values are not equal")
	}
}
