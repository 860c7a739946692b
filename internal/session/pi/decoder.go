package pi

import (
	"strconv"

	"sessiontree/internal/session"
)

// decoder turns the records of one file into entries. It migrates old versions as
// pi does on opening, but in memory, and with ids that name lines in place of
// random ones, so that they are the same each time.
type decoder struct {
	*dialect
	header  session.Header
	state   state
	slot    *string // title of the slot before the header
	slotted bool    // the slot is one that may be overwritten
	uuid    string  // the header's own, when it stands in the tree (draft)
	version float64
	last    string   // id of the entry before
	any     bool     // there is one
	records []string // version 1: id by record, "" for a header

	entry session.Entry // in hand; here, so that each does not take memory of its own
}

// state is where the decoder stands with the header.
type state uint8

const (
	waiting state = iota
	reading
	refused // the first record is no header: no session, whatever follows
)

func (d *decoder) Header() (session.Header, bool) { return d.header, d.state == reading }

func (d *decoder) Bad(session.Span, string) {}

func (d *decoder) Next(r session.Record) (session.Entry, bool, []session.Note) {
	x, _ := r.Extra.(*extra)
	switch {
	case r.Skip:
		d.title(r.Entry.Span, x)
		return session.Entry{}, false, nil
	case d.state == waiting:
		d.open(r.Header, x)
		return session.Entry{}, false, d.newer(r.Entry.Span)
	case d.state == refused:
		return session.Entry{}, false, nil
	case r.Header != nil:
		d.record("")
		return session.Entry{}, false, nil
	}
	d.entry = r.Entry
	d.migrate(&d.entry, x)
	d.amend(d, &d.entry)
	d.last, d.any = d.entry.ID, true
	d.record(d.entry.ID)
	return d.entry, true, nil
}

// title takes a title slot. The first line comes again when it was overwritten
// in place.
func (d *decoder) title(span session.Span, x *extra) {
	switch {
	case x == nil:
	case d.state == waiting && d.slot == nil:
		d.takeSlot(span, x)
	case d.state == reading && d.slot != nil && span.Line == 1:
		d.takeSlot(span, x)
		d.dialect.open(d)
	}
}

func (d *decoder) takeSlot(span session.Span, x *extra) {
	d.slot = &x.title
	d.slotted = x.slot && span.Off == 0 && span.Len == slotLen-1
}

// open takes the first record, which must be a header with an id.
func (d *decoder) open(h *session.Header, x *extra) {
	if h == nil || x == nil || x.noID {
		d.state = refused
		return
	}
	d.state, d.header, d.uuid, d.version = reading, *h, x.uuid, x.version
	d.header.Migrated, d.header.Newer = d.version < current, d.header.Version > current
	d.dialect.open(d)
	d.record("")
}

// newer returns a note about a header whose version is newer than known.
func (d *decoder) newer(at session.Span) []session.Note {
	if !d.header.Newer {
		return nil
	}
	return []session.Note{{Code: session.NoteNewer, Line: int(at.Line), Text: newerVersion(&d.header)}}
}

// record numbers the records of a version 1 file, which refers to them by number.
func (d *decoder) record(id string) {
	if d.version < 2 {
		d.records = append(d.records, id)
	}
}

func (d *decoder) migrate(e *session.Entry, x *extra) {
	if x != nil && x.noID {
		e.ID = "L" + strconv.Itoa(int(e.Span.Line))
		if d.version < 2 {
			d.chain(e)
		}
	}
	if x != nil && x.keptIndex > 0 && x.keptIndex < len(d.records) {
		e.Target = d.records[x.keptIndex]
	}
	if d.version < current && e.Role == "hookMessage" {
		e.Role = "custom"
	}
	if d.uuid != "" && e.Parent == d.uuid {
		e.Parent, e.Flags = "", e.Flags&^session.FlagHasParent
	}
}

// chain hangs e on the entry before it.
func (d *decoder) chain(e *session.Entry) {
	e.Parent, e.Flags = d.last, e.Flags&^session.FlagHasParent
	if d.any {
		e.Flags |= session.FlagHasParent
	}
}
