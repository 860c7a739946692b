// Package fileedits finds what the tools of a session did to files, and reads their edits.
package fileedits

import (
	"context"
	"errors"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/session/store"
)

// chunkCalls is the number of calls whose bodies are held in memory at a time.
const chunkCalls = 50

// Read adds the edits of calls to edits, which tells their limits. The error is session.ErrStale
// if the session was reloaded since the epoch of the calls.
func Read(ctx context.Context, s *store.Session, epoch uint64, calls []filediff.Call, edits filediff.Edits) (*filediff.Edits, error) {
	for chunk := range slices.Chunk(calls, chunkCalls) {
		bodies, err := ReadBodies(ctx, s, filediff.Positions(chunk))
		if err != nil {
			return nil, err
		}
		s.ReadTree(func(t *session.Tree, rev store.Revision) {
			if rev.Epoch != epoch {
				err = session.ErrStale
				return
			}
			edits.Read(t, chunk, bodies)
		})
		if err != nil {
			return nil, err
		}
	}
	return &edits, nil
}

// ReadBodies reads entries. The body of one that cannot be read is nil.
func ReadBodies(ctx context.Context, sess *store.Session, ps []session.Pos) (filediff.Bodies, error) {
	bodies, err := sess.ReadBodies(ctx, ps)
	found := make(map[session.Pos]*session.Body, len(ps))
	if err == nil {
		for i := range ps {
			found[ps[i]] = &bodies[i]
		}
		return func(p session.Pos) *session.Body { return found[p] }, nil
	}
	if errors.Is(err, session.ErrStale) || ctx.Err() != nil {
		return nil, err
	}
	for _, p := range ps {
		body, err := sess.ReadBody(ctx, p)
		switch {
		case errors.Is(err, session.ErrStale) || ctx.Err() != nil:
			return nil, err
		case err == nil:
			found[p] = &body
		}
	}
	return func(p session.Pos) *session.Body { return found[p] }, nil
}
