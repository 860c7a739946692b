package view_test

import (
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
)

// The last entry has the number of all entries, whether or not there are metadata lines.
func TestEntryNumbers(t *testing.T) {
	t.Parallel()
	plain := session.BuildTree(session.Header{}, []session.Entry{{ID: "a"}, {ID: "b"}}, nil)
	mixed := session.BuildTree(session.Header{}, []session.Entry{{ID: "a"}, {Flags: session.FlagMetadata}, {ID: "b"}}, nil)
	numbers, numbersMixed := view.EntryNumbers{Tree: plain}, view.EntryNumbers{Tree: mixed}
	if a, b := numbers.Format(plain.FindID("b")), numbersMixed.Format(mixed.FindID("b")); a != "2" || b != "2" {
		t.Errorf("numbers %s and %s of the second entry", a, b)
	}
}
