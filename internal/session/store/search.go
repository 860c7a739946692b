package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"sessiontree/internal/session"
)

// maxWords is how many words a query may have.
const maxWords = 64

// Search lists the entries whose full text (label, role, text, tool output)
// holds every word of query, case folded, in file order.
func (s *Session) Search(ctx context.Context, query string) ([]session.Pos, error) {
	words := words(query)
	if len(words) == 0 {
		return nil, nil
	}
	if len(words) > maxWords {
		return nil, fmt.Errorf("%w: a query of more than %d words", session.ErrInvalid, maxWords)
	}
	q := &quest{format: s.Format(), words: words}
	for _, w := range words {
		q.needles = append(q.needles, newNeedle(w))
	}
	targets, rev := s.targets(words)
	f, _, err := s.at.open()
	if err != nil {
		_, _ = s.Refresh(ctx)
		return nil, err
	}
	defer f.Close()
	hits, err := q.run(ctx, f, targets)
	if errors.Is(err, session.ErrStale) {
		s.reread(ctx, rev.Epoch)
	}
	if err != nil {
		return nil, fmt.Errorf("search %s: %w", s.at.path, err)
	}
	return hits, nil
}

// target is an entry to search.
type target struct {
	spot
	pos  session.Pos
	lack uint64 // words that its label and row do not hold, by bit
}

// targets lists all entries in the order of their lines, with the words still to
// be found in each body.
func (s *Session) targets(words []string) ([]target, Rev) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	targets := make([]target, s.tree.Len())
	for i := range targets {
		p := session.Pos(i)
		t := &targets[i]
		t.span, t.pos = s.tree.At(p).Span, p
		for k, w := range words {
			if !s.tree.Match(p, w) {
				t.lack |= 1 << k
			}
		}
	}
	slices.SortFunc(targets, func(a, b target) int { return cmp.Compare(a.span.Off, b.span.Off) })
	k := 0
	for i := range targets {
		for k < len(s.checks) && s.checks[k].off < targets[i].span.Off {
			k++
		}
		if k < len(s.checks) && s.checks[k].off == targets[i].span.Off {
			targets[i].sum = s.checks[k].sum
		}
	}
	return targets, s.rev
}

// quest is one search under way.
type quest struct {
	format  *session.Format
	words   []string
	needles []needle
}

// run searches stretches of the file in parallel.
func (q *quest) run(ctx context.Context, f io.ReaderAt, targets []target) ([]session.Pos, error) {
	var parts [][]target
	for len(targets) > 0 {
		n := stretch(targets)
		parts = append(parts, targets[:n])
		targets = targets[n:]
	}
	found := make([][]session.Pos, len(parts))
	g, running := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, part := range parts {
		if running.Err() != nil {
			break
		}
		g.Go(func() (err error) {
			found[i], err = q.part(running, f, part)
			return err
		})
	}
	if err := errors.Join(g.Wait(), ctx.Err()); err != nil {
		return nil, err
	}
	return slices.Concat(found...), nil
}

// stretch answers how many of the targets lie within one block; at least one.
func stretch(targets []target) int {
	end := targets[0].span.Off + blockSize
	n := 1
	for n < len(targets) && targets[n].span.Off+int64(targets[n].span.Len) < end {
		n++
	}
	return n
}

// part searches targets that lie together.
func (q *quest) part(ctx context.Context, f io.ReaderAt, targets []target) ([]session.Pos, error) {
	first, last := &targets[0].span, &targets[len(targets)-1].span
	from := max(first.Off-1, 0)
	b := blocks.Get().(*block)
	defer b.free()
	b.buf = grow(b.buf[:0], int(last.Off+int64(last.Len)+1-from))
	n, err := f.ReadAt(b.buf, from)
	if err != nil && err != io.EOF {
		return nil, err
	}
	var hits []session.Pos
	for i := range targets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t := &targets[i]
		ok, err := q.holds(b.buf[:n], int(t.span.Off-from), t)
		if err != nil {
			return nil, err
		}
		if ok {
			hits = append(hits, t.pos)
		}
	}
	return hits, nil
}

// holds decides on one entry whose line starts at start.
func (q *quest) holds(buf []byte, start int, t *target) (bool, error) {
	if t.lack == 0 {
		return true, nil
	}
	end := start + int(t.span.Len)
	if end > len(buf) {
		return false, session.ErrStale
	}
	if !q.maybe(buf[start:end], t.lack) {
		return false, nil
	}
	line, err := t.verify(buf[max(start-1, 0):min(end+1, len(buf))], min(start, 1))
	if err != nil {
		return false, err
	}
	body, err := q.format.Body(line)
	if err != nil {
		return false, nil // what cannot be decoded cannot be shown either
	}
	text := fold(fullText(&body))
	for k, w := range q.words {
		if t.lack&(1<<k) != 0 && !strings.Contains(text, w) {
			return false, nil
		}
	}
	return true, nil
}

// maybe reports whether a recorded line may hold the words lacking.
func (q *quest) maybe(line []byte, lack uint64) bool {
	for k := range q.needles {
		if lack&(1<<k) != 0 && !q.needles[k].in(line) {
			return escaped(line)
		}
	}
	return true
}

// fullText joins all that a body shows.
func fullText(b *session.Body) string {
	var text strings.Builder
	for i := range b.Blocks {
		block := &b.Blocks[i]
		for _, s := range []string{block.Name, block.Text, argText(block.Args)} {
			if s != "" {
				text.WriteString(s)
				text.WriteByte('\n')
			}
		}
	}
	return text.String()
}

// argText joins the texts and numbers in recorded arguments.
func argText(args json.RawMessage) string {
	if len(args) == 0 {
		return ""
	}
	var text strings.Builder
	d := json.NewDecoder(bytes.NewReader(args))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return text.String()
		}
		switch v := token.(type) {
		case string:
			text.WriteString(v)
			text.WriteByte('\n')
		case json.Number:
			text.WriteString(v.String())
			text.WriteByte('\n')
		}
	}
}
