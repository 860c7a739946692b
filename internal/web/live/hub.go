package live

import (
	"sync"

	"sessiontree/internal/session/follow"
	"sessiontree/internal/session/store"
)

// hub distributes notices to the sockets that follow their topics. Publishing never blocks:
// a notice that is not sent yet is merged with the next one.
type hub struct {
	mu     sync.RWMutex
	topics topicMembers[*subscriber]
}

func newHub() *hub { return &hub{topics: topicMembers[*subscriber]{}} }

// publishToTopic adds n to every subscriber of its topic.
func (h *hub) publishToTopic(n notice) error {
	h.mu.RLock()
	defer h.mu.RUnlock()
	subs := h.topics[n.Topic]
	if len(subs) == 0 {
		return nil
	}
	if err := n.prepareFrame(); err != nil {
		return err
	}
	for s := range subs {
		s.addNotice(n)
	}
	return nil
}

func (h *hub) addSubscriber(topic string, s *subscriber) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.topics.addMember(topic, s)
}

func (h *hub) removeSubscriber(topic string, s *subscriber) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.topics.removeMember(topic, s)
}

// subscriber holds the topics that one socket follows and the notices that are not sent
// yet, at most one per topic.
type subscriber struct {
	ready chan struct{} // holds a token while notices are pending

	mu      sync.Mutex
	topics  map[string]*topicState
	pending []notice
}

// topicState is the state of a topic for one subscriber.
type topicState struct {
	sentRev store.Revision
	// resolving is set while the first notice is computed from the topic's state; dirty is
	// set by a change in the meantime, which restarts the computation.
	resolving, dirty bool
}

func newSubscriber() *subscriber {
	return &subscriber{ready: make(chan struct{}, 1), topics: map[string]*topicState{}}
}

// addNotice queues a notice. It drops a state that was sent already, because resumed state
// and changes may arrive in any order. For the same reason it turns the first notice of an
// epoch into a rewrite: the rewrite itself may arrive later and be dropped.
func (s *subscriber) addNotice(n notice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.topics[n.Topic]
	switch {
	case st == nil:
		return
	case st.resolving:
		st.dirty = true
		return
	case n.Rev.Epoch < st.sentRev.Epoch:
		return
	case n.Kind != follow.Removed && n.Rev.Epoch == st.sentRev.Epoch && n.Rev.N <= st.sentRev.N:
		return
	}
	if n.Rev.Epoch != st.sentRev.Epoch && n.Kind < follow.Rewritten {
		n.Kind, n.frame = follow.Rewritten, nil
	}
	st.sentRev = n.Rev
	s.queueNotice(n)
}

func (s *subscriber) queueNotice(n notice) {
	for i := range s.pending {
		if s.pending[i].Topic == n.Topic {
			s.pending[i] = s.pending[i].mergeNewer(n)
			return
		}
	}
	s.pending = append(s.pending, n)
	select {
	case s.ready <- struct{}{}:
	default:
	}
}

// takePending returns the pending notices and clears them.
func (s *subscriber) takePending() []notice {
	s.mu.Lock()
	defer s.mu.Unlock()
	ns := s.pending
	s.pending = nil
	return ns
}

// resolveTopic starts following a topic. The function current returns the topic's state and
// the notice to send first, or nil if the browser is up to date.
func (s *subscriber) resolveTopic(topic string, current func() (now store.Revision, n *notice)) {
	for {
		s.mu.Lock()
		st := s.topics[topic]
		if st == nil {
			s.mu.Unlock()
			return
		}
		st.dirty = false
		s.mu.Unlock()

		now, n := current()

		s.mu.Lock()
		if !st.dirty {
			st.resolving, st.sentRev = false, now
			if n != nil {
				s.queueNotice(*n)
			}
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
	}
}

// followTopic adds a topic, which has to be resolved. It drops what is pending for the
// topic, because the resolution covers it.
func (s *subscriber) followTopic(topic string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.topics[topic] = &topicState{resolving: true}
	s.dropPending(topic)
}

// unfollowTopic removes a topic and what is pending for it.
func (s *subscriber) unfollowTopic(topic string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.topics, topic)
	s.dropPending(topic)
}

func (s *subscriber) dropPending(topic string) {
	for i := range s.pending {
		if s.pending[i].Topic == topic {
			s.pending = append(s.pending[:i], s.pending[i+1:]...)
			return
		}
	}
}

// sentRevision returns the revision of the last notice of a topic, which may still be queued.
func (s *subscriber) sentRevision(topic string) (rev store.Revision, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.topics[topic]
	if st == nil || st.resolving {
		return rev, false
	}
	return st.sentRev, true
}

func (s *subscriber) isFollowing(topic string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.topics[topic] != nil
}

// followedTopics returns the topics of the subscriber.
func (s *subscriber) followedTopics() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ts []string
	for t := range s.topics {
		ts = append(ts, t)
	}
	return ts
}
