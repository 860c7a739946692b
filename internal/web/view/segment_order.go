package view

import (
	"slices"

	"sessiontree/internal/session"
)

// segmentOrder lists the stretches by the path that reads them: those of the path to
// the leaf first, and each other path after the one that it leaves, the paths that
// leave it further down first. So going from one path to the next costs what the next
// one has for itself, and no entry is walked over twice.
func segmentOrder(all []session.Segment, depth []int, leaf session.Pos) []int {
	paths := map[session.Pos][]int{} // the stretches read by the path to a tip
	var heads []int                  // the first stretch of each path
	for i, s := range all {
		if s.ParentIndex < 0 || all[s.ParentIndex].Tip != s.Tip {
			heads = append(heads, i)
		}
		paths[s.Tip] = append(paths[s.Tip], i)
	}
	leaving := map[session.Pos][]int{} // the paths that leave another one
	var todo []int
	for _, h := range heads {
		if up := all[h].ParentIndex; up >= 0 {
			leaving[all[up].Tip] = append(leaving[all[up].Tip], h)
		} else {
			todo = append(todo, h)
		}
	}
	slices.Reverse(todo)
	if i := slices.IndexFunc(todo, func(h int) bool { return all[h].Tip == leaf }); i >= 0 {
		h := todo[i]
		todo = append(slices.Delete(todo, i, i+1), h)
	}
	order := make([]int, 0, len(all))
	for len(todo) > 0 {
		h := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		order = append(order, paths[all[h].Tip]...)
		next := leaving[all[h].Tip]
		slices.SortStableFunc(next, func(a, b int) int { return depth[a] - depth[b] })
		todo = append(todo, next...)
	}
	return order
}
