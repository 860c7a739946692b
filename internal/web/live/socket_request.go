package live

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/gorilla/websocket"
)

// socketReply is the response to a request over a socket: what a GET of the same address
// would return. It is sent as a line of JSON followed by the body.
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
	if err := json.NewEncoder(w).Encode(a); err != nil { // ends the line
		return err
	}
	if _, err := w.Write(a.body); err != nil {
		return err
	}
	return w.Close()
}

// serveRequest replies to a request over a socket, whose peer was admitted when the
// socket was opened. Requests are served one at a time.
func (k *socket) serveRequest(ctx context.Context, q socketRequest) {
	a := socketReply{Topic: "answer", ID: q.ID, Status: http.StatusBadRequest}
	if r, err := http.NewRequestWithContext(ctx, http.MethodGet, q.Get, nil); err == nil {
		w := &fragmentRecorder{header: http.Header{}, status: http.StatusOK}
		k.options.Requests.ServeHTTP(w, r)
		a.Status, a.body = w.status, w.body.Bytes()
	}
	select {
	case k.replies <- a:
	case <-ctx.Done():
	}
}

// fragmentRecorder is an http.ResponseWriter that records the response.
type fragmentRecorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (f *fragmentRecorder) Header() http.Header         { return f.header }
func (f *fragmentRecorder) WriteHeader(status int)      { f.status = status }
func (f *fragmentRecorder) Write(b []byte) (int, error) { return f.body.Write(b) }
