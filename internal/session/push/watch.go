package push

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"

	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/roots"
)

const (
	flushDelay = 250 * time.Millisecond // from a change to its push: an agent writes several lines
	passEvery  = 10 * time.Minute       // between two looks at all files
	minBackoff = time.Second
	maxBackoff = 5 * time.Minute
)

// PathChanged notes that a file or directory has changed. It does not block.
func (p *Pusher) PathChanged(path string) {
	p.pendingMu.Lock()
	p.pending[path] = true
	p.pendingMu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Run pushes all sessions and then what changes, until ctx ends. While the hub cannot be
// reached or cannot store anything, it waits and tries again: nothing is lost, because the
// files are still there. It returns the error if the hub refuses this device.
func (p *Pusher) Run(ctx context.Context) error {
	wait, all := time.Duration(0), true
	nextPass := time.NewTimer(passEvery)
	defer nextPass.Stop()
	for {
		err := p.step(ctx, all)
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			wait, all = 0, false
		case !isTemporary(err):
			return err
		default:
			wait, all = nextBackoff(wait, err), true
			p.log.Warn("pushing again later", "after", wait.Round(time.Second), "err", err)
		}
		if all = p.await(ctx, nextPass, wait) || all; ctx.Err() != nil {
			return nil
		}
	}
}

// await waits until something changed, or after an error for some time. It reports whether a
// look at all files is due.
func (p *Pusher) await(ctx context.Context, nextPass *time.Timer, wait time.Duration) (all bool) {
	wake := p.wake
	delay := flushDelay
	if wait > 0 {
		wake, delay = nil, wait
	} else {
		select {
		case <-ctx.Done():
			return false
		case <-nextPass.C:
			nextPass.Reset(passEvery)
			return true
		case <-wake:
		}
	}
	t := time.NewTimer(delay)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
	return false
}

// nextBackoff returns how long to wait after a temporary error, of which the last wait was
// one. It differs between devices, so that they do not return at the same moment.
func nextBackoff(last time.Duration, err error) time.Duration {
	next := min(max(2*last, minBackoff), maxBackoff)
	next += rand.N(next / 2)
	var refused *hubError
	if errors.As(err, &refused) {
		next = max(next, refused.after)
	}
	return next
}

// step pushes what changed, or all sessions.
func (p *Pusher) step(ctx context.Context, all bool) error {
	p.pendingMu.Lock()
	paths := p.pending
	p.pending = map[string]bool{}
	p.pendingMu.Unlock()
	changed := slices.Collect(maps.Keys(paths))
	if len(changed) > 0 {
		p.catalog.UpdatePaths(ctx, changed...)
	}
	if all {
		_, err := p.PushAll(ctx)
		return err
	}
	report, err := p.pushSessions(ctx, p.sessionsOf(changed))
	for _, r := range report.Refused {
		p.log.Warn("not pushed", "path", r.Path, "reason", r.Reason)
	}
	return err
}

// sessionsOf returns the sessions that changed files belong to.
func (p *Pusher) sessionsOf(changed []string) []catalog.Summary {
	sessions := map[string]catalog.Summary{}
	for _, path := range changed {
		if s, ok := p.findSession(path); ok {
			sessions[s.Path] = s
		}
	}
	return slices.Collect(maps.Values(sessions))
}

// findSession returns the session that a file belongs to: its own, or the one in whose
// directory it is.
func (p *Pusher) findSession(path string) (catalog.Summary, bool) {
	if s, ok := p.catalog.FindByPath(path); ok {
		return s, true
	}
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if s, ok := p.catalog.FindByPath(dir + roots.SessionSuffix); ok {
			return s, true
		}
	}
	return catalog.Summary{}, false
}
