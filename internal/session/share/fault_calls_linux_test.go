package share_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sessiontree/internal/sampletest"
	"sessiontree/internal/session/share"
	"sessiontree/internal/session/store"
	"sessiontree/internal/slowtest"
	"sessiontree/internal/syscallfault"
)

// faulty is shares of which one system call fails.
type faulty struct {
	t     *testing.T
	calls *syscallfault.Calls
	n     int // the call
	fault syscallfault.Fault
	hit   string
	dir   string
	clock *clock
	agent *agent
	src   *store.Session
}

// everyCall calls attempt until no call is left to fail, with each fault. It has to
// do its work in fails, and to check what is then.
func everyCall(t *testing.T, attempt func(f *faulty)) {
	calls := syscallfault.Run(t)
	if calls == nil {
		return
	}
	attempts := 0
	for _, fault := range syscallfault.Faults {
		for n := 0; ; n += sampletest.Step() {
			f := &faulty{t: t, calls: calls, n: n, fault: fault, dir: filepath.Join(t.TempDir(), "shares"), clock: newClock(), agent: newAgent(t, t.TempDir())}
			f.agent.say("", "user", "hello")
			f.agent.label(f.agent.leaf, "mark")
			f.agent.say(f.agent.leaf, "assistant", "hello yourself")
			f.src = openSource(t, f.agent.path)
			attempt(f)
			if f.hit == "" {
				break
			}
			attempts++
		}
	}
	t.Logf("%d attempts, in each of which one system call failed; lost = 0 unless reported above", attempts)
}

// fails has one system call of fn fail. The session's file must stay as it is.
func (f *faulty) fails(fn func()) {
	before, err := os.ReadFile(f.agent.path)
	if err != nil {
		f.t.Fatal(err)
	}
	f.hit = f.calls.Fail(f.n, f.fault, fn)
	if now, err := os.ReadFile(f.agent.path); err != nil || string(now) != string(before) {
		f.bad("the session was written to: %v", err)
	}
}

func (f *faulty) bad(format string, args ...any) {
	f.t.Helper()
	f.t.Errorf("%s in call %d, %s: "+format, append([]any{f.fault, f.n, f.hit}, args...)...)
}

// afresh reads the shares as another process does, long after.
func (f *faulty) afresh() *share.Shares {
	c := &clock{time.Now().Add(2 * time.Hour)}
	return openShares(f.t, f.dir, c)
}

// saidAside leaves out lines as they are recorded: that of an entry below a label names
// another parent in a snapshot.
var saidAside = cmpopts.IgnoreFields(snapshotState{}, "Said")

// shows wants a link to show what the session says.
func (f *faulty) shows(s *share.Shares, token string) {
	f.t.Helper()
	open, _, err := s.OpenSnapshot(f.t.Context(), token)
	if err != nil {
		f.bad("the link shows nothing: %v", err)
		return
	}
	if diff := cmp.Diff(readSnapshot(f.t, f.src), readSnapshot(f.t, open), saidAside); diff != "" {
		f.bad("the link does not show the session: %s", diff)
	}
}

// Whichever system call of making a share fails: there is a share that shows everything,
// or none at all, and a second attempt makes one.
func TestFault_create(t *testing.T) {
	slowtest.SkipIfShort(t)
	everyCall(t, func(f *faulty) {
		s := openShares(f.t, f.dir, f.clock)
		var token string
		var err error
		f.fails(func() { token, _, err = s.Create(f.t.Context(), wholeRequest(f.src)) })
		there := f.afresh().List()
		switch {
		case err == nil && len(there) == 1:
			f.shows(f.afresh(), token)
		case err == nil || len(there) != 0 || len(listFiles(f.t, f.dir)) != 0:
			f.bad("it says %v and there are %+v, %q", err, there, listFiles(f.t, f.dir))
		case !strings.Contains(err.Error(), filepath.Dir(f.dir)) && !strings.Contains(err.Error(), filepath.Dir(f.agent.path)):
			f.bad("the error names no file: %v", err)
		}
		token, _ = createShare(f.t, s, wholeRequest(f.src))
		f.shows(s, token)
	})
}

// Whichever system call of following a session fails: readers see what the session said
// before or says now, the next time all of it, or the share was revoked and says why.
func TestFault_follow(t *testing.T) {
	slowtest.SkipIfShort(t)
	everyCall(t, func(f *faulty) {
		s := openShares(f.t, f.dir, f.clock)
		q := wholeRequest(f.src)
		q.Live = true
		token, _ := createShare(f.t, s, q)
		reader, _, err := s.OpenSnapshot(f.t.Context(), token)
		if err != nil {
			f.t.Fatal(err)
		}
		before := entryIDs(reader)
		f.agent.say(f.agent.leaf, "user", "more")
		f.agent.label(f.agent.leaf, "later")
		f.fails(func() { s.UpdateLive(f.t.Context(), f.src) })
		for _, s := range []*share.Shares{s, f.afresh()} {
			open, now, err := s.OpenSnapshot(f.t.Context(), token)
			switch {
			case errors.Is(err, share.ErrGone) && !now.Revoked.IsZero() && now.RevokeReason != "":
			case err != nil:
				f.bad("the link shows nothing: %+v, %v", now, err)
			case !slices.Equal(entryIDs(open), before) && !cmp.Equal(readSnapshot(f.t, open), readSnapshot(f.t, f.src), saidAside):
				f.bad("the link shows neither what was nor what is: %v", entryIDs(open))
			}
		}
		s.UpdateLive(f.t.Context(), f.src)
		if now := s.List(); now[0].Revoked.IsZero() {
			f.shows(s, token)
		} else if now[0].RevokeReason == "" || len(f.afresh().List()) != 1 {
			f.bad("revoked without a reason: %+v", now)
		}
	})
}

// Whichever system call of revoking a share fails: where no error is reported the link
// shows nothing, and a second attempt leaves nothing of what was shared.
func TestFault_revoke(t *testing.T) {
	slowtest.SkipIfShort(t)
	everyCall(t, func(f *faulty) {
		s := openShares(f.t, f.dir, f.clock)
		token, made := createShare(f.t, s, wholeRequest(f.src))
		var err error
		f.fails(func() { err = s.Revoke(f.t.Context(), made.ID) })
		if _, _, shown := f.afresh().OpenSnapshot(f.t.Context(), token); err == nil && shown == nil {
			f.bad("it is shown still")
		}
		if err != nil && !strings.Contains(err.Error(), f.dir) {
			f.bad("the error names no file: %v", err)
		}
		if err := s.Revoke(f.t.Context(), made.ID); err != nil {
			f.bad("a second time: %v", err)
		}
		again := f.afresh()
		if list := again.List(); len(list) != 1 || list[0].StateAt(f.clock.now()) != share.Revoked {
			f.bad("the list is %+v", list)
		}
		for _, file := range listFiles(f.t, f.dir) {
			if filepath.Base(file) != "share.json" {
				f.bad("%s is left", file)
			}
		}
	})
}
