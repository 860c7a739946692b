package live

// topicMembers maps topics to their followers. The owner locks it.
type topicMembers[T comparable] map[string]map[T]struct{}

func (t topicMembers[T]) addMember(topic string, who T) {
	if t[topic] == nil {
		t[topic] = map[T]struct{}{}
	}
	t[topic][who] = struct{}{}
}

func (t topicMembers[T]) removeMember(topic string, who T) {
	delete(t[topic], who)
	if len(t[topic]) == 0 {
		delete(t, topic)
	}
}
