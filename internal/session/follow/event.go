package follow

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// Event reports the state of a topic after a change. A page that shows the state at Rev needs no
// earlier event.
type Event struct {
	Topic   string
	Rev     store.Revision
	Kind    Kind
	Leaf    string // id of the leaf
	Entries int    // new entries
}

// Topics of events. Those of sessions contain the session's key.
const (
	ListTopic    = "library"
	SharesTopic  = "shares" // a share may have ended
	sessionTopic = "session:"
)

// SessionTopic returns the topic of the session with a key.
func SessionTopic(key string) string { return sessionTopic + key }

// SessionKey returns the key of the session that a topic is about, or false for other
// topics.
func SessionKey(topic string) (key string, ok bool) {
	key, ok = strings.CutPrefix(topic, sessionTopic)
	return key, ok && key != ""
}

// Kind is what has to be done about a change. The order matters: of several changes the
// greatest kind counts.
type Kind uint8

// Kinds of changes.
const (
	Appended  Kind = iota // entries were added
	Labeled               // older entries are displayed differently
	Rewritten             // everything has to be read again
	Removed
)

func kindOfChange(c store.Change) Kind {
	switch {
	case c.Kind == store.Removed:
		return Removed
	case c.Kind == store.Rewritten:
		return Rewritten
	case c.Labels:
		return Labeled
	}
	return Appended
}

func sessionEvent(sess *store.Session, c store.Change) Event {
	return Event{Topic: SessionTopic(sess.Key()), Rev: c.Rev, Kind: kindOfChange(c), Leaf: c.Leaf, Entries: c.Entries}
}

// StateSince returns the event that leads to the current state of a session for those who
// show the given revision; news is false if they show the current state. Without a revision
// of the same epoch they have to read everything again. That the file cannot be read any more is always
// news, because it leaves the revision as it is.
func StateSince(sess *store.Session, topic, rev string) (e Event, news bool) {
	has, err := store.ParseRevision(rev)
	from, same := session.NoPos, false
	if err == nil {
		from, same = sess.FirstEntrySince(has)
	}
	e = Event{Topic: topic, Kind: Rewritten}
	sess.ReadTree(func(t *session.Tree, now store.Revision) {
		e.Rev = now
		if l := t.Leaf(); l != session.NoPos {
			e.Leaf = t.At(l).ID
		}
		if !same || has.Epoch != now.Epoch {
			return
		}
		e.Kind = Appended
		if ChangesOlderEntries(t, from) {
			e.Kind = Labeled
		}
		e.Entries, _ = t.AppendedSince(from)
	})
	switch {
	case e.Kind == Rewritten:
	case sess.FileError() == nil:
		return e, has != e.Rev
	case has == e.Rev:
		e.Kind = Removed
	default:
		e.Kind = Rewritten
	}
	return e, true
}

// ListSince returns the event that leads to the current list of sessions for those who show
// the given revision; news is false if they show the current list.
func (f *Follower) ListSince(rev string) (e Event, news bool) {
	e = Event{Topic: ListTopic, Rev: f.ListRevision()}
	has, err := store.ParseRevision(rev)
	if err != nil || has.Epoch != e.Rev.Epoch {
		e.Kind = Rewritten
	}
	return e, e.Kind == Rewritten || has.N < e.Rev.N
}

// ChangesOlderEntries reports whether an entry from a position on changes how older ones
// are displayed.
func ChangesOlderEntries(t *session.Tree, from session.Pos) bool {
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
