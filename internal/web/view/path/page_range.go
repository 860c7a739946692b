package path

import (
	"fmt"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
)

// pageRange returns the selected range of the path. It extends both ends to keep results
// with their calls.
func pageRange(s view.Scene, path []session.Pos, q Query) (from, to int, err error) {
	n := q.N
	if n <= 0 || n > maxPageEntries {
		n = pageEntries
	}
	switch {
	case q.Before != "":
		to = len(path)
		if q.Before != view.BeforeFirstEntry {
			if to, err = pathIndex(s, path, q.Before); err != nil {
				return 0, 0, err
			}
		}
		from = extendToCalls(s.Tree, path, max(to-n, 0))
	case q.After != "":
		from = 0
		if q.After != view.BeforeFirstEntry {
			if from, err = pathIndex(s, path, q.After); err != nil {
				return 0, 0, err
			}
			from++
		}
		to = extendToResults(s.Tree, path, min(from+n, len(path)))
	default:
		at, err := nearestPathIndex(s, path, q.Around)
		if err != nil {
			return 0, 0, err
		}
		from = max(min(at-n/4, len(path)-n), 0) // most of a screen is below the entry
		to = extendToResults(s.Tree, path, min(from+n, len(path)))
		from = extendToCalls(s.Tree, path, from)
	}
	return from, to, nil
}

func pathIndex(s view.Scene, path []session.Pos, id string) (int, error) {
	if p := s.Tree.FindID(id); p != session.NoPos {
		for i, q := range slices.Backward(path) { // requests are mostly for the end of a path
			if q == p {
				return i, nil
			}
		}
	}
	return 0, fmt.Errorf("%w: no entry %q on this path", session.ErrNotFound, id)
}

// nearestPathIndex returns the index of an entry, or of its nearest ancestor on the path.
func nearestPathIndex(s view.Scene, path []session.Pos, id string) (int, error) {
	p := s.View.Entry
	if id != "" {
		if p = s.Tree.FindID(id); p == session.NoPos {
			return 0, view.NoEntryError(id)
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

// continuesItem reports whether an entry is shown with one above it: with its call, or the prompt that
// it is attached to.
func continuesItem(e *session.Entry) bool {
	return e.Kind == session.KindToolResult || e.HasFlag(session.FlagAttached)
}

func extendToCalls(t *session.Tree, path []session.Pos, from int) int {
	for i := from; i >= 0 && i < len(path) && i > from-maxResultDistance; i-- {
		if !continuesItem(t.At(path[i])) {
			return i
		}
	}
	return from
}

func extendToResults(t *session.Tree, path []session.Pos, to int) int {
	for i := to; i < to+maxResultDistance; i++ {
		if i >= len(path) || !continuesItem(t.At(path[i])) {
			return i
		}
	}
	return to
}

// lastMessageIndex returns the index of the last prompt or answer.
func lastMessageIndex(t *session.Tree, path []session.Pos) int {
	for i := len(path) - 1; i >= 0; i-- {
		if k := t.At(path[i]).Kind; k == session.KindUser || k == session.KindAssistant {
			return i
		}
	}
	return -1
}
