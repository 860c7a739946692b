package web

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"

	"sessiontree/web/static"
)

const (
	topicLibrary = "library"
	topicSession = "session:" // + key

	// A socket that answers no ping for pongTimeout is given up; writeWait is how
	// long a peer may leave its receive buffer full.
	pongTimeout  = 60 * time.Second
	pingInterval = 25 * time.Second
	writeTimeout = 10 * time.Second

	maxSocketMessage = 64 << 10 // bytes of one message from a browser
	maxSocketTopics  = 64
)

// socketRequest is what a browser says: the topics it wants from now on and the
// revision of each that it shows; or the address of what it asks for, and the
// number by which it knows the answer.
type socketRequest struct {
	Sub []struct {
		Topic string `json:"topic"`
		Rev   string `json:"rev"`
	} `json:"sub"`
	Get string `json:"get"`
	ID  int64  `json:"id"`
}

// socket is one open connection. The handler's goroutine reads, one more writes.
type socket struct {
	conn       *websocket.Conn
	subscriber *subscriber
	readerDone chan struct{} // closed when the reader ends

	replies chan socketReply
	// held are the sessions it watches, by topic: as long as somebody holds one it
	// stays open and is polled. The reader holds them, and whoever finds one that
	// was away.
	mu           sync.Mutex // guards held
	heldSessions map[string]heldSession

	// onlySession is the one session that the readers of a share hear of; nil is all.
	onlySession    *view.SessionView
	requestHandler http.Handler // what is asked for
}

type heldSession struct {
	sess         *store.Session
	stopWatching func()
}

// upgrader keeps gorilla's origin check: a page of another origin may not open a
// socket here.
var upgrader = websocket.Upgrader{HandshakeTimeout: writeTimeout}

// serveSocket serves a socket until either side ends it.
func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) error {
	return s.runSocket(s.ctx, w, r, &socket{requestHandler: s.socketHandler})
}

// shareUpgrader lets pages of any origin in: the secret stands in the address, no
// cookie counts, and behind a proxy the page's origin is not the name it asks for.
var shareUpgrader = websocket.Upgrader{HandshakeTimeout: writeTimeout, CheckOrigin: func(*http.Request) bool { return true }}

// runSocket serves a socket until either side ends it, or ctx does.
func (s *Server) runSocket(ctx context.Context, w http.ResponseWriter, r *http.Request, k *socket) error {
	if !s.sockets.tryStart() {
		return errClosing
	}
	defer s.sockets.finishTask()
	up := &upgrader
	if k.onlySession != nil {
		up = &shareUpgrader
	}
	conn, err := up.Upgrade(w, r, nil)
	if err != nil {
		s.log.Debug("socket refused", "err", err) // Upgrade has answered
		return nil
	}
	// The request's context ends with the upgrade; the socket has its own.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	k.conn, k.subscriber, k.readerDone, k.replies, k.heldSessions = conn, newSubscriber(), make(chan struct{}), make(chan socketReply), map[string]heldSession{}
	written := make(chan struct{})
	go func() {
		defer close(written)
		defer cancel()     // so that nobody waits to have an answer written
		defer conn.Close() // ends the reader
		k.writeMessages(ctx, s.epoch)
	}()
	k.readRequests(func(q socketRequest) {
		if q.Get != "" {
			s.serveSocketRequest(ctx, k, q)
		} else {
			s.setSubscriptions(ctx, k, q)
		}
	})
	close(k.readerDone)
	<-written
	for _, t := range k.subscriber.followedTopics() {
		s.unsubscribeTopic(k, t)
	}
	return nil
}

func (k *socket) readRequests(take func(socketRequest)) {
	k.conn.SetReadLimit(maxSocketMessage)
	alive := func(string) error { return k.conn.SetReadDeadline(time.Now().Add(pongTimeout)) }
	k.conn.SetPongHandler(alive)
	_ = alive("")
	for {
		var q socketRequest
		_, data, err := k.conn.ReadMessage()
		if err != nil || json.Unmarshal(data, &q) != nil {
			return
		}
		take(q)
	}
}

