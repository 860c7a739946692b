// Package live notifies browsers of changes over sockets: a socket follows topics and gets a
// notice of each of their events. A slow browser delays nobody and misses nothing, because
// notices describe a state and are merged until they can be sent.
package live

import (
	"cmp"
	"context"
	"errors"
	"log/slog"

	"sessiontree/internal/session/follow"
)

// ErrClosing reports that the server stops.
var ErrClosing = errors.New("the server stops")

// Sockets serves the sockets of a server.
type Sockets struct {
	follower *follow.Follower
	epoch    string
	log      *slog.Logger
	hub      *hub
	running  taskGroup
	ctx      context.Context // ends with Close
	cancel   context.CancelFunc
}

// New returns Sockets that publish the events of f. The epoch identifies the run of the
// server; a nil log discards logs.
func New(f *follow.Follower, epoch string, log *slog.Logger) *Sockets {
	s := &Sockets{follower: f, epoch: epoch, log: cmp.Or(log, slog.New(slog.DiscardHandler)), hub: newHub()}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	f.Subscribe(s.publishEvent)
	return s
}

// publishEvent notifies the sockets that follow the topic of an event.
func (s *Sockets) publishEvent(e follow.Event) {
	if err := s.hub.publishToTopic(notice{Event: e}); err != nil {
		s.log.Error("notice lost", "topic", e.Topic, "err", err)
	}
}

// CountOpen returns the number of open sockets.
func (s *Sockets) CountOpen() int { return s.running.countRunning() }

// Close closes all sockets and waits for them.
func (s *Sockets) Close() {
	s.cancel()
	s.running.closeAndWait()
}
