package serve

import "runtime/debug"

// fillGCPercent is how many percent the heap may grow between two collections while the list of
// sessions is read, which is done an eighth sooner than with the usual 100. With 400 it is not done
// sooner yet, and takes 50 MB more.
const fillGCPercent = 200

// collectLess makes the garbage collector run less often until restore is called.
func collectLess() (restore func()) {
	before := debug.SetGCPercent(fillGCPercent)
	if before < 0 || before > fillGCPercent { // as GOGC says
		debug.SetGCPercent(before)
	}
	return func() { debug.SetGCPercent(before) }
}
