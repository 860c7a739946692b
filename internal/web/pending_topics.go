package web

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
)

// pendingTopics knows the topics whose session could not be found, and the sockets that
// follow them: nobody holds the session, so nobody would hear of it when it is
// there again.
type pendingTopics struct {
	mu      sync.Mutex
	sockets topicMembers[*socket]
	wake    chan struct{} // holds a token while a topic may have been found
}

func newPendingTopics() *pendingTopics {
	return &pendingTopics{sockets: topicMembers[*socket]{}, wake: make(chan struct{}, 1)}
}

// addWaiting makes a socket wait for a topic. The session may have come since it was
// looked for.
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

// takeWaiting answers the sockets that wait for a topic; they wait no more.
func (a *pendingTopics) takeWaiting(topic string) []*socket {
	a.mu.Lock()
	defer a.mu.Unlock()
	ks := slices.Collect(maps.Keys(a.sockets[topic]))
	delete(a.sockets, topic)
	return ks
}

// runPendingTopics tells those who wait for a session that it is there.
func (s *Server) runPendingTopics(ctx context.Context) {
	runRateLimited(ctx, s.pendingTopics.wake, func() {
		for _, topic := range s.pendingTopics.listTopics() {
			s.resolvePendingTopic(ctx, topic)
		}
	})
}

// resolvePendingTopic looks for the session of a topic that is waited for, among those the
// catalog knows by now. Where it cannot be had yet, the next change of the list is
// the next occasion.
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
