package onepage

import (
	"bytes"
	"context"
	"crypto/sha256"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// filters are those that a page offers, as addresses name them.
var filters = []session.Filter{session.FilterDefault, session.FilterNoTools, session.FilterUserOnly, session.FilterLabeledOnly, session.FilterAll}

// pageRows is the rows under a filter with everything open, a column for each of
// their numbers. The script opens and closes branches and draws lanes.
type pageRows struct {
	Pos, Title, Lane, Up, Level, Set, Nth, Flags, Piece []int32
}

// The bits of a row's flags, after its kind in the lowest three.
const (
	rowAlone = 8 << iota
	rowAside
	rowFirst
	rowLeaf
	rowRule
)

// pageFilter is what a page says of a filter.
type pageFilter struct {
	Name    string
	Visible int
	Empty   string // HTML of the list when it has no rows
}

// rowPieces writes the rows of a page; what looks the same is written once.
type rowPieces struct {
	chunk chunk
	html  bytes.Buffer // of the row that is rendered
	known map[[sha256.Size]byte]int32
}

// piecesInPart is how many rows an element holds.
const piecesInPart = 256

func newRowPieces(p *parts) *rowPieces {
	return &rowPieces{chunk: chunk{p: p, name: "piece"}, known: map[[sha256.Size]byte]int32{}}
}

// piece renders a row and returns the number of its HTML.
func (r *rowPieces) piece(ctx context.Context, m components.RowModel) (int32, error) {
	r.html.Reset()
	if err := components.RowPiece(m).Render(ctx, &r.html); err != nil {
		return 0, err
	}
	key := sha256.Sum256(r.html.Bytes())
	if n, ok := r.known[key]; ok {
		return n, nil
	}
	n := int32(len(r.known))
	r.known[key] = n
	// Elements hold the same number of rows, whatever their size.
	r.chunk.bytes = 0
	_, err := r.chunk.add(r.html.String(), piecesInPart)
	return n, err
}

// rows writes the rows under a filter.
func (r *rowPieces) rows(ctx context.Context, b *view.Builder, s view.Scene) (pageFilter, error) {
	var cols pageRows
	o := s.Outline
	f := pageFilter{Name: s.View.Filter.String(), Visible: o.Visible}
	err := b.RowPieces(s, func(row *session.Row, m components.RowModel) error {
		level, set, nth := m.Level, m.Set, m.Nth
		m.Level, m.Set, m.Nth = 0, 0, 0
		n, err := r.piece(ctx, m)
		cols.add(row, level, set, nth, n)
		return err
	})
	if err != nil {
		return f, err
	}
	if o.Rows.Len() == 0 {
		var html strings.Builder
		if err := components.Rows(b.EmptyRows(s)).Render(ctx, &html); err != nil {
			return f, err
		}
		f.Empty = html.String()
	}
	return f, r.chunk.p.json("rows-"+f.Name, cols.packed())
}

func (c *pageRows) add(r *session.Row, level, set, nth int, piece int32) {
	flags := int32(r.Kind)
	for _, f := range []struct {
		on  bool
		bit int32
	}{{r.Alone, rowAlone}, {r.Aside, rowAside}, {r.First, rowFirst}, {r.Leaf, rowLeaf}, {r.Rule, rowRule}} {
		if f.on {
			flags |= f.bit
		}
	}
	c.Pos, c.Title = append(c.Pos, int32(r.Pos)), append(c.Title, int32(r.Title-r.Pos))
	c.Lane, c.Up = append(c.Lane, int32(r.Lane)), append(c.Up, r.Up)
	c.Level, c.Set, c.Nth = append(c.Level, int32(level)), append(c.Set, int32(set)), append(c.Nth, int32(nth))
	c.Flags, c.Piece = append(c.Flags, flags), append(c.Piece, piece)
}

// packed is the columns in their order, as deltas.
func (c *pageRows) packed() [][]int32 {
	var out [][]int32
	for _, col := range [][]int32{c.Pos, c.Title, c.Lane, c.Up, c.Level, c.Set, c.Nth, c.Flags, c.Piece} {
		out = append(out, deltas(col))
	}
	return out
}
