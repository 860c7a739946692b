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
	topics topics[*subscriber]
}

func newHub() *hub { return &hub{topics: topics[*subscriber]{}} }

// publish gives n to every subscriber of its topic.
func (h *hub) publish(n notice) error {
	h.mu.RLock()
	defer h.mu.RUnlock()
	subs := h.topics[n.Topic]
	if len(subs) == 0 {
		return nil
	}
	if err := n.prepare(); err != nil {
		return err
	}
	for s := range subs {
		s.add(n)
	}
	return nil
}

// sessions lists the keys of the sessions that sockets follow.
func (h *hub) sessions() (keys []string) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for topic := range h.topics {
		if key, ok := strings.CutPrefix(topic, topicSession); ok {
			keys = append(keys, key)
		}
	}
	return keys
}

func (h *hub) join(topic string, s *subscriber) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.topics.join(topic, s)
}

func (h *hub) leave(topic string, s *subscriber) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.topics.leave(topic, s)
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
	told store.Rev
	// resolving: what to tell first is being worked out from the topic itself.
	// A change in the meantime only makes that start over.
	resolving, dirty bool
}

func newSubscriber() *subscriber {
	return &subscriber{ready: make(chan struct{}, 1), topics: map[string]*topicState{}}
}

// add takes in a notice. One of a state that was told already is dropped: the
// resume and changes, told by whoever found them, may meet here in any order. For
// the same reason the first notice of an epoch is a rewrite: the one that says so
// may come after it, and then be dropped.
func (s *subscriber) add(n notice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.topics[n.Topic]
	switch {
	case st == nil:
		return
	case st.resolving:
		st.dirty = true
		return
	case n.Rev.Epoch < st.told.Epoch:
		return
	case n.Kind != kindRemove && n.Rev.Epoch == st.told.Epoch && n.Rev.N <= st.told.N:
		return
	}
	if n.Rev.Epoch != st.told.Epoch && n.Kind < kindRewrite {
		n.Kind, n.frame = kindRewrite, nil
	}
	st.told = n.Rev
	s.push(n)
}

func (s *subscriber) push(n notice) {
	for i := range s.pending {
		if s.pending[i].Topic == n.Topic {
			s.pending[i] = s.pending[i].merge(n)
			return
		}
	}
	s.pending = append(s.pending, n)
	select {
	case s.ready <- struct{}{}:
	default:
	}
}

// take answers what is pending and clears it.
func (s *subscriber) take() []notice {
	s.mu.Lock()
	defer s.mu.Unlock()
	ns := s.pending
	s.pending = nil
	return ns
}

// resolve begins to follow a topic from what current says: the state now and the
// notice that leads to it, if one is needed.
func (s *subscriber) resolve(topic string, current func() (now store.Rev, n *notice)) {
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
			st.resolving, st.told = false, now
			if n != nil {
				s.push(*n)
			}
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
	}
}

// follow makes topic one of the subscriber's, still to be resolved. What was
// pending for it is covered by the resolution.
func (s *subscriber) follow(topic string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.topics[topic] = &topicState{resolving: true}
	s.forget(topic)
}

// unfollow drops a topic and what is pending for it.
func (s *subscriber) unfollow(topic string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.topics, topic)
	s.forget(topic)
}

func (s *subscriber) forget(topic string) {
	for i := range s.pending {
		if s.pending[i].Topic == topic {
			s.pending = append(s.pending[:i], s.pending[i+1:]...)
			return
		}
	}
}

func (s *subscriber) follows(topic string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.topics[topic] != nil
}

// following lists the topics.
func (s *subscriber) following() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ts []string
	for t := range s.topics {
		ts = append(ts, t)
	}
	return ts
}
