package store

import (
	"errors"
	"fmt"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
)

// A refusal keeps the text before it.
func TestRefusalOf(t *testing.T) {
	locked := &safefile.Error{Kind: safefile.ErrLocked, Text: "Another explorer has been writing."}
	for want, err := range map[string]error{
		"Another explorer has been writing.":        locked,
		"state: Another explorer has been writing.": fmt.Errorf("state: %w", locked),
	} {
		got := refusalOf(err)
		var r *Refusal
		if got.Error() != want || !errors.Is(got, session.ErrConflict) || !errors.As(got, &r) || r.Text != locked.Text {
			t.Errorf("%v, want %q", got, want)
		}
	}
	if refusalOf(nil) != nil {
		t.Error("no error is refused")
	}
}
