package web

import (
	"context"
	"errors"
	"strings"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

func isTopic(t string) bool {
	return t == topicLibrary || len(t) > len(topicSession) && strings.HasPrefix(t, topicSession)
}

// resumeTopic returns the state of a topic and the notice that leads there from the
// browser's revision, or nil if the browser is up to date. It waits until the deadline for
// an unknown session.
func (s *Server) resumeTopic(ctx context.Context, k *socket, topic, rev string, until time.Time) (store.Revision, *notice) {
	if k.onlySession != nil {
		return resumeSession(k.onlySession.Session, topic, rev)
	}
	if topic == topicLibrary {
		return s.resumeLibrary(rev)
	}
	key := strings.TrimPrefix(topic, topicSession)
	sess, err := s.findSessionUntil(ctx, key, until)
	var moved *movedError
	if errors.As(err, &moved) {
		if sess, err := s.findSessionUntil(ctx, moved.key, until); err == nil {
			s.opened.addUnderKey(key, sess)
			s.holdSession(k, topic, sess)
			s.awaitSession(k, topic) // it may be moved back
			return resumeSession(sess, topic, "")
		}
	}
	if err != nil {
		s.awaitSession(k, topic)
		return store.Revision{}, &notice{Topic: topic, Kind: noticeKindOfError(err)}
	}
	s.holdSession(k, topic, sess)
	return resumeSession(sess, topic, rev)
}

// noticeKindOfError returns the kind of notice for a session that was not found. A session
// that moved or is not known yet can be requested again.
func noticeKindOfError(err error) noticeKind {
	var moved *movedError
	if errors.As(err, &moved) || errors.Is(err, context.DeadlineExceeded) {
		return kindRewrite
	}
	return kindRemove
}

func (s *Server) resumeLibrary(rev string) (store.Revision, *notice) {
	now := s.listRevision()
	switch has, err := store.ParseRevision(rev); {
	case err != nil || has.Epoch != now.Epoch:
		return now, &notice{Topic: topicLibrary, Rev: now, Kind: kindRewrite}
	case has.N < now.N:
		return now, &notice{Topic: topicLibrary, Rev: now}
	}
	return now, nil
}

func resumeSession(sess *store.Session, topic, rev string) (store.Revision, *notice) {
	has, err := store.ParseRevision(rev)
	from, same := session.NoPos, false
	if err == nil {
		from, same = sess.FirstEntrySince(has)
	}
	n := notice{Topic: topic, Kind: kindRewrite}
	sess.ReadTree(func(t *session.Tree, now store.Revision) {
		n.Rev = now
		if l := t.Leaf(); l != session.NoPos {
			n.Leaf = t.At(l).ID
		}
		if same && has.Epoch == now.Epoch {
			n.Kind = appendNoticeKind(t, from)
			n.Entries, _ = t.AppendedSince(from)
		}
	})
	if n.Kind != kindRewrite && has == n.Rev {
		return n.Rev, nil
	}
	return n.Rev, &n
}

// appendNoticeKind returns the kind of notice for the entries from a position on.
func appendNoticeKind(t *session.Tree, from session.Pos) noticeKind {
	if changesOlderEntries(t, from) {
		return kindLabel
	}
	return kindAppend
}

// changesOlderEntries reports whether an entry from a position on changes how older ones
// are shown.
func changesOlderEntries(t *session.Tree, from session.Pos) bool {
	for p := from; int(p) < t.Len(); p++ {
		switch e := t.At(p); e.Kind {
		case session.KindLabel, session.KindArchive, session.KindContextEdit:
			return true
		default:
			if e.StartsThread() {
				return true
			}
		}
	}
	return false
}
