package serve

import (
	"context"
	"log/slog"

	"sessiontree/internal/session/format"
	"sessiontree/internal/session/keep"
	"sessiontree/internal/session/roots"
	"sessiontree/internal/session/safefile"
)

// newKeeper returns the keeper of the user's directories. It is nil for the demo, and where
// nothing can be stored.
func (a *app) newKeeper(o *Options, dirs []string, stateDir string, log *slog.Logger) (*keep.Keeper, error) {
	if o.demo || stateDir == "" || !safefile.IsSupported {
		return nil, nil
	}
	set, err := roots.New(dirs, o.followLinks, nil)
	if err != nil {
		return nil, err
	}
	return keep.New(keep.Config{StateDir: stateDir, Roots: set, Formats: format.All, Log: log, OnChange: a.keepChanged}), nil
}

// copies returns the copies from which deleted files are read, nil if there are none.
func (a *app) copies() roots.Copies {
	if a.keeper == nil {
		return nil
	}
	return a.keeper.Copies()
}

// keepChanged handles a change of the state of copies. It does not block.
func (a *app) keepChanged() {
	if a.web != nil {
		a.web.KeepChanged()
	}
}

// pathChanged handles a changed path. It does not block.
func (a *app) pathChanged(path string) {
	a.follower.PathChanged(path)
	if a.keeper != nil {
		a.keeper.PathChanged(path)
	}
}

// runKeeper copies session files until ctx ends, while the settings say so.
func (a *app) runKeeper(ctx context.Context) {
	if a.keeper != nil {
		a.keeper.Run(ctx)
	}
}
