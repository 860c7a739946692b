package scan

import "sessiontree/internal/session"

// decodeBlock decodes the block's records. end is the expected end of the file, from
// which the number of entries is estimated.
func (r *Reader) decodeBlock(b *block, end int64) {
	r.reserveChecks(b, end)
	base := r.line
	part := make([]session.Entry, 0, len(b.records))
	for i := range b.records {
		part = r.decodeLine(part, &b.records[i], base)
	}
	if len(part) > 0 {
		r.Entries = append(r.Entries, part)
	}
	r.line = base + b.lines
	r.off, r.open = b.endOffset(), false
	if n := len(b.records); n > 0 && b.records[n-1].torn {
		r.off = b.records[n-1].off // a torn line is read again when it is complete
	} else if n > 0 {
		r.open = b.records[n-1].open
	}
	if r.off == int64(len(BOM)) {
		r.off = 0
	}
	switch {
	case b.gap == 0:
		read := b.buf[:max(r.off-b.off, 0)]
		r.rememberEdges(read)
		r.weight += r.History.addText(b.off, read)
	case r.off > b.off:
		r.rememberEdges(b.buf[:edgeSize])
		r.rememberEdges(b.buf[edgeSize:])
	}
}

// decodeLine decodes one record and appends the entry, if any, to part.
func (r *Reader) decodeLine(part []session.Entry, s *scannedLine, base int32) []session.Entry {
	span := session.Span{Off: s.off, Len: s.len, Line: base + s.line + 1}
	if s.open {
		r.Torn = newTornNote(span, s.torn)
	}
	if s.torn {
		return part
	}
	if s.err != nil {
		r.dec.SkipBadLine(span, s.err.Error())
		r.Notes = append(r.Notes, session.Note{Code: session.NoteBadLine, Line: int(span.Line), Text: badLineText(s.err)})
		return part
	}
	if s.rec.Header != nil {
		r.Headers++
	}
	s.rec.Entry.Span = span
	e, ok, notes := r.dec.DecodeRecord(s.rec)
	r.Notes = append(r.Notes, notes...)
	if ok {
		r.lastSortTime = e.SetSortTime(r.lastSortTime)
		part = append(part, e)
		r.Checks = append(r.Checks, LineCheck{s.off, span.Line, s.sum})
		r.weight += estimateMemory(&e, r.Format)
	}
	return part
}

func badLineText(err error) string { return "this line cannot be read: " + err.Error() }

func newTornNote(span session.Span, torn bool) *session.Note {
	n := &session.Note{Code: session.NoteTornLine, Line: int(span.Line)}
	n.Text = "the last line is not finished: its agent is still writing it, or was stopped while it did"
	if !torn {
		n.Text = "the last line has no line end yet; it is shown anyway"
	}
	return n
}
