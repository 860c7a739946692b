package web

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
)

// pendingTopics holds the topics whose session was not found and the sockets that follow
// them. Nobody holds such a session open, so no change of it would be reported.
type pendingTopics struct {
	mu      sync.Mutex
	sockets topicMembers[*socket]
	wake    chan struct{} // holds a token while a topic may be resolvable
}

func newPendingTopics() *pendingTopics {
	return &pendingTopics{sockets: topicMembers[*socket]{}, wake: make(chan struct{}, 1)}
}

// addWaiting adds a socket that waits for a topic. It wakes the resolver because the
// session may have appeared since the lookup.
func (a *pendingTopics) addWaiting(topic string, k *socket) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sockets.addMember(topic, k)
	trySignal(a.wake)
}

func (a *pendingTopics) removeWaiting(topic string, k *socket) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sockets.removeMember(topic, k)
}

func (a *pendingTopics) listTopics() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Collect(maps.Keys(a.sockets))
}

// takeWaiting removes and returns the sockets that wait for a topic.
func (a *pendingTopics) takeWaiting(topic string) []*socket {
	a.mu.Lock()
	defer a.mu.Unlock()
	ks := slices.Collect(maps.Keys(a.sockets[topic]))
	delete(a.sockets, topic)
	return ks
}

// runPendingTopics resolves topics as their sessions appear.
func (s *Server) runPendingTopics(ctx context.Context) {
	runRateLimited(ctx, s.pendingTopics.wake, func() {
		for _, topic := range s.pendingTopics.listTopics() {
			s.resolvePendingTopic(ctx, topic)
		}
	})
}

// resolvePendingTopic opens the session of a pending topic if the catalog has it by now,
// and notifies the sockets that wait. If it cannot be opened yet, the next change of the
// list triggers another try.
func (s *Server) resolvePendingTopic(ctx context.Context, topic string) {
	key := strings.TrimPrefix(topic, topicSession)
	if _, ok := s.catalog.FindByKey(key); !ok {
		return
	}
	sess, err := s.findSession(ctx, key)
	if err != nil {
		s.log.Debug("still away", "topic", topic, "err", err)
		return
	}
	for _, k := range s.pendingTopics.takeWaiting(topic) {
		s.holdSession(k, topic, sess)
	}
	if _, n := resumeSession(sess, topic, ""); n != nil {
		s.publishNotice(*n)
	}
}
