package postgres

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// channel is the name of the notifications of a hub.
const channel = "explorer_hub"

// Limits of notifications. Those of PostgreSQL have up to 8,000 bytes.
const (
	notifyEvery = 50 * time.Millisecond
	maxPayload  = 7500
	maxWaiting  = 4000 // paths; when there are more, all files may have changed
)

// message is a notification.
type message struct {
	From  string   `json:"from"`  // the process
	Paths [][]byte `json:"paths"` // none if all files may have changed
	Team  bool     `json:"team"`  // also which files there are, or who may read them
}

// bus tells the processes of a hub which files changed.
type bus struct {
	pool *pgxpool.Pool
	log  *slog.Logger
	self string

	mu          sync.Mutex
	subscribers map[int]func([]string)
	next        int
	waiting     []string // paths that are to be sent, in the order of their changes
	isWaiting   map[string]bool
	all         bool // all files may have changed
	team        bool // of the next message
	wake        chan struct{}

	version   atomic.Int64 // number of messages about the team
	isOffline atomic.Bool  // messages of others are not received
}

// currentVersion returns a number that is another one after a message, or if there may have
// been one.
func (b *bus) currentVersion() int64 {
	if b.isOffline.Load() {
		return b.version.Add(1)
	}
	return b.version.Load()
}

func newBus(pool *pgxpool.Pool, log *slog.Logger) *bus {
	return &bus{pool: pool, log: log, self: rand.Text(), subscribers: map[int]func([]string){}, isWaiting: map[string]bool{}, wake: make(chan struct{}, 1)}
}

// Subscribe calls fn with the paths of files that were added, appended to, deleted or made
// visible to others, by any process of the hub, at most every 50 ms per process. Without
// paths all files may have changed. fn must not block.
func (db *DB) Subscribe(fn func(paths []string)) (unsubscribe func()) {
	b := db.bus
	b.mu.Lock()
	defer b.mu.Unlock()
	n := b.next
	b.next++
	b.subscribers[n] = fn
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.subscribers, n)
	}
}

// noteTeam says that a file is new, or that what is known of it changed.
func (b *bus) noteTeam(path string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.team = true
	b.noteLocked(path)
}

// note says that files changed; without paths all may have.
func (b *bus) note(paths ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.noteLocked(paths...)
}

func (b *bus) noteLocked(paths ...string) {
	for _, path := range paths {
		if !b.isWaiting[path] {
			b.isWaiting[path] = true
			b.waiting = append(b.waiting, path)
		}
	}
	if len(paths) == 0 || len(b.waiting) > maxWaiting {
		b.waiting, b.all = nil, true
		clear(b.isWaiting)
	}
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// newMessage returns the message that files changed; without paths all may have.
func newMessage(paths ...string) (m message) {
	for _, path := range paths {
		m.Paths = append(m.Paths, []byte(path))
	}
	return m
}

// take returns the next message, if there is one. Paths that do not fit wait.
func (b *bus) take() (m message, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	m.From, m.Team, b.team = b.self, b.team, false
	if b.all {
		b.waiting, b.all = nil, false
		clear(b.isWaiting)
		return m, true
	}
	if len(b.waiting) == 0 {
		return m, false // was sent with an earlier message
	}
	size, n := len(m.From)+40, 0
	for ; n < len(b.waiting); n++ {
		path := b.waiting[n]
		if size += len(path)*4/3 + 8; size > maxPayload && n > 0 {
			break
		}
		m.Paths = append(m.Paths, []byte(path))
		delete(b.isWaiting, path)
	}
	b.waiting = b.waiting[n:]
	if size > maxPayload && n == 1 && len(m.Paths) == 1 {
		m.Paths = nil // one path that is too long
	}
	return m, true
}

// send sends what changed, and calls the subscribers of this process.
func (b *bus) send(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.wake:
		}
		for m, ok := b.take(); ok && ctx.Err() == nil; m, ok = b.take() {
			b.publish(m)
			b.notify(ctx, m)
			pause(ctx, notifyEvery)
		}
	}
}

// notify tells the other processes, as soon as the database can be reached.
func (b *bus) notify(ctx context.Context, m message) {
	for wait := notifyEvery; ctx.Err() == nil; wait = min(2*wait, maxNotifyWait) {
		payload, err := json.Marshal(m)
		if err == nil {
			_, err = b.pool.Exec(ctx, `SELECT pg_notify($1, $2)`, channel, string(payload))
		}
		if err == nil {
			return
		}
		b.log.Warn("other processes of the hub were not notified, this is tried again", "err", err)
		pause(ctx, wait)
	}
}

// notifyWith tells the other processes with the transaction of a change, so that they learn of
// it also if this process is killed. It is for rare changes: notifications make transactions
// wait for each other. The caller publishes the message after the transaction.
func (b *bus) notifyWith(ctx context.Context, tx pgx.Tx, m message) error {
	m.From = b.self
	payload, err := json.Marshal(m)
	if err == nil && len(payload) > maxPayload {
		payload, err = json.Marshal(message{From: b.self, Team: true})
	}
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `SELECT pg_notify($1, $2)`, channel, string(payload))
	return err
}

// publish calls the subscribers.
func (b *bus) publish(m message) {
	if m.Team || len(m.Paths) == 0 {
		b.version.Add(1)
	}
	var paths []string
	for _, path := range m.Paths {
		paths = append(paths, string(path))
	}
	b.mu.Lock()
	var all []func([]string)
	for _, fn := range b.subscribers {
		all = append(all, fn)
	}
	b.mu.Unlock()
	for _, fn := range all {
		fn(paths)
	}
}
