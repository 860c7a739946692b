package hub

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"sessiontree/internal/session/team"
)

// purgeFixture is a hub over a store that still has bytes of deleted files while hasBytes is
// set, or cannot say while err is.
type purgeFixture struct {
	*testing.T
	dir      string
	hub      *Hub
	now      time.Time
	hasBytes bool
	err      error
}

func newPurgeFixture(t *testing.T) *purgeFixture {
	f := &purgeFixture{T: t, dir: t.TempDir(), now: time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC), hasBytes: true}
	f.open()
	return f
}

// open opens the hub, as a start of the program does.
func (f *purgeFixture) open() {
	f.Helper()
	var err error
	f.hub, err = New(Config{Dir: f.dir, Clock: func() time.Time { return f.now }, HasDeletedBytes: func(context.Context) (bool, error) { return f.hasBytes, f.err }})
	if err != nil {
		f.Fatal(err)
	}
}

func (f *purgeFixture) deleteSession(path string) {
	f.Helper()
	store(f.T, f.hub, "ada", path)
	if err := f.hub.DeleteSession(f.Context(), "ada", path, "Fix it"); err != nil {
		f.Fatal(err)
	}
}

// wantPurged fails unless these sessions are on record as purged, newest first.
func (f *purgeFixture) wantPurged(want ...string) {
	f.Helper()
	events, err := f.hub.Registry.ListEvents(f.Context(), team.EventFilter{})
	if err != nil {
		f.Fatal(err)
	}
	var got []string
	for _, e := range events {
		if e.Action == team.Purge {
			got = append(got, e.Session)
		}
	}
	if !slices.Equal(got, want) {
		f.Errorf("purged are %q, want %q", got, want)
	}
}

// A deleted session is on record as purged once, when its bytes are gone and not before.
func TestRecordPurges(t *testing.T) {
	f := newPurgeFixture(t)
	f.deleteSession("/pc/one.jsonl")
	f.now = f.now.Add(time.Second)
	f.deleteSession("/pc/two.jsonl")
	f.wantPurged()
	f.now = f.now.Add(time.Minute)
	f.err = errors.New("the database is down")
	if err := f.hub.RecordPurges(t.Context()); !errors.Is(err, f.err) {
		t.Errorf("error %v", err)
	}
	f.hasBytes, f.err = false, nil
	for range 2 {
		if err := f.hub.RecordPurges(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.wantPurged("/pc/two.jsonl", "/pc/one.jsonl")
	}
	f.now = f.now.Add(time.Minute)
	f.deleteSession("/pc/three.jsonl")
	f.wantPurged("/pc/three.jsonl", "/pc/two.jsonl", "/pc/one.jsonl")
}

// A hub that was stopped before the bytes were gone records it after the next start, unless
// another process has.
func TestRecordPurges_Restart(t *testing.T) {
	f := newPurgeFixture(t)
	f.deleteSession("/pc/one.jsonl")
	other := f.hub
	f.open()
	purge := func() {
		t.Helper()
		if err := f.hub.PurgeUnknown(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	f.hasBytes = false
	purge()
	f.wantPurged() // the deletion may still be running
	f.now = f.now.Add(2 * time.Minute)
	purge()
	f.wantPurged("/pc/one.jsonl")
	purge()
	if err := other.RecordPurges(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.wantPurged("/pc/one.jsonl")
}
