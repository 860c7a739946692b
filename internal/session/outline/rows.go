package outline

import "iter"

// rowsPerBlock is the number of rows in a block of Rows.
const rowsPerBlock = 256

// rowsAppendedToCopy is for how many more rows a copied block has room at first.
const rowsAppendedToCopy = 8

// Rows is a list of rows in blocks, so that successive lists of a growing session share
// all but the last blocks.
type Rows struct {
	blocks [][]Row // all but the last one are full
	n      int
}

// Len returns the number of rows.
func (r *Rows) Len() int { return r.n }

// At returns the row at index i. It must not be changed.
func (r *Rows) At(i int) *Row { return &r.blocks[i/rowsPerBlock][i%rowsPerBlock] }

// All iterates over the rows and their indexes.
func (r *Rows) All() iter.Seq2[int, *Row] {
	return func(yield func(int, *Row) bool) {
		for i := range r.n {
			if !yield(i, r.At(i)) {
				return
			}
		}
	}
}

// SharedPrefixLen returns how many leading rows r shares with other in memory.
func (r *Rows) SharedPrefixLen(other *Rows) int {
	n := 0
	for i := range min(len(r.blocks), len(other.blocks)) {
		a, b := r.blocks[i], other.blocks[i]
		if len(a) != len(b) || &a[0] != &b[0] {
			break
		}
		n += len(a)
	}
	return n
}

// Cap returns the number of rows for which memory is allocated.
func (r *Rows) Cap() int {
	n := 0
	for _, b := range r.blocks {
		n += cap(b)
	}
	return n
}

func (r *Rows) pushRow(row Row) {
	if r.n%rowsPerBlock == 0 {
		r.blocks = append(r.blocks, r.newBlock())
	}
	last := &r.blocks[len(r.blocks)-1]
	*last = append(*last, row)
	r.n++
}

// newBlock allocates a block. The first one grows with its rows, because most lists are
// short.
func (r *Rows) newBlock() []Row {
	if r.n == 0 {
		return nil
	}
	return make([]Row, 0, rowsPerBlock)
}

// firstRows returns a list of the first n rows, to which rows can be appended. It
// shares the full blocks.
func (r *Rows) firstRows(n int) Rows {
	full := n / rowsPerBlock
	f := Rows{blocks: make([][]Row, full, full+2), n: n}
	copy(f.blocks, r.blocks)
	if rest := n % rowsPerBlock; rest > 0 {
		room := min(rest+rowsAppendedToCopy, rowsPerBlock)
		f.blocks = append(f.blocks, append(make([]Row, 0, room), r.blocks[full][:rest]...))
	}
	return f
}

// NewRows returns a list of rows.
func NewRows(rows ...Row) Rows {
	var r Rows
	for _, row := range rows {
		r.pushRow(row)
	}
	return r
}
