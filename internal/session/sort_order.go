package session

import (
	"cmp"
	"slices"
)

// SetSortTime sets and returns the SortTime of an entry. before is that of the line
// before it, NoTime at the start of a file.
func (e *Entry) SetSortTime(before int64) int64 {
	if e.SortTime = e.Time; e.SortTime == NoTime {
		e.SortTime = before
	}
	return e.SortTime
}

// compareSiblings orders two entries of an arranged tree by time, then by file name,
// then by line. It ignores positions because they depend on the order in which files
// were read.
func (t *Tree) compareSiblings(a, b Pos) int {
	x, y := t.entries[a], t.entries[b]
	return cmp.Or(cmp.Compare(x.SortTime, y.SortTime), t.files.compareFileAndLine(x, y), cmp.Compare(a, b))
}

// fileNames are the names of a session's files, by Span.File.
type fileNames []string

func (f fileNames) nameOf(file int32) string {
	if int(file) < len(f) {
		return f[file]
	}
	return ""
}

// compareFileAndLine orders two entries by file name, then by line.
func (f fileNames) compareFileAndLine(a, b *Entry) int {
	if a.Span.File != b.Span.File {
		return cmp.Or(cmp.Compare(f.nameOf(a.Span.File), f.nameOf(b.Span.File)), cmp.Compare(a.Span.File, b.Span.File))
	}
	return cmp.Compare(a.Span.Line, b.Span.Line)
}

// compareAsRecorded orders two entries as they were recorded, for lists.
func (t *Tree) compareAsRecorded(a, b Pos) int {
	if t.arrange == nil {
		return cmp.Compare(a, b)
	}
	return t.files.compareFileAndLine(t.entries[a], t.entries[b])
}

// compareFiles orders two of the session's files: the main one first, the others by
// name.
func (f fileNames) compareFiles(a, b int) int {
	if a == 0 || b == 0 {
		return cmp.Compare(a, b)
	}
	return cmp.Or(cmp.Compare(f.nameOf(int32(a)), f.nameOf(int32(b))), cmp.Compare(a, b))
}

// isShownResult reports whether the result at p is the one to show for its call: the
// last one recorded, whatever the order in which files were read. Agents attached to
// recorded entries may use the same call ids: there the first file is used.
func (b *treeBuilder) isShownResult(p Pos) bool {
	t := b.tree
	e := t.entries[p]
	known := t.FindToolResult(e.CallID())
	switch {
	case t.arrange == nil || known == NoPos:
		return true
	case t.childIndex.mainFileFirst:
		return t.entries[known].Span.File >= e.Span.File
	}
	return t.files.compareFileAndLine(t.entries[known], e) <= 0
}

// sortRoots sorts the roots of an arranged tree like siblings. Roots of recorded trees
// stay in file order.
func (b *treeBuilder) sortRoots() {
	t := b.tree
	if t.arrange == nil {
		return
	}
	compare := t.compareSiblings
	if t.childIndex.mainFileFirst {
		compare = func(a, b Pos) int { return t.childIndex.compareEqualTimes(t.entries, a, b) }
	}
	if !slices.IsSortedFunc(t.roots, compare) {
		slices.SortFunc(t.roots, compare)
	}
}
