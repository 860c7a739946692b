package share_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session/export"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/redact"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
)

// recordingRedactor counts the lines that it redacts. It fails if fails is set.
type recordingRedactor struct {
	lines atomic.Int32
	fails atomic.Bool
}

func (l *recordingRedactor) RedactText(text string, classes map[string]bool) (string, map[string]int) {
	return rules.RedactText(text, classes)
}

func (l *recordingRedactor) RedactJSON(line []byte, classes map[string]bool) ([]byte, bool, map[string]int, error) {
	l.lines.Add(1)
	if l.fails.Load() {
		return nil, false, nil, errFailing
	}
	return rules.RedactJSON(line, classes)
}

func (l *recordingRedactor) FindValues(line []byte) ([]redact.Value, error) {
	return rules.FindValues(line)
}

// liveFixture is a live share of a whole session that a test writes.
type liveFixture struct {
	*share.Shares
	t       testing.TB
	dir     string
	clock   *clock
	agent   *agent
	src     *store.Session
	looker  recordingRedactor
	token   string
	made    share.Share
	reader  *store.Session
	changes []store.ChangeKind // changes of the open snapshot
}

func newLiveFixture(t testing.TB) *liveFixture {
	l := &liveFixture{t: t, dir: t.TempDir(), clock: newClock(), agent: newAgent(t, t.TempDir())}
	l.agent.say("", "user", "hello")
	l.agent.say(l.agent.leaf, "assistant", "hello yourself")
	l.src = openSource(t, l.agent.path)
	var err error
	l.Shares, err = share.New(share.Config{Dir: l.dir, Formats: format.All, Redactor: &l.looker, Clock: l.clock.now,
		Changed: func(_ *store.Session, c store.Change) { l.changes = append(l.changes, c.Kind) }})
	if err != nil {
		t.Fatal(err)
	}
	q := wholeRequest(l.src)
	q.Live = true
	l.token, l.made = createShare(t, l.Shares, q)
	if l.reader, _, err = l.OpenSnapshot(t.Context(), l.token); err != nil {
		t.Fatal(err)
	}
	return l
}

// follow updates the share and returns the changes of the snapshot and the number of
// redacted lines.
func (l *liveFixture) follow() ([]store.ChangeKind, int32) {
	l.changes = nil
	before := l.looker.lines.Load()
	l.UpdateLive(l.t.Context(), l.src)
	return l.changes, l.looker.lines.Load() - before
}

// New lines are appended to the snapshot. Nothing else is read, scanned or written.
func TestUpdateLive_Appends(t *testing.T) {
	l := newLiveFixture(t)
	if diff := cmp.Diff([]string{l.agent.path}, l.LivePaths()); diff != "" {
		t.Error(diff)
	}
	if changes, lines := l.follow(); len(changes) != 0 || lines != 0 {
		t.Errorf("nothing is new: %v, %d lines", changes, lines)
	}
	l.agent.say(l.agent.leaf, "user", "my key is "+secrets[0])
	if changes, lines := l.follow(); !slices.Equal(changes, []store.ChangeKind{store.Appended}) || lines != 1 {
		t.Errorf("a line is new: %v, %d lines", changes, lines)
	}
	l.agent.label("e0000001", "the start")
	if changes, lines := l.follow(); !slices.Equal(changes, []store.ChangeKind{store.Rewritten}) || lines != 0 {
		t.Errorf("a label is new: %v, %d lines", changes, lines)
	}
	if diff := cmp.Diff(readSnapshot(t, l.src).Labels, readSnapshot(t, l.reader).Labels); diff != "" {
		t.Error(diff)
	}
	for range 2 { // it is counted once
		l.agent.label("e0000001", "the start of "+secrets[0])
		l.follow()
		if now, _ := l.FindByToken(l.token); !slices.Contains(now.Redacted, export.Count{Kind: "github token", Count: 2}) {
			t.Errorf("replaced: %v", now.Redacted)
		}
	}
	l.agent.label("e0000001", "the start")
	l.follow()
	l.agent.say(l.agent.leaf, "assistant", "I have not seen it")
	if changes, lines := l.follow(); !slices.Equal(changes, []store.ChangeKind{store.Appended}) || lines != 1 {
		t.Errorf("a line is new after a label: %v, %d lines", changes, lines)
	}
	if diff := cmp.Diff(readSnapshot(t, l.src).Labels, readSnapshot(t, l.reader).Labels); diff != "" {
		t.Error(diff)
	}
	now, err := l.FindByToken(l.token)
	if err != nil || now.Entries != 4 || now.SessionEntries != 4 || !slices.Contains(now.Redacted, export.Count{Kind: "github token", Count: 1}) {
		t.Errorf("%+v, %v", now, err)
	}
	l.agent.label("e0000001", "") // the recorded leaf has changed
	if changes, _ := l.follow(); !slices.Equal(changes, []store.ChangeKind{store.Rewritten}) || len(readSnapshot(t, l.reader).Labels) != 0 {
		t.Errorf("a label is cleared: %v", changes)
	}
	checkNoSecrets(t, l.dir)
}

