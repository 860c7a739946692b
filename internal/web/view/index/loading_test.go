package index

import (
	"testing"
)

func TestReadProgressText(t *testing.T) {
	tests := []struct {
		read, size int64
		want       string
	}{
		{0, 48_000_000, "Reading 48.0 MB"},
		{12_400_000, 48_000_000, "Reading 12.4 of 48.0 MB"},
		{106_200_000, 106_100_000, "Reading 106 of 106 MB"}, // it grew meanwhile
		{99_940_000, 1_234_500_000, "Reading 99.9 of 1,235 MB"},
	}
	for _, tt := range tests {
		if got := ReadProgressText(tt.read, tt.size); got != tt.want {
			t.Errorf("ReadText(%d, %d) = %q, want %q", tt.read, tt.size, got, tt.want)
		}
	}
}
