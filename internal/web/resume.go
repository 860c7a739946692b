package web

import (
	"context"
	"errors"
	"strings"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

func knownTopic(t string) bool {
	return t == topicLibrary || len(t) > len(topicSession) && strings.HasPrefix(t, topicSession)
}

// resume answers where a topic stands and the one notice that leads there from
// the revision a browser has; nil when that is the present one. It waits until a
// time for a session to become known.
func (s *Server) resume(ctx context.Context, k *socket, topic, rev string, until time.Time) (store.Rev, *notice) {
	if k.only != nil {
		return resumeSession(k.only.Session, topic, rev)
	}
	if topic == topicLibrary {
		return s.resumeLibrary(rev)
	}
	key := strings.TrimPrefix(topic, topicSession)
	sess, err := s.findBy(ctx, key, until)
	var moved *movedError
	if errors.As(err, &moved) {
		if sess, err := s.findBy(ctx, moved.key, until); err == nil {
			s.seen.addAs(key, sess)
			s.hold(k, topic, sess)
			s.await(k, topic) // it may come back
			return resumeSession(sess, topic, "")
		}
	}
	if err != nil {
		s.await(k, topic)
		return store.Rev{}, &notice{Topic: topic, Kind: kindOf(err)}
	}
	s.hold(k, topic, sess)
	return resumeSession(sess, topic, rev)
}

// kindOf says what a browser has to do about a session that cannot be found: one
// that moved, or is not known yet, is there when the page is asked for again.
func kindOf(err error) noticeKind {
	var moved *movedError
	if errors.As(err, &moved) || errors.Is(err, context.DeadlineExceeded) {
		return kindRewrite
	}
	return kindRemove
}

func (s *Server) resumeLibrary(rev string) (store.Rev, *notice) {
	now := s.libraryRev()
	switch has, err := store.ParseRev(rev); {
	case err != nil || has.Epoch != now.Epoch:
		return now, &notice{Topic: topicLibrary, Rev: now, Kind: kindRewrite}
	case has.N < now.N:
		return now, &notice{Topic: topicLibrary, Rev: now}
	}
	return now, nil
}

func resumeSession(sess *store.Session, topic, rev string) (store.Rev, *notice) {
	has, err := store.ParseRev(rev)
	from, same := session.NoPos, false
	if err == nil {
		from, same = sess.Since(has)
	}
	n := notice{Topic: topic, Kind: kindRewrite}
	sess.Read(func(t *session.Tree, now store.Rev) {
		n.Rev = now
		if l := t.Leaf(); l != session.NoPos {
			n.Leaf = t.At(l).ID
		}
		if same && has.Epoch == now.Epoch {
			n.Kind = appended(t, from)
			n.Entries, _ = t.Came(from)
		}
	})
	if n.Kind != kindRewrite && has == n.Rev {
		return n.Rev, nil
	}
	return n.Rev, &n
}

// appended tells what kind of notice the entries from a position on call for.
func appended(t *session.Tree, from session.Pos) noticeKind {
	if touchesOthers(t, from) {
		return kindLabel
	}
	return kindAppend
}

// touchesOthers reports whether an entry from a position on changes how older
// ones are shown.
func touchesOthers(t *session.Tree, from session.Pos) bool {
	for p := from; int(p) < t.Len(); p++ {
		switch e := t.At(p); e.Kind {
		case session.KindLabel, session.KindArchive, session.KindContextEdit:
			return true
		default:
			if e.Begins() {
				return true
			}
		}
	}
	return false
}
