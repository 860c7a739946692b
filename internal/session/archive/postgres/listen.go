package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

// Waits before the bus tries again.
const (
	minReconnect  = 100 * time.Millisecond
	maxReconnect  = 10 * time.Second
	maxNotifyWait = time.Second
)

// connect returns a connection that receives notifications.
func (b *bus) connect(ctx context.Context) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, b.pool.Config().ConnConfig)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, `LISTEN `+channel); err != nil {
		return nil, errors.Join(err, conn.Close(ctx))
	}
	return conn, nil
}

// listen receives what other processes change. After a lost connection all files may have
// changed.
func (b *bus) listen(ctx context.Context, conn *pgx.Conn) {
	for ctx.Err() == nil {
		err := b.receive(ctx, conn)
		b.isOffline.Store(true)
		for wait := minReconnect; err != nil && ctx.Err() == nil; wait = min(2*wait, maxReconnect) {
			b.log.Warn("changes by other processes of the hub are not seen until the database is back", "err", err)
			pause(ctx, wait)
			conn, err = b.connect(ctx)
		}
		if err == nil {
			b.isOffline.Store(false)
			b.publish(message{})
		}
	}
}

// receive receives notifications until the connection is lost.
func (b *bus) receive(ctx context.Context, conn *pgx.Conn) error {
	defer conn.Close(context.WithoutCancel(ctx))
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		var m message
		if err := json.Unmarshal([]byte(n.Payload), &m); err != nil {
			b.log.Warn("notification", "err", err)
			continue
		}
		if m.From != b.self {
			b.publish(m)
		}
	}
}
