package jsonl

import "sync"

const maxPooledLine = 1 << 20 // bytes of a line whose buffers are kept

// Pool holds values that lines are read into, so that their buffers are reused. The zero Pool is
// ready to use.
type Pool[T any] struct{ free sync.Pool }

// Get returns a new or a used value.
func (p *Pool[T]) Get() *T {
	if x, ok := p.free.Get().(*T); ok {
		return x
	}
	return new(T)
}

// Put returns x to the pool after a line of size bytes. It drops the buffers of a huge line.
func (p *Pool[T]) Put(x *T, size int) {
	if size > maxPooledLine {
		*x = *new(T)
	}
	p.free.Put(x)
}
