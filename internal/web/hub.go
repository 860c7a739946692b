package web

import (
	"strings"
	"sync"

	"sessiontree/internal/session/store"
)

// hub hands notices from whoever saw a change to the sockets that asked for the
// topic. Publishing never blocks: what a subscriber has not taken yet is merged
// with what comes next.
type hub struct {
	mu     sync.RWMutex
	topics topicMembers[*subscriber]
}

func newHub() *hub { return &hub{topics: topicMembers[*subscriber]{}} }

// publishToTopic gives n to every subscriber of its topic.
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

// followedSessions lists the keys of the sessions that sockets follow.
func (h *hub) followedSessions() (keys []string) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for topic := range h.topics {
		if key, ok := strings.CutPrefix(topic, topicSession); ok {
			keys = append(keys, key)
		}
	}
	return keys
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

// subscriber is the server's side of one socket: the topics it follows and the
// notices it has not been sent yet, one at most for each topic.
type subscriber struct {
	ready chan struct{} // holds a token while something is pending

	mu      sync.Mutex
	topics  map[string]*topicState
	pending []notice
}

// topicState is what a subscriber knows of a topic.
type topicState struct {
	sentRev store.Revision
	// resolving: what to tell first is being worked out from the topic itself.
	// A change in the meantime only makes that start over.
	resolving, dirty bool
}

func newSubscriber() *subscriber {
	return &subscriber{ready: make(chan struct{}, 1), topics: map[string]*topicState{}}
}

// addNotice takes in a notice. One of a state that was told already is dropped: the
// resume and changes, told by whoever found them, may meet here in any order. For
// the same reason the first notice of an epoch is a rewrite: the one that says so
// may come after it, and then be dropped.
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
	case n.Kind != kindRemove && n.Rev.Epoch == st.sentRev.Epoch && n.Rev.N <= st.sentRev.N:
		return
	}
	if n.Rev.Epoch != st.sentRev.Epoch && n.Kind < kindRewrite {
		n.Kind, n.frame = kindRewrite, nil
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

// takePending answers what is pending and clears it.
func (s *subscriber) takePending() []notice {
	s.mu.Lock()
	defer s.mu.Unlock()
	ns := s.pending
	s.pending = nil
	return ns
}

// resolveTopic begins to follow a topic from what current says: the state now and the
// notice that leads to it, if one is needed.
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

// followTopic makes topic one of the subscriber's, still to be resolved. What was
// pending for it is covered by the resolution.
func (s *subscriber) followTopic(topic string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.topics[topic] = &topicState{resolving: true}
	s.dropPending(topic)
}

// unfollowTopic drops a topic and what is pending for it.
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

func (s *subscriber) isFollowing(topic string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.topics[topic] != nil
}

// followedTopics lists the topics.
func (s *subscriber) followedTopics() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ts []string
	for t := range s.topics {
		ts = append(ts, t)
	}
	return ts
}
