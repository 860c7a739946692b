package htmlexport

import (
	"bytes"
	"context"
	"crypto/sha256"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/tree"
	"sessiontree/web/components"
)

// offeredFilters are the filters that a page offers.
var offeredFilters = []outline.Filter{outline.FilterDefault, outline.FilterNoTools, outline.FilterUserOnly, outline.FilterLabeledOnly, outline.FilterFailed, outline.FilterAll}

// rowColumns holds the rows under a filter with all branches open, one slice per property.
// The script opens and closes branches and draws lanes.
type rowColumns struct {
	Pos, Title, Lane, Up, Level, Set, Nth, Flags, Piece []int32
}

// The bits of a row's flags; the lowest three hold its kind.
const (
	rowLeafOnly = 8 << iota
	rowOffChain
	rowFirst
	rowLeaf
	rowRule
)

// pageFilter describes a filter to the script.
type pageFilter struct {
	Name    string
	Visible int
	Empty   string // HTML of the list if it has no rows
}

// rowWriter writes the rows of a page. Rows with equal HTML are written once.
type rowWriter struct {
	chunk textChunk
	html  bytes.Buffer // buffer for one row
	known map[[sha256.Size]byte]int32
	// entries holds the numbers of rows of entries, which look the same under all filters.
	entries map[entryRow]int32
}

// entryRow is what decides the HTML of an entry's row.
type entryRow struct {
	pos        session.Pos
	leaf, rule bool
}

// rowsPerPart is the number of rows in an element.
const rowsPerPart = 256

func newRowWriter(p *partWriter) *rowWriter {
	return &rowWriter{chunk: textChunk{out: p, name: "piece"}, known: map[[sha256.Size]byte]int32{}, entries: map[entryRow]int32{}}
}

// findOrWriteRow returns the number of a row's HTML. It builds an entry's row once.
func (r *rowWriter) findOrWriteRow(ctx context.Context, row *outline.Row, build func() components.RowModel) (int32, error) {
	if row.Kind != outline.RowEntry {
		return r.internRow(ctx, build())
	}
	key := entryRow{row.Pos, row.Leaf, row.RuleAbove}
	n, ok := r.entries[key]
	if ok {
		return n, nil
	}
	n, err := r.internRow(ctx, build())
	r.entries[key] = n
	return n, err
}

// internRow renders a row and returns the number of its HTML.
func (r *rowWriter) internRow(ctx context.Context, m components.RowModel) (int32, error) {
	r.html.Reset()
	if err := components.StandaloneRow(m).Render(ctx, &r.html); err != nil {
		return 0, err
	}
	key := sha256.Sum256(r.html.Bytes())
	if n, ok := r.known[key]; ok {
		return n, nil
	}
	n := int32(len(r.known))
	r.known[key] = n
	// All elements hold the same number of rows, regardless of size.
	r.chunk.bytes = 0
	_, err := r.chunk.addText(r.html.String(), rowsPerPart)
	return n, err
}

// writeFilterRows writes the rows under a filter.
func (r *rowWriter) writeFilterRows(ctx context.Context, s view.Scene) (pageFilter, error) {
	var cols rowColumns
	o := s.Outline
	f := pageFilter{Name: s.View.Filter.String(), Visible: o.Visible}
	err := tree.VisitRows(s, func(row *outline.Row, build func() components.RowModel) error {
		n, err := r.findOrWriteRow(ctx, row, build)
		cols.appendRow(row, tree.RowLevel(o, row), o.RunSize(row), int(row.PosInRun), n)
		return err
	})
	if err != nil {
		return f, err
	}
	if o.Rows.Len() == 0 {
		var html strings.Builder
		if err := components.Rows(tree.EmptyRowsModel(s)).Render(ctx, &html); err != nil {
			return f, err
		}
		f.Empty = html.String()
	}
	return f, r.chunk.out.writeJSONPart("rows-"+f.Name, cols.packColumns())
}

func (c *rowColumns) appendRow(r *outline.Row, level, set, nth int, piece int32) {
	flags := int32(r.Kind)
	for _, f := range []struct {
		on  bool
		bit int32
	}{{r.LeafOnly, rowLeafOnly}, {r.OffChain, rowOffChain}, {r.First, rowFirst}, {r.Leaf, rowLeaf}, {r.RuleAbove, rowRule}} {
		if f.on {
			flags |= f.bit
		}
	}
	c.Pos, c.Title = append(c.Pos, int32(r.Pos)), append(c.Title, int32(r.Title-r.Pos))
	c.Lane, c.Up = append(c.Lane, int32(r.Lane)), append(c.Up, r.ParentRow)
	c.Level, c.Set, c.Nth = append(c.Level, int32(level)), append(c.Set, int32(set)), append(c.Nth, int32(nth))
	c.Flags, c.Piece = append(c.Flags, flags), append(c.Piece, piece)
}

// packColumns returns the columns in a fixed order, delta encoded.
func (c *rowColumns) packColumns() [][]int32 {
	var out [][]int32
	for _, col := range [][]int32{c.Pos, c.Title, c.Lane, c.Up, c.Level, c.Set, c.Nth, c.Flags, c.Piece} {
		out = append(out, deltaEncode(col))
	}
	return out
}
