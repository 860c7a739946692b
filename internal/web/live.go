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

	// A socket that answers no ping for pongWait is given up; writeWait is how
	// long a peer may leave its receive buffer full.
	pongWait  = 60 * time.Second
	pingEvery = 25 * time.Second
	writeWait = 10 * time.Second

	maxSubscribe = 64 << 10 // bytes of one message from a browser
	maxTopics    = 64
)

// request is what a browser says: the topics it wants from now on and the
// revision of each that it shows; or the address of what it asks for, and the
// number by which it knows the answer.
type request struct {
	Sub []struct {
		Topic string `json:"topic"`
		Rev   string `json:"rev"`
	} `json:"sub"`
	Get string `json:"get"`
	ID  int64  `json:"id"`
}

// socket is one open connection. The handler's goroutine reads, one more writes.
type socket struct {
	conn *websocket.Conn
	sub  *subscriber
	gone chan struct{} // closed when the reader ends

	answers chan reply
	// held are the sessions it watches, by topic: as long as somebody holds one it
	// stays open and is polled. The reader holds them, and whoever finds one that
	// was away.
	mu   sync.Mutex // guards held
	held map[string]held

	// only is the one session that the readers of a share hear of; nil is all.
	only *view.Shown
	asks http.Handler // what is asked for
}

type held struct {
	sess   *store.Session
	unview func()
}

// upgrader keeps gorilla's origin check: a page of another origin may not open a
// socket here.
var upgrader = websocket.Upgrader{HandshakeTimeout: writeWait}

// live serves a socket until either side ends it.
func (s *Server) live(w http.ResponseWriter, r *http.Request) error {
	return s.connect(s.ctx, w, r, &socket{asks: s.overSocket})
}

// readersUpgrader lets pages of any origin in: the secret stands in the address, no
// cookie counts, and behind a proxy the page's origin is not the name it asks for.
var readersUpgrader = websocket.Upgrader{HandshakeTimeout: writeWait, CheckOrigin: func(*http.Request) bool { return true }}

// connect serves a socket until either side ends it, or ctx does.
func (s *Server) connect(ctx context.Context, w http.ResponseWriter, r *http.Request, k *socket) error {
	if !s.sockets.add() {
		return errClosing
	}
	defer s.sockets.done()
	up := &upgrader
	if k.only != nil {
		up = &readersUpgrader
	}
	conn, err := up.Upgrade(w, r, nil)
	if err != nil {
		s.log.Debug("socket refused", "err", err) // Upgrade has answered
		return nil
	}
	// The request's context ends with the upgrade; the socket has its own.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	k.conn, k.sub, k.gone, k.answers, k.held = conn, newSubscriber(), make(chan struct{}), make(chan reply), map[string]held{}
	written := make(chan struct{})
	go func() {
		defer close(written)
		defer cancel()     // so that nobody waits to have an answer written
		defer conn.Close() // ends the reader
		k.write(ctx, s.epoch)
	}()
	k.read(func(q request) {
		if q.Get != "" {
			s.ask(ctx, k, q)
		} else {
			s.subscribe(ctx, k, q)
		}
	})
	close(k.gone)
	<-written
	for _, t := range k.sub.following() {
		s.unsubscribe(k, t)
	}
	return nil
}

func (k *socket) read(take func(request)) {
	k.conn.SetReadLimit(maxSubscribe)
	alive := func(string) error { return k.conn.SetReadDeadline(time.Now().Add(pongWait)) }
	k.conn.SetPongHandler(alive)
	_ = alive("")
	for {
		var q request
		_, data, err := k.conn.ReadMessage()
		if err != nil || json.Unmarshal(data, &q) != nil {
			return
		}
		take(q)
	}
}

// write sends the greeting, then notices as they come. It returns when the
// socket is of no more use.
func (k *socket) write(ctx context.Context, epoch string) {
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	if k.hello(epoch) != nil {
		return
	}
	for {
		var err error
		select {
		case <-k.sub.ready:
			err = k.flush()
		case a := <-k.answers:
			err = k.reply(a)
		case <-ping.C:
			err = k.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeWait))
		case <-k.gone:
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

func (k *socket) hello(epoch string) error {
	if err := k.conn.SetWriteDeadline(time.Now().Add(writeWait)); err != nil {
		return err
	}
	text, err := json.Marshal(map[string]string{"topic": "hello", "epoch": epoch, "assets": static.Prefix()})
	if err != nil {
		return err
	}
	return k.conn.WriteMessage(websocket.TextMessage, text) // without a line's end, behind which a page looks for an answer
}

func (k *socket) flush() error {
	for _, n := range k.sub.take() {
		if err := n.prepare(); err != nil {
			return err
		}
		if err := k.conn.SetWriteDeadline(time.Now().Add(writeWait)); err != nil {
			return err
		}
		if err := k.conn.WritePreparedMessage(n.frame); err != nil {
			return err
		}
	}
	return nil
}

// subscribe makes q the socket's set of topics. Each is resolved again, even one
// followed already: the browser says what it shows, and is told the rest. All of
// them together wait as long as one: the socket is not read meanwhile.
func (s *Server) subscribe(ctx context.Context, k *socket, q request) {
	want := map[string]string{}
	for _, t := range q.Sub {
		if len(want) < maxTopics && k.hears(t.Topic) {
			want[t.Topic] = t.Rev
		}
	}
	for _, t := range k.sub.following() {
		if _, keep := want[t]; !keep {
			s.unsubscribe(k, t)
		}
	}
	until := time.Now().Add(s.findWait)
	for _, wish := range q.Sub { // in the browser's order
		t := wish.Topic
		rev, ok := want[t]
		if !ok {
			continue
		}
		delete(want, t)
		k.sub.follow(t)
		s.hub.join(t, k.sub)
		k.sub.resolve(t, func() (store.Rev, *notice) { return s.resume(ctx, k, t, rev, until) })
	}
}

// hears reports whether the socket may follow a topic.
func (k *socket) hears(topic string) bool {
	if k.only != nil {
		return topic == topicSession+k.only.Key()
	}
	return knownTopic(topic)
}

func (s *Server) unsubscribe(k *socket, topic string) {
	s.hub.leave(topic, k.sub)
	k.sub.unfollow(topic)
	k.mu.Lock()
	defer k.mu.Unlock()
	s.awaited.drop(topic, k)
	k.release(topic)
}

// hold keeps a session open and polled for as long as the socket follows topic.
func (s *Server) hold(k *socket, topic string, sess *store.Session) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.sub.follows(topic) { // no more: nobody would release it
		return
	}
	s.awaited.drop(topic, k)
	if k.held[topic].sess == sess {
		return
	}
	k.release(topic)
	k.held[topic] = held{sess, s.watch(sess.Path())}
}

// await makes the socket hear of the session when it is there.
func (s *Server) await(k *socket, topic string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.sub.follows(topic) {
		s.awaited.add(topic, k)
	}
}

// release lets a session go. The caller holds the lock.
func (k *socket) release(topic string) {
	if h, ok := k.held[topic]; ok {
		h.unview()
		delete(k.held, topic)
	}
}
