package live

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"sessiontree/internal/session/follow"
	"sessiontree/internal/session/store"
	"sessiontree/web/static"
)

const (
	// pongTimeout is how long a socket may leave pings unanswered; writeTimeout is how long
	// a peer may leave its receive buffer full.
	pongTimeout  = 60 * time.Second
	pingInterval = 25 * time.Second
	writeTimeout = 10 * time.Second

	maxSocketMessage = 64 << 10 // bytes of one message from a browser
	maxSocketTopics  = 64
)

// socketRequest is a message from a browser: either the topics it follows from now on, each
// with the revision it shows, or the address of a request and the id of its reply. A request
// with After is served once its topic has changed after that revision.
type socketRequest struct {
	Sub   []topicRevision `json:"sub"`
	Get   string          `json:"get"`
	ID    int64           `json:"id"`
	After *topicRevision  `json:"after"`
}

// topicRevision is a revision of a topic that a browser shows.
type topicRevision struct {
	Topic string `json:"topic"`
	Rev   string `json:"rev"`
}

// socket is one open connection. The handler's goroutine reads; another one writes.
type socket struct {
	conn       *websocket.Conn
	subscriber *subscriber
	readerDone chan struct{} // closed when reading ends

	replies chan socketReply
	// waitingRequest is the request to serve after the next notice of its topic, or nil.
	waitingRequest atomic.Pointer[socketRequest]

	follower *follow.Follower
	// heldSessions are the sessions that the socket follows, by topic. A held session stays
	// open and is polled. The reading goroutine adds sessions, and so does the follower if
	// they appear later. The topic of the list holds no session, but keeps it up to date.
	mu           sync.Mutex // guards heldSessions
	heldSessions map[string]follow.HeldSession

	options SocketOptions
}

// SocketOptions are what a socket may do.
type SocketOptions struct {
	// Only is the only session that viewers of a share may follow; nil allows all topics.
	Only *store.Session
	// Requests serves requests over the socket.
	Requests http.Handler
}

// upgrader uses gorilla's origin check: pages of other origins may not open a socket.
var upgrader = websocket.Upgrader{HandshakeTimeout: writeTimeout}

// shareUpgrader allows pages of any origin: the address contains the secret, cookies do not
// count, and behind a proxy the page's origin differs from the Host header.
var shareUpgrader = websocket.Upgrader{HandshakeTimeout: writeTimeout, CheckOrigin: func(*http.Request) bool { return true }}

// ServeSocket serves a socket until either side closes it or ctx ends.
func (s *Sockets) ServeSocket(ctx context.Context, w http.ResponseWriter, r *http.Request, o SocketOptions) error {
	if !s.running.tryStart() {
		return ErrClosing
	}
	defer s.running.finishTask()
	up := &upgrader
	if o.Only != nil {
		up = &shareUpgrader
	}
	conn, err := up.Upgrade(w, r, nil)
	if err != nil {
		s.log.Debug("socket refused", "err", err) // Upgrade has responded
		return nil
	}
	// The request's context ends with the upgrade, so the socket gets its own.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	k := newSocket(conn, s.follower, o)
	written := make(chan struct{})
	go func() {
		defer close(written)
		defer cancel()     // so that no request waits for its reply to be written
		defer conn.Close() // ends readRequests
		k.writeMessages(ctx, s.epoch)
	}()
	k.readRequests(func(q socketRequest) {
		switch {
		case q.Get == "":
			s.setSubscriptions(ctx, k, q)
		case q.After != nil:
			k.serveAfterChange(ctx, q)
		default:
			k.serveRequest(ctx, q)
		}
	})
	close(k.readerDone)
	<-written
	for _, t := range k.subscriber.followedTopics() {
		s.unsubscribeTopic(k, t)
	}
	return nil
}

func newSocket(conn *websocket.Conn, f *follow.Follower, o SocketOptions) *socket {
	return &socket{
		conn: conn, subscriber: newSubscriber(), readerDone: make(chan struct{}), replies: make(chan socketReply),
		follower: f, heldSessions: map[string]follow.HeldSession{}, options: o,
	}
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

// writeMessages sends the greeting, then notices and replies. It returns when the socket is
// closed or broken.
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
			if err = k.writeNotices(); err == nil {
				err = k.writeWaitingReply(ctx)
			}
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
	return k.conn.WriteMessage(websocket.TextMessage, text) // without a newline, which would mark it as a reply
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
