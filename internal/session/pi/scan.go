package pi

import (
	"math"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

const (
	maxPreview = 200       // UTF-16 units of a content that a row shows; pi's number
	maxError   = 80        // the same for an error message
	maxUncut   = 64 * 1024 // where a row shows all of a text
)

// extra is what the decoder needs of a record besides its entry.
type extra struct {
	noID      bool
	title     string  // title slot
	slot      bool    // title slot of the form that oh-my-pi 18 reads
	uuid      string  // header of the uuid draft
	version   float64 // header; versions given as text count as JavaScript compares them
	ompKeys   bool    // header with keys that only oh-my-pi writes
	keptIndex int     // version 1 compaction: the record it keeps from; 0 none
}

var withoutID = &extra{noID: true}

var lines jsonl.Pool[line]

// scan reads one line into a record.
func scan(text []byte, home string) (session.Record, error) {
	l := lines.Get()
	defer lines.Put(l, len(text))
	if err := l.scan(text); err != nil {
		return session.Record{}, err
	}
	l.record(home)
	l.pack.seal()
	return l.rec, nil
}

func (l *line) record(home string) {
	switch {
	case l.typ.Is("session"):
		l.header()
	case l.typ.Is("title") && l.v.Kind() != 'x' && l.id.Kind() == 'x':
		l.slot()
	default:
		l.entry(home)
	}
}

func (l *line) slot() {
	x := &extra{}
	l.pack.name(&x.title, l.title)
	x.slot = l.slotForm()
	l.rec.Skip, l.rec.Extra = true, x
}

// slotForm reports whether oh-my-pi 18 takes a title record for its slot.
func (l *line) slotForm() bool {
	v, isNumber := l.v.Number()
	source := l.source.Kind() == 'x' || l.source.Is("auto") || l.source.Is("user")
	return l.v.Kind() == 0 && isNumber && v == 1 && source && l.title.IsString() && l.updated.IsString() && l.pad.IsString()
}

func (l *line) header() {
	h, x := &session.Header{Time: when(l.time)}, &extra{ompKeys: l.ompHeader || l.title.IsString()}
	l.rec.Header, l.rec.Extra = h, x
	if l.id.IsString() {
		l.pack.id(&h.ID, l.id)
	} else {
		l.pack.id(&h.ID, l.uuid)
	}
	x.noID = !l.id.IsString() && !l.uuid.IsString()
	l.pack.text(&h.Cwd, l.cwd, jsonl.Unlimited)
	l.pack.text(&h.Parent, l.parentSession, jsonl.Unlimited)
	l.pack.name(&h.Name, l.title)
	l.pack.id(&x.uuid, l.uuid)
	x.version = versionOf(l.version)
	h.Version = int(math.Min(math.Max(x.version, 1), math.MaxInt32))
}

// versionOf reads a header's version: 1 when it has none, else as JavaScript
// compares it with a number. What spells no number is less than no version, and
// so nothing is migrated.
func versionOf(v jsonl.Value) float64 {
	switch v.Kind() {
	case 'x', 'n', 't':
		return 1
	case 'f':
		return 0
	case 0:
		n, _ := v.Number()
		return n
	case '"':
		if v.Blank() {
			return 0
		}
		c := jsonl.Open(v.Bytes())
		if n, ok := c.Value().Number(); ok && c.End() == nil {
			return n
		}
	}
	return current
}

// current is the version that needs no migration.
const current = 3

// entry makes an entry of every other object, whatever its type.
func (l *line) entry(home string) {
	e := &l.rec.Entry
	l.identity(e)
	e.Time = when(l.time)
	e.Stamp = e.Time
	if l.typ.Is("message") {
		l.message.entry(e, &l.pack, home)
		return
	}
	e.Role = "unknown"
	if l.typ.IsString() {
		l.pack.word(&e.Role, l.typ)
	}
	if fill, ok := types[string(l.typ.Bytes())]; ok {
		fill(l, e)
	}
}

// identity reads the entry's place in the tree. The draft names it otherwise.
func (l *line) identity(e *session.Entry) {
	id, parent := l.id, l.parent
	if !isID(id) {
		id = l.uuid
	}
	if parent.Kind() == 'x' {
		parent = l.parentUUID
	}
	if isID(id) {
		l.pack.id(&e.ID, id)
	} else {
		l.rec.Extra = withoutID
	}
	if isID(parent) {
		e.Flags |= session.FlagHasParent
		l.pack.id(&e.Parent, parent)
	}
}

// isID reports whether v can name an entry: a string, or a number in its place.
func isID(v jsonl.Value) bool { k := v.Kind(); return k == '"' || k == 0 }
