package pi

import (
	"strconv"

	"sessiontree/internal/session"
)

// decoder turns the records of one file into entries. It migrates old versions in memory as pi does
// on opening. Ids made of line numbers replace pi's random ids, so that they are the same each
// time.
type decoder struct {
	*dialect
	header       session.Header
	state        headerState
	slot         *string // title from the slot before the header
	slotWritable bool    // the slot may be overwritten
	uuid         string  // the header's own uuid if the header is part of the tree (draft)
	version      float64
	last         string   // id of the previous entry
	hasLast      bool     // there is one
	records      []string // version 1: id by record, "" for a header

	entry session.Entry // the current entry, kept here to avoid an allocation for each
}

// headerState is the state of reading the header.
type headerState uint8

const (
	awaitingHeader headerState = iota
	headerRead
	notSession // the first record is no header, so the file is no session
)

func (d *decoder) Header() (session.Header, bool) { return d.header, d.state == headerRead }

func (d *decoder) SkipBadLine(session.Span, string) {}

func (d *decoder) DecodeRecord(r session.Record) (session.Entry, bool, []session.Note) {
	x, _ := r.Extra.(*recordFacts)
	switch {
	case r.Ignored:
		d.updateTitle(r.Entry.Span, x)
		return session.Entry{}, false, nil
	case d.state == awaitingHeader:
		d.openSession(r.Header, x)
		return session.Entry{}, false, d.newerVersionNote(r.Entry.Span)
	case d.state == notSession:
		return session.Entry{}, false, nil
	case r.Header != nil:
		d.numberRecord("")
		return session.Entry{}, false, nil
	}
	d.entry = r.Entry
	d.migrateEntry(&d.entry, x)
	d.onEntry(d, &d.entry)
	d.last, d.hasLast = d.entry.ID, true
	d.numberRecord(d.entry.ID)
	return d.entry, true, nil
}

// updateTitle updates the title from a title slot. The first line is read again after it was
// overwritten in place.
func (d *decoder) updateTitle(span session.Span, x *recordFacts) {
	switch {
	case x == nil:
	case d.state == awaitingHeader && d.slot == nil:
		d.readTitleSlot(span, x)
	case d.state == headerRead && d.slot != nil && span.Line == 1:
		d.readTitleSlot(span, x)
		d.dialect.onHeader(d)
	}
}

func (d *decoder) readTitleSlot(span session.Span, x *recordFacts) {
	d.slot = &x.title
	d.slotWritable = x.slot && span.Off == 0 && span.Len == slotLen-1
}

// openSession reads the first record, which must be a header with an id.
func (d *decoder) openSession(h *session.Header, x *recordFacts) {
	if h == nil || x == nil || x.noID {
		d.state = notSession
		return
	}
	d.state, d.header, d.uuid, d.version = headerRead, *h, x.uuid, x.version
	d.header.Migrated, d.header.IsNewerVersion = d.version < currentVersion, d.header.Version > currentVersion
	d.dialect.onHeader(d)
	d.numberRecord("")
}

// newerVersionNote returns a note if the version of the header is newer than known.
func (d *decoder) newerVersionNote(at session.Span) []session.Note {
	if !d.header.IsNewerVersion {
		return nil
	}
	return []session.Note{{Code: session.NoteNewer, Line: int(at.Line), Text: newerVersionText(&d.header)}}
}

// numberRecord records the id of a record in a version 1 file, which refers to records by number.
func (d *decoder) numberRecord(id string) {
	if d.version < 2 {
		d.records = append(d.records, id)
	}
}

func (d *decoder) migrateEntry(e *session.Entry, x *recordFacts) {
	if x != nil && x.noID {
		e.ID = "L" + strconv.Itoa(int(e.Span.Line))
		if d.version < 2 {
			d.linkToPrevious(e)
		}
	}
	if x != nil && x.keptIndex > 0 && x.keptIndex < len(d.records) {
		e.OwnDetails().Target = d.records[x.keptIndex]
	}
	if d.version < currentVersion && e.Role == "hookMessage" {
		e.Role = "custom"
	}
	if d.uuid != "" && e.Parent == d.uuid {
		e.Parent, e.Flags = "", e.Flags&^session.FlagHasParent
	}
}

// linkToPrevious makes e a child of the previous entry.
func (d *decoder) linkToPrevious(e *session.Entry) {
	e.Parent, e.Flags = d.last, e.Flags&^session.FlagHasParent
	if d.hasLast {
		e.Flags |= session.FlagHasParent
	}
}
