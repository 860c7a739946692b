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
	// Rev is a revision that the reply to a request with After contains. It may contain a
	// newer one.
	Rev  string `json:"rev,omitempty"`
	body []byte
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

// serveRequest replies to a request over a socket. Requests are served one at a time, besides one
// that waited for a change.
func (k *socket) serveRequest(ctx context.Context, q socketRequest) {
	k.sendReply(ctx, k.computeReply(ctx, q))
}

// serveAfterChange serves a request once its topic has changed after the revision that the
// browser shows: now, if the browser was sent a newer one, else after the next notice. So
// the reply to a notice needs no round trip. It replaces an earlier request that still waits.
func (k *socket) serveAfterChange(ctx context.Context, q socketRequest) {
	k.waitingRequest.Store(&q)
	if a, ok := k.computeWaitingReply(ctx); ok {
		k.sendReply(ctx, a)
	}
}

// writeWaitingReply replies to the waiting request if its topic has changed.
func (k *socket) writeWaitingReply(ctx context.Context) error {
	a, ok := k.computeWaitingReply(ctx)
	if !ok {
		return nil
	}
	return k.writeReply(a)
}

// computeWaitingReply computes the reply to the waiting request, once, if its topic has
// changed.
func (k *socket) computeWaitingReply(ctx context.Context) (a socketReply, ok bool) {
	q := k.waitingRequest.Load()
	if q == nil {
		return a, false
	}
	rev, ok := k.subscriber.sentRevision(q.After.Topic)
	if !ok || rev.String() == q.After.Rev || !k.waitingRequest.CompareAndSwap(q, nil) {
		return a, false
	}
	a = k.computeReply(ctx, *q)
	a.Rev = rev.String()
	return a, true
}

// computeReply computes the reply to a request. Its peer was admitted when the socket was
// opened.
func (k *socket) computeReply(ctx context.Context, q socketRequest) socketReply {
	a := socketReply{Topic: "answer", ID: q.ID, Status: http.StatusBadRequest}
	if r, err := http.NewRequestWithContext(ctx, http.MethodGet, q.Get, nil); err == nil {
		w := &fragmentRecorder{header: http.Header{}, status: http.StatusOK}
		k.options.Requests.ServeHTTP(w, r)
		a.Status, a.body = w.status, w.body.Bytes()
	}
	return a
}

func (k *socket) sendReply(ctx context.Context, a socketReply) {
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
