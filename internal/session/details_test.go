package session

import "testing"

// Copies of an entry share their details until one gets its own.
func TestOwnDetails(t *testing.T) {
	t.Parallel()
	var shared Details
	shared.Status = "exit 1"
	e := &Entry{}
	e.StoreDetails(&shared)
	shared.Status = "of the next line"
	other := *e
	other.OwnDetails().Status = "changed"
	if e.Status() != "exit 1" || other.Status() != "changed" {
		t.Errorf("status %q, of the copy %q", e.Status(), other.Status())
	}
}

// An entry without further details uses no memory for them, even after all of them were
// read.
func TestStoreDetailsEmpty(t *testing.T) {
	t.Parallel()
	e := &Entry{Details: &Details{Status: "old"}}
	e.StoreDetails(&Details{})
	if e.Details != nil {
		t.Errorf("details are kept: %+v", *e.Details)
	}
	if e.Target() != "" || e.Calls() != nil || e.Tokens() != 0 || e.Cost() != 0 {
		t.Error("an entry without details has some")
	}
	e.OwnDetails().Tokens = 3
	if e.Tokens() != 3 || noDetails.Tokens != 0 {
		t.Errorf("%d tokens, %d of entries without details", e.Tokens(), noDetails.Tokens)
	}
}
