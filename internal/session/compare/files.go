package compare

import (
	"cmp"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/filediff"
)

// File is a file that at least one side changed.
type File struct {
	Path  string
	Sides []*filediff.File // in the order of the sides; nil where a side did not change it
}

// JoinFiles returns the files that the sides changed: those of most sides first, then by path.
func (c *Comparison) JoinFiles(t *session.Tree, edits *filediff.Edits) []File {
	var files []File
	known := map[string]int{}
	for i := range c.Sides {
		own := filediff.JoinFiles(t, c.Sides[i].Calls(), edits)
		for k := range own {
			at, ok := known[own[k].Path]
			if !ok {
				at = len(files)
				known[own[k].Path] = at
				files = append(files, File{Path: own[k].Path, Sides: make([]*filediff.File, len(c.Sides))})
			}
			files[at].Sides[i] = &own[k]
		}
	}
	slices.SortFunc(files, func(a, b File) int {
		return cmp.Or(cmp.Compare(b.countSides(), a.countSides()), cmp.Compare(a.Path, b.Path))
	})
	return files
}

func (f *File) countSides() (n int) {
	for _, s := range f.Sides {
		if s != nil {
			n++
		}
	}
	return n
}

// EditCalls returns the calls of all sides that changed a file.
func (c *Comparison) EditCalls(t *session.Tree) (all []filediff.Call) {
	for i := range c.Sides {
		for _, call := range c.Sides[i].Calls() {
			if call.ChangesFile(t) {
				all = append(all, call)
			}
		}
	}
	return all
}

// FileTotals are the sums of the net changes of a side.
type FileTotals struct{ Files, Added, Removed int }

// SumFiles returns the totals of a side.
func SumFiles(files []File, side int) (s FileTotals) {
	for i := range files {
		if f := files[i].Sides[side]; f != nil {
			s.Files, s.Added, s.Removed = s.Files+1, s.Added+f.Added, s.Removed+f.Removed
		}
	}
	return s
}

// IsUnknown reports whether it cannot be told what a side changed in a file.
func (f *File) IsUnknown(side int) bool { return f.Sides[side] != nil && f.Sides[side].Unknown }

// IsIdentical reports whether two sides are known to have changed a file in the same way.
func (f *File) IsIdentical(a, b int) bool {
	x, y := f.Sides[a], f.Sides[b]
	return x != nil && y != nil && !x.Unknown && !y.Unknown && slices.Equal(x.Lines, y.Lines)
}
