package pi

import (
	"math"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

const (
	maxPreview   = 200       // UTF-16 units of a content in a row; pi's limit
	maxError     = 80        // UTF-16 units of an error message in a row
	maxWholeText = 64 * 1024 // UTF-16 units of a text that a row shows in full
)

// recordFacts is what the decoder needs of a record besides the entry.
type recordFacts struct {
	noID      bool
	title     string  // of a title slot
	slot      bool    // a title slot in the form that oh-my-pi 18 reads
	uuid      string  // of a header of the uuid draft
	version   float64 // of a header; versions given as text count as JavaScript compares them
	ompKeys   bool    // a header with keys that only oh-my-pi writes
	keptIndex int     // of a version 1 compaction: the number of the first kept record, 0 for none
}

var factsWithoutID = &recordFacts{noID: true}

var linePool jsonl.Pool[line]

// scanLine scans one line into a record.
func scanLine(text []byte, home string) (session.Record, error) {
	return scanWithOutput(text, home, maxPreview)
}

// scanListedLine is scanLine without the previews of tool results.
func scanListedLine(text []byte, home string) (session.Record, error) {
	return scanWithOutput(text, home, 0)
}

// scanWithOutput scans one line. The preview of a tool result is cut at maxOutput UTF-16 units.
func scanWithOutput(text []byte, home string, maxOutput int) (session.Record, error) {
	l := linePool.Get()
	defer linePool.Put(l, len(text))
	if err := l.readLine(text); err != nil {
		return session.Record{}, err
	}
	l.message.maxOutput = maxOutput
	l.makeRecord(home)
	l.pack.makeStrings()
	l.rec.Entry.StoreDetails(&l.entryDetails)
	return l.rec, nil
}

func (l *line) makeRecord(home string) {
	switch {
	case l.typ.Is("session"):
		l.makeHeader()
	case l.typ.Is("title") && l.v.Kind() != 'x' && l.id.Kind() == 'x':
		l.readSlot()
	default:
		l.fillEntry(home)
	}
}

func (l *line) readSlot() {
	x := &recordFacts{}
	l.pack.packTrimmed(&x.title, l.title)
	x.slot = l.isWritableSlot()
	l.rec.Ignored, l.rec.Extra = true, x
}

// isWritableSlot reports whether oh-my-pi 18 accepts a title record as its slot.
func (l *line) isWritableSlot() bool {
	v, isNumber := l.v.Number()
	source := l.source.Kind() == 'x' || l.source.Is("auto") || l.source.Is("user")
	return l.v.Kind() == 0 && isNumber && v == 1 && source && l.title.IsString() && l.updated.IsString() && l.pad.IsString()
}

func (l *line) makeHeader() {
	h, x := &session.Header{Time: parseTimestamp(l.time)}, &recordFacts{ompKeys: l.ompHeader || l.title.IsString()}
	l.rec.Header, l.rec.Extra = h, x
	if l.id.IsString() {
		l.pack.packID(&h.ID, l.id)
	} else {
		l.pack.packID(&h.ID, l.uuid)
	}
	x.noID = !l.id.IsString() && !l.uuid.IsString()
	l.pack.packText(&h.Cwd, l.cwd, jsonl.Unlimited)
	l.pack.packText(&h.Parent, l.parentSession, jsonl.Unlimited)
	l.pack.packTrimmed(&h.Name, l.title)
	l.pack.packID(&x.uuid, l.uuid)
	x.version = parseVersion(l.version)
	h.Version = int(math.Min(math.Max(x.version, 1), math.MaxInt32))
}

// parseVersion returns a header's version: 1 if it has none, else its value as JavaScript compares
// it with a number. A value that is no number counts as current, so that nothing is migrated.
func parseVersion(v jsonl.Value) float64 {
	switch v.Kind() {
	case 'x', 'n', 't':
		return 1
	case 'f':
		return 0
	case 0:
		n, _ := v.Number()
		return n
	case '"':
		if v.IsBlank() {
			return 0
		}
		c := jsonl.NewCursor(v.Bytes())
		if n, ok := c.Value().Number(); ok && c.End() == nil {
			return n
		}
	}
	return currentVersion
}

// currentVersion is the version that needs no migration.
const currentVersion = 3

// fillEntry fills the entry of any record that is neither header nor title slot.
func (l *line) fillEntry(home string) {
	e := &l.rec.Entry
	e.Details = &l.entryDetails
	l.readIDs(e)
	e.Time = parseTimestamp(l.time)
	e.MessageTime = e.Time
	if l.typ.Is("message") {
		l.message.fillMessage(e, &l.pack, home)
		e.Details.Charge = l.message.charge(&l.pack, l.time)
		return
	}
	e.Role = "unknown"
	if l.typ.IsString() {
		l.pack.packWord(&e.Role, l.typ)
	}
	if fill, ok := entryFillers[string(l.typ.Bytes())]; ok {
		fill(l, e)
	}
	if e.Details.Charge = l.usage.Charge(l.time, l.model, nil); e.Details.Charge != nil {
		l.pack.packWord(&e.Details.Charge.Model, l.model)
	}
}

// maxHashed is how much of each text helps to identify a request, in UTF-16 units.
const maxHashed = 60

// charge returns the charge of the message, nil if it records no request. recorded is the time
// of its line.
func (m *message) charge(p *stringPacker, recorded jsonl.Value) *session.Charge {
	used, from := m.usage, len(p.buf)
	used.AddUsage(&m.details.used)
	if used.Usage == (session.Usage{}) {
		return nil
	}
	if m.time.Kind() == 'x' {
		m.time = recorded
	}
	p.buf = jsonl.AppendText(p.buf, m.content.text, maxHashed)
	for i := range m.content.blocks[:min(len(m.content.blocks), 4)] {
		b := &m.content.blocks[i]
		p.buf = jsonl.AppendText(append(jsonl.AppendText(p.buf, b.text, maxHashed), 0), b.id, maxHashed)
	}
	charge := used.Charge(m.time, m.model, p.buf[from:])
	p.buf = p.buf[:from]
	p.packWord(&charge.Model, m.model)
	charge.Delegated = m.details.used.Cost != 0
	return charge
}

// readIDs reads the ids of an entry and its parent. The draft uses other keys.
func (l *line) readIDs(e *session.Entry) {
	id, parent := l.id, l.parent
	if !isID(id) {
		id = l.uuid
	}
	if parent.Kind() == 'x' {
		parent = l.parentUUID
	}
	if isID(id) {
		l.pack.packID(&e.ID, id)
	} else {
		l.rec.Extra = factsWithoutID
	}
	if isID(parent) {
		e.Flags |= session.FlagHasParent
		l.pack.packID(&e.Parent, parent)
	}
}

// isID reports whether v can be an entry's id: a string or a number.
func isID(v jsonl.Value) bool { k := v.Kind(); return k == '"' || k == 0 }