// writeMessages sends the greeting, then notices as they come. It returns when the
// socket is of no more use.
func (k *socket) writeMessages(ctx context.Context, epoch string) {
	ping := time.NewTicker(pingInterval)
	defer ping.Stop()
	if k.writeGreeting(epoch) != nil {
		return
	}
	for {
		var err error
		select {
		case <-k.subscriber.ready:
			err = k.writeNotices()
		case a := <-k.replies:
			err = k.writeReply(a)
		case <-ping.C:
			err = k.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeTimeout))
		case <-k.readerDone:
			return
		case <-ctx.Done():
			bye := websocket.FormatCloseMessage(websocket.CloseGoingAway, "server stops")
			_ = k.conn.WriteControl(websocket.CloseMessage, bye, time.Now().Add(time.Second))
			return
		}
		if err != nil {
			return
		}
	}
}

func (k *socket) writeGreeting(epoch string) error {
	if err := k.conn.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	text, err := json.Marshal(map[string]string{"topic": "hello", "epoch": epoch, "assets": static.Prefix()})
	if err != nil {
		return err
	}
	return k.conn.WriteMessage(websocket.TextMessage, text) // without a line's end, behind which a page looks for an answer
}

func (k *socket) writeNotices() error {
	for _, n := range k.subscriber.takePending() {
		if err := n.prepareFrame(); err != nil {
			return err
		}
		if err := k.conn.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
			return err
		}
		if err := k.conn.WritePreparedMessage(n.frame); err != nil {
			return err
		}
	}
	return nil
}

// setSubscriptions makes q the socket's set of topics. Each is resolved again, even one
// followed already: the browser says what it shows, and is told the rest. All of
// them together wait as long as one: the socket is not read meanwhile.
func (s *Server) setSubscriptions(ctx context.Context, k *socket, q socketRequest) {
	want := map[string]string{}
	for _, t := range q.Sub {
		if len(want) < maxSocketTopics && k.canFollow(t.Topic) {
			want[t.Topic] = t.Rev
		}
	}
	for _, t := range k.subscriber.followedTopics() {
		if _, keep := want[t]; !keep {
			s.unsubscribeTopic(k, t)
		}
	}
	until := time.Now().Add(s.findTimeout)
	for _, wish := range q.Sub { // in the browser's order
		t := wish.Topic
		rev, ok := want[t]
		if !ok {
			continue
		}
		delete(want, t)
		k.subscriber.followTopic(t)
		s.hub.addSubscriber(t, k.subscriber)
		k.subscriber.resolveTopic(t, func() (store.Revision, *notice) { return s.resumeTopic(ctx, k, t, rev, until) })
	}
}

// canFollow reports whether the socket may follow a topic.
func (k *socket) canFollow(topic string) bool {
	if k.onlySession != nil {
		return topic == topicSession+k.onlySession.Key()
	}
	return isTopic(topic)
}

func (s *Server) unsubscribeTopic(k *socket, topic string) {
	s.hub.removeSubscriber(topic, k.subscriber)
	k.subscriber.unfollowTopic(topic)
	k.mu.Lock()
	defer k.mu.Unlock()
	s.pendingTopics.removeWaiting(topic, k)
	k.releaseSession(topic)
}

// holdSession keeps a session open and polled for as long as the socket follows topic.
func (s *Server) holdSession(k *socket, topic string, sess *store.Session) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.subscriber.isFollowing(topic) { // no more: nobody would release it
		return
	}
	s.pendingTopics.removeWaiting(topic, k)
	if k.heldSessions[topic].sess == sess {
		return
	}
	k.releaseSession(topic)
	k.heldSessions[topic] = heldSession{sess, s.watch(sess.Path())}
}

// awaitSession makes the socket hear of the session when it is there.
func (s *Server) awaitSession(k *socket, topic string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.subscriber.isFollowing(topic) {
		s.pendingTopics.addWaiting(topic, k)
	}
}

// releaseSession lets a session go. The caller holds the lock.
func (k *socket) releaseSession(topic string) {
	if h, ok := k.heldSessions[topic]; ok {
		h.stopWatching()
		delete(k.heldSessions, topic)
	}
}
