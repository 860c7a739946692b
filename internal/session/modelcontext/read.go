package modelcontext

import (
	"context"
	"errors"

	"sessiontree/internal/session"
)

// read fills in the tokens.
func (r *requestReader) read(ctx context.Context) error {
	if err := r.readRecorded(ctx); !errors.Is(err, session.ErrNotFound) {
		return err
	}
	err := ReadMessages(ctx, r.session, r.items, func(i int, m Message) {
		row := &r.out.Rows[i]
		row.Tokens, row.Part = m.Tokens, m.mainPart()
	})
	if err != nil {
		return err
	}
	if err := r.readEdited(ctx); err != nil {
		return err
	}
	overhead, err := r.readOverhead(ctx)
	if err != nil {
		return err
	}
	if err := r.readRemoved(ctx); err != nil {
		return err
	}
	r.scaleRows(overhead)
	return nil
}

// mainPart returns the part with the most tokens. Images count only if there is nothing else. A
// message without content, such as an answer that failed at once, has the part of its text.
func (m *Message) mainPart() Part {
	part := m.part
	for p := range Images {
		if m.Tokens[p] > m.Tokens[part] {
			part = p
		}
	}
	if m.Tokens[part] == 0 && m.Tokens[Images] > 0 {
		return Images
	}
	return part
}

// readEdited reads the sizes of contents that an edit replaced.
func (r *requestReader) readEdited(ctx context.Context) error {
	was := map[session.Pos]int64{}
	err := ReadMessages(ctx, r.session, r.edited, func(i int, m Message) { was[r.edited[i].Pos] = m.Tokens.Sum() })
	for i := range r.out.Rows {
		if row := &r.out.Rows[i]; row.Item.Edit != session.NoPos {
			row.Was = was[row.Item.Pos]
		}
	}
	return err
}

// readOverhead returns how many tokens the first counted request had besides its messages: the
// system prompt and the tools.
func (r *requestReader) readOverhead(ctx context.Context) (int64, error) {
	if r.first == nil {
		return 0, nil
	}
	rest := r.firstTotal
	err := ReadMessages(ctx, r.session, r.first, func(_ int, m Message) { rest -= m.Tokens.Sum() })
	return max(rest, 0), err
}

// maxRemovedRows limits how many removed messages are listed.
const maxRemovedRows = 50

// readRemoved reads the sizes of the messages that are no longer sent.
func (r *requestReader) readRemoved(ctx context.Context) error {
	items := make([]session.ContextItem, len(r.out.Removed))
	for i := range items {
		items[i] = r.out.Removed[i].Item
	}
	return ReadMessages(ctx, r.session, items, func(i int, m Message) {
		row := &r.out.Removed[i]
		row.Tokens, row.Part = m.Tokens, m.mainPart()
	})
}

// itemKey identifies a message of a context.
type itemKey struct {
	pos, edit session.Pos
	part      session.ContextPart
	call      int
	system    bool
}

func newItemKey(item session.ContextItem) itemKey {
	return itemKey{item.Pos, item.Edit, item.Part, item.Call, item.SystemMessage}
}

// markNew marks the rows that the previous request does not have, and lists what it has in
// addition, except for what a compaction or reset left out.
func (r *requestReader) markNew() {
	if r.out.Previous == session.NoPos {
		return
	}
	before, sent := map[itemKey]bool{}, map[session.Pos]bool{}
	for _, item := range r.previous {
		before[newItemKey(item)] = true
	}
	for i := range r.out.Rows {
		key := newItemKey(r.out.Rows[i].Item)
		r.out.Rows[i].New = !before[key]
		delete(before, key)
		sent[key.pos] = true // perhaps with a content that an edit replaced
	}
	for _, item := range r.previous {
		if before[newItemKey(item)] && !sent[item.Pos] {
			r.addRemoved(&Row{Item: item})
		}
	}
}

// addRemoved counts a message that is no longer sent, unless a compaction or reset left it out.
func (r *requestReader) addRemoved(row *Row) {
	if r.leftOutSince {
		return
	}
	r.out.RemovedCount++
	if len(r.out.Removed) < maxRemovedRows {
		r.out.Removed = append(r.out.Removed, *row)
	}
}

// maxScale is how much larger than its estimate a text may be.
const maxScale = 2

// scaleRows scales the estimates of the rows to the recorded total, of which overhead tokens
// are the system prompt and the tools, and adds up the parts.
func (r *requestReader) scaleRows(overhead int64) {
	rows := make([]*Tokens, len(r.out.Rows))
	for i := range rows {
		rows[i] = &r.out.Rows[i].Tokens
	}
	estimated := sumTokens(rows)
	total := r.out.Usage.InputTokens()
	r.out.Counted = total > 0
	switch {
	case r.out.Counted && r.out.Answer == r.out.firstAnswer:
		overhead = max(total-estimated, 0)
	case !r.out.Counted && r.known > 0:
		total, rows, estimated = r.known, rows[:r.knownRows], sumTokens(rows[:r.knownRows])
		r.out.Counted = r.knownRows == len(r.out.Rows)
	case !r.out.Counted:
		total = overhead + estimated
	}
	if sum := overhead + estimated; sum > total && sum > 0 {
		overhead = scaleRounded(overhead, total, sum)
	}
	messages := min(total-overhead, maxScale*estimated)
	scaleTokens(rows, messages)
	for i := range r.out.Rows {
		r.out.Parts.Add(&r.out.Rows[i].Tokens)
	}
	r.out.Parts[Unrecorded] += total - messages
	r.out.Total = r.out.Parts.Sum()
}
