package htmlexport_test

import (
	"os"
	"testing"
	"time"

	"github.com/dlclark/regexp2/v2"
)

// Chroma gives up a match after 250 ms on the clock, which a busy machine reaches: then a
// word has no color, and two pages of one session differ. Here the deadline is a day later.
func TestMain(m *testing.M) {
	regexp2.SetTimeoutCheckPeriod(24 * time.Hour)
	os.Exit(m.Run())
}