// The shares of a deleted session remain unchanged.
func TestUpdateLive_DeletedSession(t *testing.T) {
	l := newLiveFixture(t)
	if err := os.Remove(l.agent.path); err != nil {
		t.Fatal(err)
	}
	l.follow()
	if open, _, err := l.OpenSnapshot(t.Context(), l.token); err != nil || len(entryIDs(open)) != 2 {
		t.Error(err)
	}
	if open, _, err := openShares(t, l.dir, l.clock).OpenSnapshot(t.Context(), l.token); err != nil || len(entryIDs(open)) != 2 {
		t.Error(err)
	}
}

// A line that cannot be scanned is not shared, and the share is revoked.
func TestUpdateLive_RedactorFails(t *testing.T) {
	l := newLiveFixture(t)
	l.looker.fails.Store(true)
	l.agent.say(l.agent.leaf, "user", "what is this?")
	if changes, _ := l.follow(); !slices.Equal(changes, []store.ChangeKind{store.Removed}) {
		t.Errorf("the reader heard %v", changes)
	}
	l.checkRevoked("looked through")
}

// checkRevoked checks that the program revoked the share with this reason.
func (l *liveFixture) checkRevoked(why string) {
	for _, s := range []*share.Shares{l.Shares, openShares(l.t, l.dir, l.clock)} {
		if _, now, err := s.OpenSnapshot(l.t.Context(), l.token); !errors.Is(err, share.ErrGone) || now.Revoked.IsZero() || !strings.Contains(now.RevokeReason, why) {
			l.t.Errorf("%+v, %v", now, err)
		}
	}
	if len(l.LivePaths()) != 0 {
		l.t.Error(l.LivePaths())
	}
	for _, file := range listFiles(l.t, l.dir) {
		if base := filepath.Base(file); base != "share.json" && base != "visits" {
			l.t.Errorf("%s is left", file)
		}
	}
}

// A share is revoked if its snapshot cannot be written.
func TestUpdateLive_CannotWrite(t *testing.T) {
	l := newLiveFixture(t)
	path := l.reader.Path()
	if err := errors.Join(os.Remove(path), os.MkdirAll(filepath.Join(path, "x"), 0o700)); err != nil {
		t.Fatal(err)
	}
	l.agent.say(l.agent.leaf, "user", "more")
	l.follow()
	l.checkRevoked("could no longer follow")
}

// The snapshot of a revoked or expired share is not written again.
func TestUpdateLive_NotShown(t *testing.T) {
	l := newLiveFixture(t)
	q := wholeRequest(l.src)
	q.Live, q.Lifetime = true, time.Hour
	createShare(t, l.Shares, q)
	if err := l.Revoke(t.Context(), l.made.ID); err != nil {
		t.Fatal(err)
	}
	l.clock.time = l.clock.time.Add(2 * time.Hour)
	l.agent.say(l.agent.leaf, "user", "more")
	if changes, lines := l.follow(); len(changes) != 0 || lines != 0 || len(l.LivePaths()) != 0 {
		t.Errorf("%v, %d lines, %v", changes, lines, l.LivePaths())
	}
}

// An update recovers from a crash between writing the snapshot and its record, and from
// one while writing the snapshot.
func TestUpdateLive_AfterCrash(t *testing.T) {
	l := newLiveFixture(t)
	f, err := os.OpenFile(l.reader.Path(), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(`{"type":"message","id":"half`)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	l.agent.say(l.agent.leaf, "user", "more")
	l.follow()
	if diff := cmp.Diff(readSnapshot(t, l.src), readSnapshot(t, l.reader)); diff != "" {
		t.Error(diff)
	}
}

// Under concurrent use a revoked share is never shown and nothing deadlocks.
func TestConcurrentUse(t *testing.T) {
	l := newLiveFixture(t)
	l.Shares = openShares(t, l.dir, l.clock) // nil discards the messages
	other := openShares(t, l.dir, l.clock)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var all sync.WaitGroup
	for _, s := range []*share.Shares{l.Shares, other} {
		for range 2 {
			all.Go(func() {
				for range 20 {
					s.UpdateLive(ctx, l.src)
					if _, _, err := s.OpenSnapshot(ctx, l.token); err != nil && !errors.Is(err, share.ErrGone) {
						t.Error(err)
					}
					s.CountVisit(l.made.ID)
					s.List()
				}
			})
		}
	}
	all.Go(func() {
		for range 20 {
			l.agent.say(l.agent.leaf, "user", "on")
			if _, err := l.src.Refresh(ctx); err != nil {
				t.Error(err)
			}
		}
	})
	all.Go(func() {
		for n := range 5 {
			q := wholeRequest(l.src)
			q.Live = n%2 == 0
			_, made, err := other.Create(ctx, q)
			if err == nil {
				err = l.Shares.Revoke(ctx, made.ID)
			}
			if err == nil {
				err = other.Forget(ctx, made.ID)
			}
			if err != nil {
				t.Error(err)
			}
		}
	})
	all.Wait()
	l.UpdateLive(ctx, l.src)
	open, _, err := other.OpenSnapshot(ctx, l.token)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(readSnapshot(t, l.src), readSnapshot(t, open)); diff != "" {
		t.Error(diff)
	}
	if err := other.Revoke(ctx, l.made.ID); err != nil {
		t.Error(err)
	}
	if _, _, err := l.OpenSnapshot(ctx, l.token); !errors.Is(err, share.ErrGone) {
		t.Error(err)
	}
}
