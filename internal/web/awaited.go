package web

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
)

// awaited knows the topics whose session could not be found, and the sockets that
// follow them: nobody holds the session, so nobody would hear of it when it is
// there again.
type awaited struct {
	mu  sync.Mutex
	by  topics[*socket]
	due chan struct{} // holds a token while a topic may have been found
}

func newAwaited() *awaited {
	return &awaited{by: topics[*socket]{}, due: make(chan struct{}, 1)}
}

// add makes a socket wait for a topic. The session may have come since it was
// looked for.
func (a *awaited) add(topic string, k *socket) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.by.join(topic, k)
	signal(a.due)
}

func (a *awaited) drop(topic string, k *socket) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.by.leave(topic, k)
}

func (a *awaited) topics() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Collect(maps.Keys(a.by))
}

// take answers the sockets that wait for a topic; they wait no more.
func (a *awaited) take(topic string) []*socket {
	a.mu.Lock()
	defer a.mu.Unlock()
	ks := slices.Collect(maps.Keys(a.by[topic]))
	delete(a.by, topic)
	return ks
}

// runAwaited tells those who wait for a session that it is there.
func (s *Server) runAwaited(ctx context.Context) {
	pace(ctx, s.awaited.due, func() {
		for _, topic := range s.awaited.topics() {
			s.arrived(ctx, topic)
		}
	})
}

// arrived looks for the session of a topic that is waited for, among those the
// catalog knows by now. Where it cannot be had yet, the next change of the list is
// the next occasion.
func (s *Server) arrived(ctx context.Context, topic string) {
	key := strings.TrimPrefix(topic, topicSession)
	if _, ok := s.catalog.Find(key); !ok {
		return
	}
	sess, err := s.find(ctx, key)
	if err != nil {
		s.log.Debug("still away", "topic", topic, "err", err)
		return
	}
	for _, k := range s.awaited.take(topic) {
		s.hold(k, topic, sess)
	}
	if _, n := resumeSession(sess, topic, ""); n != nil {
		s.announce(*n)
	}
}
