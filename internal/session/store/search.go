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
	return s.SearchFrom(ctx, query, 0)
}

// SearchFrom is Search among the entries from a position on, at the cost of these.
func (s *Session) SearchFrom(ctx context.Context, query string, from session.Pos) ([]session.Pos, error) {
	words := words(query)
	if len(words) == 0 {
		return nil, nil
	}
	if len(words) > maxWords {
		return nil, fmt.Errorf("%w: a query of more than %d words", session.ErrInvalid, maxWords)
	}
	q := &quest{s: s, format: s.Format(), words: words}
	for _, w := range words {
		q.needles = append(q.needles, newNeedle(w))
		plain, ok := plainly(w)
		q.plain, q.folds = append(q.plain, plain), q.folds || !ok
	}
	targets := q.targets(from)
	hits, err := q.run(ctx, targets)
	var failed *openError
	switch {
	case errors.As(err, &failed):
		_, _ = s.Refresh(ctx)
		return nil, failed.error
	case errors.Is(err, session.ErrStale):
		s.reread(ctx, q.rev.Epoch)
	}
	if err != nil {
		return nil, fmt.Errorf("search %s: %w", s.at.path, err)
	}
	return hits, nil
}

// quest is one search under way.
type quest struct {
	s       *Session
	rev     Rev
	format  *session.Format
	words   []string
	needles []needle // for recorded lines
	plain   []needle // for texts, unless these must be folded
	folds   bool
}

// target is an entry to search.
type target struct {
	spot
	pos  session.Pos
	lack uint64 // words that its recorded line cannot hold, by bit
	need uint64 // words to be found in its body
	out  bool   // some word is nowhere
}

// targets lists the entries from a position on in the order of their lines.
func (q *quest) targets(from session.Pos) []target {
	s := q.s
	s.mu.RLock()
	defer s.mu.RUnlock()
	q.rev = s.rev
	targets := make([]target, max(s.tree.Len()-int(from), 0))
	for i := range targets {
		p := from + session.Pos(i)
		targets[i].span, targets[i].pos = s.tree.At(p).Span, p
	}
	slices.SortFunc(targets, func(a, b target) int {
		return cmp.Or(cmp.Compare(a.span.File, b.span.File), cmp.Compare(a.span.Off, b.span.Off))
	})
	k, checks := 0, s.checks
	for i := range targets {
		if i > 0 && targets[i].span.File != targets[i-1].span.File || i == 0 {
			k, checks = 0, s.checksOf(targets[i].span.File)
		}
		for k < len(checks) && checks[k].off < targets[i].span.Off {
			k++
		}
		if k < len(checks) && checks[k].off == targets[i].span.Off {
			targets[i].sum = checks[k].sum
		}
	}
	return targets
}

// openError is of a file that cannot be opened any more.
type openError struct{ error }

// run searches stretches of the files in parallel.
func (q *quest) run(ctx context.Context, targets []target) ([]session.Pos, error) {
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
			f, _, err := q.s.placeOf(part[0].span.File).open()
			if err != nil {
				return &openError{err}
			}
			defer f.Close()
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
	for n < len(targets) && targets[n].span.File == targets[0].span.File && targets[n].span.Off+int64(targets[n].span.Len) < end {
		n++
	}
	return n
}

// part searches targets that lie together: first their bytes, then for words
// not among these what the tree says of the entry (its label, its role), then
// the decoded body.
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
	buf := b.buf[:n]
	esc := &escapes{buf: buf, next: -1}
	for i := range targets {
		t := &targets[i]
		start := int(t.span.Off - from)
		end := start + int(t.span.Len)
		if end > len(buf) {
			return nil, session.ErrStale
		}
		t.lack = q.lacks(buf, start, end, esc)
	}
	if err := q.ask(targets); err != nil {
		return nil, err
	}
	var hits []session.Pos
	for i := range targets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ok, err := q.holds(buf, int(targets[i].span.Off-from), &targets[i])
		if err != nil {
			return nil, err
		}
		if ok {
			hits = append(hits, targets[i].pos)
		}
	}
	return hits, nil
}

// lacks answers the words that a recorded line cannot hold.
func (q *quest) lacks(buf []byte, start, end int, esc *escapes) (lack uint64) {
	for k := range q.needles {
		if !q.needles[k].in(buf[start:end]) {
			lack |= 1 << k
		}
	}
	if lack != 0 && esc.within(start, end) {
		return 0
	}
	return lack
}

// ask looks for words in what the tree knows of each entry: those that the line
// cannot hold, and if all of these are there the others too.
func (q *quest) ask(targets []target) error {
	q.s.mu.RLock()
	defer q.s.mu.RUnlock()
	if q.s.rev.Epoch != q.rev.Epoch {
		return session.ErrStale
	}
	for i := range targets {
		t := &targets[i]
		for k, w := range q.words {
			if t.lack&(1<<k) != 0 && !q.s.tree.Match(t.pos, w) {
				t.out = true
				break
			}
		}
		for k, w := range q.words {
			if !t.out && t.lack&(1<<k) == 0 && !q.s.tree.Match(t.pos, w) {
				t.need |= 1 << k
			}
		}
	}
	return nil
}

// holds decides on one entry, whose line starts at start.
func (q *quest) holds(buf []byte, start int, t *target) (bool, error) {
	if t.out || t.need == 0 {
		return !t.out, nil
	}
	end := start + int(t.span.Len)
	line, err := t.verify(buf[max(start-1, 0):min(end+1, len(buf))], min(start, 1))
	if err != nil {
		return false, err
	}
	body, err := q.format.Body(line)
	if err != nil {
		return false, nil // there is but the row, which does not hold all
	}
	return q.lacking(fullText(&body))&t.need == 0, nil
}

// lacking answers the words that a text does not hold.
func (q *quest) lacking(text []byte) (lack uint64) {
	folded := ""
	if q.folds {
		folded = fold(string(text))
	}
	for k, w := range q.words {
		if q.folds && !strings.Contains(folded, w) || !q.folds && !q.plain[k].in(text) {
			lack |= 1 << k
		}
	}
	return lack
}

// fullText joins all that a body shows.
func fullText(b *session.Body) []byte {
	var text []byte
	for i := range b.Blocks {
		block := &b.Blocks[i]
		text = append(append(text, block.Name...), '\n')
		text = append(append(text, block.Text...), '\n')
		text = appendArgs(text, block.Args)
	}
	return text
}

// appendArgs appends the texts and numbers in recorded arguments.
func appendArgs(text []byte, args json.RawMessage) []byte {
	if len(args) == 0 {
		return text
	}
	d := json.NewDecoder(bytes.NewReader(args))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return text
		}
		switch v := token.(type) {
		case string:
			text = append(append(text, v...), '\n')
		case json.Number:
			text = append(append(text, v...), '\n')
		}
	}
}
