package wave

import (
	"hash/maphash"
	"strconv"

	"sessiontree/internal/session"
)

// NoteNoTime is the code of notes about lines without a time, which Wave itself skips.
const NoteNoTime = "no-time"

// decoder turns the records of one file into entries. Wave records no parents: each message is a
// child of the one before it.
type decoder struct {
	format    string
	header    session.Header
	hasLines  bool
	hasHeader bool // the header line was read
	last      string
	seen      map[uint64]struct{} // hashes of ids, because a set of long strings would be large
}

var hashSeed = maphash.MakeSeed()

// markSeen reports whether an id was recorded before, and records it.
func (d *decoder) markSeen(id string) bool {
	h := maphash.String(hashSeed, id)
	_, ok := d.seen[h]
	d.seen[h] = struct{}{}
	return ok
}

func (d *decoder) Header() (session.Header, bool) {
	h := d.header
	h.Format = d.format
	h.Rules = session.Rules{OmitsNoContext: true, ResultsReversed: true}
	if h.Version == 0 {
		h.Version = blockVersion
	}
	return h, d.hasLines
}

func (d *decoder) SkipBadLine(session.Span, string) {}

func (d *decoder) DecodeRecord(r session.Record) (session.Entry, bool, []session.Note) {
	if r.Header != nil {
		if !d.hasHeader {
			begun := d.header.Time
			d.header = *r.Header
			if d.header.Time == session.NoTime && d.hasLines {
				d.header.Time = begun
			}
			d.header.Version = max(d.header.Version, blockVersion)
		}
		d.hasLines, d.hasHeader = true, true
		return session.Entry{}, false, nil
	}
	e, x := r.Entry, r.Extra.(*facts)
	e.Extra = x
	d.updateHeader(&e, x)
	d.assignIDs(&e, x)
	var notes []session.Note
	if e.Time == session.NoTime && x.version != 0 && d.header.ID == "" {
		notes = append(notes, session.Note{Code: NoteNoTime, Line: int(e.Span.Line), Entry: e.ID,
			Text: "The line has no time. Wave skips it when reading the file."})
	}
	return e, true, notes
}

// updateHeader updates the header from a line.
func (d *decoder) updateHeader(e *session.Entry, x *facts) {
	if !d.hasLines || d.header.Time == session.NoTime {
		d.header.Time = e.Time
	}
	d.hasLines = true
	d.header.Version = max(d.header.Version, x.version)
}

// assignIDs sets the ids of the entry and of its parent. An id that was recorded before marks a
// message that a compaction recorded again: it gets a new id, and the next entry has the same
// parent.
func (d *decoder) assignIDs(e *session.Entry, x *facts) {
	e.ID = x.id
	if e.ID == "" {
		e.ID = "L" + strconv.Itoa(int(e.Span.Line))
	}
	again := d.markSeen(e.ID)
	if again {
		for n, id := 2, e.ID; d.markSeen(e.ID); n++ {
			e.ID = id + "#" + strconv.Itoa(n)
		}
		e.Flags |= session.FlagArtifact
		e.OwnDetails().Status = "duplicate record of a compaction"
	}
	if d.last != "" {
		e.Parent, e.Flags = d.last, e.Flags|session.FlagHasParent
	}
	if !again {
		d.last = e.ID
	}
}
