package web

import (
	"errors"
	"fmt"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// The alert says that nothing was written only if that is true.
func TestAlertForError(t *testing.T) {
	late := &store.Refusal{Kind: session.ErrConflict, Text: "The change is in the file, but the agent goes on.", Written: true}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&store.Refusal{Kind: session.ErrConflict, Text: "The session has gone on."}, "The session has gone on. Nothing was written."},
		{late, late.Text},
		{fmt.Errorf("a.jsonl: %w", late), "A.jsonl: " + late.Text},
		{fmt.Errorf("%w: the summary is empty", session.ErrInvalid), "The summary is empty. Nothing was written."},
	} {
		if a, ok := alertForError(tt.err, "label"); !ok || a.Text != tt.want {
			t.Errorf("%v: %q, %t, want %q", tt.err, a.Text, ok, tt.want)
		}
	}
	if a, ok := alertForError(errors.New("disk on fire"), "label"); ok {
		t.Errorf("%+v for what the dialog cannot mend", a)
	}
}
