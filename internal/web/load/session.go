// Package load reads what pages show. It locks trees and reads bodies; internal/web/view
// builds the models.
package load

import (
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/spend"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
)

// SessionView is a session as shown to an audience.
type SessionView struct {
	*store.Session
	Audience view.Audience
	Owned    spend.Ownership // which requests belong to the session
}

// ShowsLive reports whether the session is shown as being written. A snapshot that is not
// live never is.
func (s SessionView) ShowsLive(now time.Time) bool {
	return s.isFollowed() && session.IsLive(s.LastAgentWrite().UnixMilli(), now.UnixMilli())
}

// isFollowed reports whether what the agent does now is shown.
func (s SessionView) isFollowed() bool {
	return (s.Audience.Snapshot == nil || s.Audience.Snapshot.Live) && s.FileError() == nil
}

// NewScene returns the scene of the session's tree, which must be locked, for parameters. It
// has no outline.
func (s SessionView) NewScene(c view.Config, t *session.Tree, rev store.Revision, p view.Params, now time.Time) (view.Scene, error) {
	sc, err := view.NewScene(c, s.Audience, t, p)
	sc.Key, sc.Rev, sc.Live, sc.Owned = s.Key(), rev.String(), s.ShowsLive(now), s.Owned
	sc.RunsTool = s.isFollowed() && session.MayRunTool(s.LastAgentWrite().UnixMilli(), now.UnixMilli())
	return sc, err
}
