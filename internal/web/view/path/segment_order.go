package path

import (
	"slices"

	"sessiontree/internal/session"
)

// segmentOrder orders the segments by the path to which they belong: first the path to the
// leaf, then each other path after the one it forks from, deeper forks first. So the pager
// extends each path from the one before and visits no entry twice.
func segmentOrder(all []session.Segment, depth []int, leaf session.Pos) []int {
	paths := map[session.Pos][]int{} // segments by the end of their path
	var heads []int                  // the first segment of each path
	for i, s := range all {
		if s.ParentIndex < 0 || all[s.ParentIndex].Tip != s.Tip {
			heads = append(heads, i)
		}
		paths[s.Tip] = append(paths[s.Tip], i)
	}
	leaving := map[session.Pos][]int{} // paths by the path they fork from
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
