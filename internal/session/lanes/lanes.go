// Package lanes assigns the branches of a picture of a tree to lanes.
package lanes

import (
	"cmp"
	"slices"
)

// Branch is a branch between two places on an axis.
type Branch struct {
	Up   int32 // index of the branch it leaves, -1 the spine
	X0   int32 // where it leaves it
	X1   int32 // where it ends
	Lane int32 // counted from the spine, which is 0
}

// Pack sets the lanes of branches, each of which comes after the one it leaves. Later forks
// are nearer to the spine, so that no line crosses another branch. Branches of a branch are
// beyond it and move with it.
func Pack(all []Branch) {
	kids := make([][]int, len(all)+1) // indexes of branches by the branch they leave, the spine's first
	for i, b := range all {
		kids[b.Up+1] = append(kids[b.Up+1], i)
	}
	end := make([]int32, len(all))    // last place of a branch, its own branches included
	height := make([]int32, len(all)) // number of lanes of a branch, its own branches included
	for i := len(all) - 1; i >= -1; i-- {
		top := packSiblings(all, kids[i+1], end, height)
		if i < 0 {
			break
		}
		height[i], end[i] = top+1, all[i].X1
		for _, k := range kids[i+1] {
			end[i] = max(end[i], end[k])
		}
	}
	for i := range all {
		if up := all[i].Up; up >= 0 {
			all[i].Lane += all[up].Lane
		}
	}
}

// packSiblings sets the lanes of branches that leave the same one, counted from it, and
// returns how many lanes they need.
func packSiblings(all []Branch, own []int, end, height []int32) (top int32) {
	slices.SortStableFunc(own, func(a, b int) int { return cmp.Compare(all[b].X0, all[a].X0) })
	for n, k := range own {
		lane := int32(1)
		for _, later := range own[:n] {
			if all[later].X0 <= end[k] {
				lane = max(lane, all[later].Lane+height[later])
			}
		}
		all[k].Lane = lane
		top = max(top, lane+height[k]-1)
	}
	return top
}
