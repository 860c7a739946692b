package main

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"sessiontree/e2e/harness"
)

// follower is a page: it shows a session or the list, hears of changes over a socket,
// and asks for what is new. After a while it is closed and opened again elsewhere.
type follower struct {
	soak *soak
	rng  *rand.Rand
	list bool

	mu   sync.Mutex // guards what follows
	conn *websocket.Conn
	path string // file of the session
	view view

	ended atomic.Bool
	done  chan struct{}
}

// notice is a message of the socket without a body.
type notice struct {
	Topic, Kind string
	Status      int // of an answer
}

// start opens the page, and opens it again until it is closed.
func (f *follower) start() {
	f.done = make(chan struct{})
	go func() {
		defer close(f.done)
		for !f.ended.Load() {
			if err := f.visit(); err != nil && !f.ended.Load() {
				f.soak.errs.add("client: %v", err)
				time.Sleep(time.Second)
			}
		}
	}()
}

func (f *follower) close() {
	f.ended.Store(true)
	f.mu.Lock()
	if f.conn != nil {
		_ = f.conn.Close() // which ends the visit
	}
	f.mu.Unlock()
	<-f.done
}

// visit shows a page for some time.
func (f *follower) visit() error {
	if err := f.open(); err != nil {
		return err
	}
	conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(f.soak.server.URL, "http")+"/live", nil)
	if err != nil {
		return err
	}
	defer conn.Close()
	conn.SetPingHandler(func(text string) error { // the default gives up after a second
		return conn.WriteControl(websocket.PongMessage, []byte(text), time.Now().Add(harness.Patience))
	})
	f.mu.Lock()
	f.conn = conn // which close closes, unless it was there before
	if f.ended.Load() {
		f.mu.Unlock()
		return nil
	}
	topic := f.topic()
	sub := map[string]any{"sub": []map[string]string{{"topic": topic, "rev": f.view.rev}}}
	f.mu.Unlock()
	f.soak.counts.visits.Add(1)
	if err := conn.WriteJSON(sub); err != nil {
		return err
	}
	until := time.Now().Add(time.Duration(10+f.rng.IntN(50)) * time.Second)
	if !f.soak.ending.Load() {
		_ = conn.SetReadDeadline(until) // a failure shows when it reads
	}
	err = f.read(conn, topic)
	if time.Now().After(until) {
		return nil
	}
	return err
}

// read applies messages until the socket is closed.
func (f *follower) read(conn *websocket.Conn, topic string) error {
	q := asking{follower: f, conn: conn}
	for {
		_, data, err := conn.ReadMessage()
		if err != nil {
			return err
		}
		head, body, answer := strings.Cut(string(data), "\n")
		var n notice
		if err := json.Unmarshal([]byte(head), &n); err != nil {
			return err
		}
		f.mu.Lock()
		switch {
		case answer:
			err = q.answer(n.Status, body)
		case n.Topic == topic:
			f.soak.counts.notices.Add(1)
			err = q.notice(n)
		}
		f.mu.Unlock()
		if err != nil {
			return err
		}
	}
}

func (f *follower) topic() string {
	if f.list {
		return "library"
	}
	return "session:" + strings.TrimPrefix(f.view.address, "/sessions/")
}
