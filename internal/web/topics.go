package web

// topics knows who follows which topic. Its owner locks it.
type topics[T comparable] map[string]map[T]struct{}

func (t topics[T]) join(topic string, who T) {
	if t[topic] == nil {
		t[topic] = map[T]struct{}{}
	}
	t[topic][who] = struct{}{}
}

func (t topics[T]) leave(topic string, who T) {
	delete(t[topic], who)
	if len(t[topic]) == 0 {
		delete(t, topic)
	}
}
