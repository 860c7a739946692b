//go:build unix

package edit_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session/edit"
)

// The summary lists the touched files.
func TestSummaryDetails(t *testing.T) {
	d := newDesk(t)
	b, err := edit.Branch(t.Context(), d.session, d.hooks, edit.Request{Entry: "a1", Summary: edit.SummaryByUser, Text: "it failed"})
	if err != nil {
		t.Fatal(err)
	}
	var line struct {
		Summary string
		Details struct{ ReadFiles, ModifiedFiles []string }
	}
	if err := json.Unmarshal(b.Lines[0].Text, &line); err != nil {
		t.Fatal(err)
	}
	if line.Summary != "it failed" || !cmp.Equal(line.Details.ReadFiles, []string{"a.go"}) || !cmp.Equal(line.Details.ModifiedFiles, []string{"b.go"}) {
		t.Errorf("got %s", b.Lines[0].Text)
	}
}
