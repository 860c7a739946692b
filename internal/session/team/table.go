package team

import (
	"iter"
	"slices"
)

// table is values by their keys, in the order of addition.
type table[K comparable, V any] struct {
	rows map[K]row[V]
	next int
}

type row[V any] struct {
	order int
	value V
}

// put adds a value or replaces the one of its key.
func (t *table[K, V]) put(k K, v V) {
	old, ok := t.rows[k]
	if !ok {
		if t.rows == nil {
			t.rows = map[K]row[V]{}
		}
		t.next++
		old.order = t.next
	}
	t.rows[k] = row[V]{old.order, v}
}

// find returns the value of a key. The error is ErrNotFound if there is none.
func (t *table[K, V]) find(k K) (V, error) {
	r, ok := t.rows[k]
	if !ok {
		return r.value, ErrNotFound
	}
	return r.value, nil
}

func (t *table[K, V]) has(k K) bool {
	_, ok := t.rows[k]
	return ok
}

func (t *table[K, V]) remove(k K) { delete(t.rows, k) }

// all returns the values in order.
func (t *table[K, V]) all() iter.Seq[V] {
	return slices.Values(t.list(func(V) bool { return true }))
}

// list returns the values that is is true for.
func (t *table[K, V]) list(is func(V) bool) []V {
	var rows []row[V]
	for _, r := range t.rows {
		if is(r.value) {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b row[V]) int { return a.order - b.order })
	values := make([]V, len(rows))
	for i := range rows {
		values[i] = rows[i].value
	}
	return values
}
