package keep

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"
)

const (
	flushDelay    = 500 * time.Millisecond
	settingsEvery = time.Second // between two looks at the settings
	passEvery     = time.Hour
	retryAfter    = 30 * time.Second // after an error
	restAge       = 30 * time.Second // of files whose copies are compacted
	maxCompacted  = 20               // copies in a row: changed files wait meanwhile
)

// PathChanged notes that a file or directory has changed. It does not block.
func (k *Keeper) PathChanged(path string) {
	k.mu.Lock()
	k.pending[path] = true
	k.mu.Unlock()
	k.notifyPending()
}

// notifyPending wakes the goroutine of Run.
func (k *Keeper) notifyPending() {
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

// Run copies files until ctx ends: all of them at the start and each hour, and changed ones
// soon after PathChanged, while the settings say so.
func (k *Keeper) Run(ctx context.Context) {
	var passes sync.WaitGroup
	defer passes.Wait()
	passDue := make(chan struct{}, 1)
	passes.Go(func() { k.runPasses(ctx, passDue) })
	settings := time.NewTicker(settingsEvery)
	defer settings.Stop()
	r := runner{keeper: k, passDue: passDue}
	for {
		select {
		case <-ctx.Done():
			return
		case <-settings.C:
		case <-k.wake:
			if !waitFor(ctx, k.flushDelay) {
				return
			}
		}
		r.step(ctx)
	}
}

// waitFor waits. It reports false if ctx ended.
func waitFor(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// runPasses makes a pass over all files whenever one is due.
func (k *Keeper) runPasses(ctx context.Context, due <-chan struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-due:
			_ = k.KeepAll(ctx) // the report has the error
		}
	}
}

// runner is the state of the goroutine of Run.
type runner struct {
	keeper   *Keeper
	passDue  chan<- struct{}
	nextPass time.Time
	retry    map[string]bool // paths that could not be copied
	retryAt  time.Time
}

// step does what is due.
func (r *runner) step(ctx context.Context) {
	k := r.keeper
	settings, err := k.settings.load()
	if err != nil {
		k.setError(err)
	}
	if !settings.IsActive() {
		k.takePending() // the pass after switching it on finds them
		r.nextPass, r.retry = time.Time{}, nil
		return
	}
	if now := k.now(); !now.Before(r.nextPass) {
		r.nextPass = now.Add(passEvery)
		select {
		case r.passDue <- struct{}{}:
		default: // the last one is still running
		}
	}
	r.copyChanged(ctx)
	k.compactResting(ctx)
}

// takePending returns the changed paths since the last call.
func (k *Keeper) takePending() map[string]bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	paths := k.pending
	k.pending = map[string]bool{}
	return paths
}

// copyChanged copies the changed files, and those that could not be copied some time ago.
func (r *runner) copyChanged(ctx context.Context) {
	k := r.keeper
	paths := k.takePending()
	if len(r.retry) > 0 && !k.now().Before(r.retryAt) {
		maps.Copy(paths, r.retry)
		r.retry = nil
	}
	if len(paths) == 0 {
		return
	}
	var failed []error
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		err := k.EnforceQuota(ctx)
		if err == nil {
			err = k.copyPath(ctx, path)
		}
		if err == nil || ctx.Err() != nil {
			continue
		}
		if failed = append(failed, err); r.retry == nil {
			r.retry, r.retryAt = map[string]bool{}, k.now().Add(retryAfter)
		}
		r.retry[path] = true
	}
	if err := errors.Join(failed...); err != nil || len(r.retry) == 0 {
		k.setError(err)
	}
}

// noteGrowth notes that the copy of a file grew.
func (k *Keeper) noteGrowth(path string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.growing[path] = k.now()
}

// takeResting returns some files whose copies have not grown for a while.
func (k *Keeper) takeResting() (paths []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for path, last := range k.growing {
		if len(paths) < maxCompacted && k.now().Sub(last) > restAge {
			paths = append(paths, path)
			delete(k.growing, path)
		}
	}
	return paths
}

// compactResting compacts the copies of files that have not changed for a while.
func (k *Keeper) compactResting(ctx context.Context) {
	for _, path := range k.takeResting() {
		if err := k.archive.Compact(ctx, path); err != nil && ctx.Err() == nil {
			k.setError(err)
		}
	}
}
