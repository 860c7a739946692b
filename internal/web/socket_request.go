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

// socketReply is what a browser asked for over its socket: a fragment as a GET would
// have answered it. It goes out as a line of JSON and the fragment behind it.
type socketReply struct {
	Topic  string `json:"topic"` // "answer"
	ID     int64  `json:"id"`
	Status int    `json:"status"`
	body   []byte
}

func (k *socket) writeReply(a socketReply) error {
	if err := k.conn.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
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

// socketRoutes is what may be asked for over a socket: what came since a notice. A
// request of its own would cost as much time as all the rest of its way to the
// screen.
func (s *Server) socketRoutes() http.Handler {
	r := chi.NewRouter()
	r.Get("/sessions/{key}/news", s.handleErrors(s.serveUpdates))
	return r
}

// serveSocketRequest answers a request that came over a socket, whose peer was let in when it
// was opened. What is asked while another reply is made waits for it.
func (s *Server) serveSocketRequest(ctx context.Context, k *socket, q socketRequest) {
	a := socketReply{Topic: "answer", ID: q.ID, Status: http.StatusBadRequest}
	if r, err := http.NewRequestWithContext(ctx, http.MethodGet, q.Get, nil); err == nil {
		w := &fragmentRecorder{header: http.Header{}, status: http.StatusOK}
		k.requestHandler.ServeHTTP(w, r)
		a.Status, a.body = w.status, w.body.Bytes()
	}
	select {
	case k.replies <- a:
	case <-ctx.Done():
	}
}

// fragmentRecorder keeps an reply.
type fragmentRecorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (f *fragmentRecorder) Header() http.Header         { return f.header }
func (f *fragmentRecorder) WriteHeader(status int)      { f.status = status }
func (f *fragmentRecorder) Write(b []byte) (int, error) { return f.body.Write(b) }
