package view

import (
	"fmt"
	"slices"

	"sessiontree/internal/session"
)

// pageRange answers which part of the path is wanted. Both ends are moved out so
// that results stay with their calls.
func pageRange(s Scene, path []session.Pos, q PathQuery) (from, to int, err error) {
	n := q.N
	if n <= 0 || n > 4*pageEntries {
		n = pageEntries
	}
	switch {
	case q.Before != "":
		to = len(path)
		if q.Before != noLeaf {
			if to, err = indexOf(s, path, q.Before); err != nil {
				return 0, 0, err
			}
		}
		from = withCalls(s.Tree, path, max(to-n, 0))
	case q.After != "":
		from = 0
		if q.After != noLeaf {
			if from, err = indexOf(s, path, q.After); err != nil {
				return 0, 0, err
			}
			from++
		}
		to = withResults(s.Tree, path, min(from+n, len(path)))
	default:
		at, err := around(s, path, q.Around)
		if err != nil {
			return 0, 0, err
		}
		from = max(min(at-n/2, len(path)-n), 0)
		to = withResults(s.Tree, path, min(from+n, len(path)))
		from = withCalls(s.Tree, path, from)
	}
	return from, to, nil
}

func indexOf(s Scene, path []session.Pos, id string) (int, error) {
	p := s.Tree.Find(id)
	if i := slices.Index(path, p); p != session.NoPos && i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("%w: no entry %q on this path", session.ErrNotFound, id)
}

// around answers the index of an entry, or of its nearest ancestor on the path.
func around(s Scene, path []session.Pos, id string) (int, error) {
	p := s.View.Entry
	if id != "" {
		if p = s.Tree.Find(id); p == session.NoPos {
			return 0, noEntry(id)
		}
	}
	if i := slices.Index(path, p); i >= 0 {
		return i, nil
	}
	index := make(map[session.Pos]int, len(path))
	for i, q := range path {
		index[q] = i
	}
	for ; p != session.NoPos; p = s.Tree.Parent(p) {
		if i, ok := index[p]; ok {
			return i, nil
		}
	}
	return max(len(path)-1, 0), nil
}

func withCalls(t *session.Tree, path []session.Pos, from int) int {
	for i := from; i > 0 && i > from-groupReach; i-- {
		if t.At(path[i]).Kind != session.KindToolResult {
			return i
		}
	}
	return from
}

func withResults(t *session.Tree, path []session.Pos, to int) int {
	for i := to; i < to+groupReach; i++ {
		if i >= len(path) || t.At(path[i]).Kind != session.KindToolResult {
			return i
		}
	}
	return to
}
