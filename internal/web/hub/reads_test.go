package hub

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"sessiontree/internal/session/team"
)

// failingAudit is a registry in which no event can be stored while failing is set.
type failingAudit struct {
	team.Registry
	failing   atomic.Bool
	fileReads atomic.Int64 // calls of FindFile
}

func (r *failingAudit) AddEvent(ctx context.Context, e team.Event) error {
	if r.failing.Load() {
		return errors.New("the audit is full")
	}
	return r.Registry.AddEvent(ctx, e)
}

func (r *failingAudit) FindFile(ctx context.Context, path string) (team.File, error) {
	r.fileReads.Add(1)
	return r.Registry.FindFile(ctx, path)
}

// A read that could not be recorded is recorded with the next one. A recent read costs no
// query.
func TestRecordRead_Retries(t *testing.T) {
	f := newFixture(t)
	registry := &failingAudit{Registry: f.hub.Registry}
	f.hub.Registry = registry
	ada, ben := f.addMember("Ada", team.Member), f.addMember("Ben", team.Member)
	path := ada.push(newSession("s1", "How large is the atlas?"), "s1.jsonl")
	f.check(f.hub.Registry.SetVisibility(f.Context(), path, team.Team))
	page := "/sessions/" + ben.key(path)
	registry.failing.Store(true)
	ben.get(page)
	registry.failing.Store(false)
	if got := reads(f, ada.id); got != 0 {
		t.Fatalf("%d reads are on record", got)
	}
	ben.get(page)
	if got := reads(f, ada.id); got != 1 {
		t.Errorf("%d reads are on record after the audit works again, want 1", got)
	}
	before := registry.fileReads.Load()
	ben.get(page)
	if n := registry.fileReads.Load() - before; n != 0 {
		t.Errorf("a recent read looked up its file %d times", n)
	}
}
