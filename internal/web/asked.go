package web

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/gorilla/websocket"
)

// reply is what a browser asked for over its socket: a fragment as a GET would
// have answered it. It goes out as a line of JSON and the fragment behind it.
type reply struct {
	Topic  string `json:"topic"` // "answer"
	ID     int64  `json:"id"`
	Status int    `json:"status"`
	body   []byte
}

func (k *socket) reply(a reply) error {
	if err := k.conn.SetWriteDeadline(time.Now().Add(writeWait)); err != nil {
		return err
	}
	w, err := k.conn.NextWriter(websocket.TextMessage)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(w).Encode(a); err != nil { // which ends the line
		return err
	}
	if _, err := w.Write(a.body); err != nil {
		return err
	}
	return w.Close()
}

// askable is what may be asked for over a socket: what came since a notice. A
// request of its own would cost as much time as all the rest of its way to the
// screen.
func (s *Server) askable() http.Handler {
	r := chi.NewRouter()
	r.Get("/sessions/{key}/news", s.serve(s.news))
	return r
}

// ask answers a request that came over a socket, whose peer was let in when it
// was opened. What is asked while another reply is made waits for it.
func (s *Server) ask(ctx context.Context, k *socket, q request) {
	a := reply{Topic: "answer", ID: q.ID, Status: http.StatusBadRequest}
	if r, err := http.NewRequestWithContext(ctx, http.MethodGet, q.Get, nil); err == nil {
		w := &fragment{header: http.Header{}, status: http.StatusOK}
		k.asks.ServeHTTP(w, r)
		a.Status, a.body = w.status, w.body.Bytes()
	}
	select {
	case k.answers <- a:
	case <-ctx.Done():
	}
}

// fragment keeps an reply.
type fragment struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (f *fragment) Header() http.Header         { return f.header }
func (f *fragment) WriteHeader(status int)      { f.status = status }
func (f *fragment) Write(b []byte) (int, error) { return f.body.Write(b) }
