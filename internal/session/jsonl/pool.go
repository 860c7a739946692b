package jsonl

import "sync"

const maxPooledLine = 1 << 20 // bytes of a line whose memory is kept

// Pool lends what lines are read into, so that its memory serves again. The zero
// Pool is ready.
type Pool[T any] struct{ free sync.Pool }

// Get lends one, new or used before.
func (p *Pool[T]) Get() *T {
	if x, ok := p.free.Get().(*T); ok {
		return x
	}
	return new(T)
}

// Put takes x back after a line of size bytes. The memory of a huge one is let go.
func (p *Pool[T]) Put(x *T, size int) {
	if size > maxPooledLine {
		*x = *new(T)
	}
	p.free.Put(x)
}
