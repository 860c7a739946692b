package search

import (
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"sessiontree/internal/session"
)

// A Collector makes values of type H of the entries that match, by way of what it needs of
// the tree, of type C.
type Collector[C, H any] struct {
	// Prepare returns what Match needs of an entry besides its body. It reports false if the
	// entry cannot match. hasWords reports whether its recorded line may contain all words.
	// The tree is locked.
	Prepare func(t *session.Tree, p session.Pos, hasWords bool) (C, bool)
	// Match returns the value of an entry. It reports false if the entry does not match. A
	// line that cannot be decoded has an empty body. Match is called by several goroutines.
	Match func(c C, body *session.Body) (H, bool)
	// Emit receives the values of a part of the files, in the order of the lines.
	Emit func([]H) error
}

// CollectEntries reads the entries from a position on that may contain all words of q, or
// all entries if q has none, and passes them to c. It returns the epoch of their positions.
// It stops when c.Emit returns an error. The error is session.ErrStale if the session has
// changed meanwhile.
func CollectEntries[C, H any](ctx context.Context, src Source, f *session.Format, q *Words, from session.Pos, c Collector[C, H]) (epoch uint64, err error) {
	r := &run{src: src, format: f, query: q}
	blocks := splitBlocks(r.listTargets(from))
	found := make([]chan []H, len(blocks))
	for i := range found {
		found[i] = make(chan []H, 1)
	}
	var next atomic.Int64
	g, running := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		g.Go(func() error {
			for i := int(next.Add(1)) - 1; i < len(blocks); i = int(next.Add(1)) - 1 {
				hits, err := collectBlock(running, r, blocks[i], c)
				if err != nil {
					return err
				}
				found[i] <- hits
			}
			return nil
		})
	}
	g.Go(func() error { return emitInOrder(running, found, c.Emit) })
	return r.epoch, g.Wait()
}

// emitInOrder passes on what is found, in the order of the channels.
func emitInOrder[H any](ctx context.Context, found []chan []H, emit func([]H) error) error {
	for _, part := range found {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case hits := <-part:
			if len(hits) == 0 {
				continue
			}
			if err := emit(hits); err != nil {
				return err
			}
		}
	}
	return nil
}

// collectBlock returns the values of adjacent targets.
func collectBlock[C, H any](ctx context.Context, r *run, targets []target, c Collector[C, H]) ([]H, error) {
	b := bufferPool.Get().(*buffer)
	defer b.returnToPool()
	buf, from, err := r.readBlock(b, targets)
	if err != nil {
		return nil, err
	}
	prepared := make([]C, len(targets))
	if err := r.withTree(func(t *session.Tree) {
		for i := range targets {
			var ok bool
			prepared[i], ok = c.Prepare(t, targets[i].pos, targets[i].missing == 0)
			targets[i].excluded = !ok
		}
	}); err != nil {
		return nil, err
	}
	var hits []H
	for i := range targets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if targets[i].excluded {
			continue
		}
		body, _, err := r.decodeTarget(buf, int(targets[i].Span.Off-from), &targets[i])
		if err != nil {
			return nil, err
		}
		if h, ok := c.Match(prepared[i], &body); ok {
			hits = append(hits, h)
		}
	}
	return hits, nil
}
