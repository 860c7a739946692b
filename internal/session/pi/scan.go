package pi

import (
	"errors"
	"math"
	"strings"
	"sync"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

const (
	maxPreview = 200       // UTF-16 units of a content that a row shows; pi's number
	maxError   = 80        // the same for an error message
	maxUncut   = 64 * 1024 // where a row shows all of a text
)

// branchMark is the custom type of the line that the explorer writes to keep a
// branch without words.
const branchMark = "session-explorer.branch"

var errNoObject = errors.New("it is no JSON object")

// extra is what the decoder needs of a record besides its entry.
type extra struct {
	noID      bool
	title     string  // title slot
	uuid      string  // header of the uuid draft
	version   float64 // header; versions given as text count as JavaScript compares them
	slotless  bool    // header with keys that only oh-my-pi writes
	keptIndex int     // version 1 compaction: the record it keeps from; 0 none
}

var withoutID = &extra{noID: true}

var lines = sync.Pool{New: func() any { return new(line) }}

// scan reads one line into a record.
func scan(text []byte, home string) (session.Record, error) {
	l := lines.Get().(*line)
	defer l.free(text)
	isObject, err := l.scan(text)
	if err != nil {
		return session.Record{}, err
	}
	if !isObject {
		return session.Record{}, errNoObject
	}
	l.record(home)
	l.pack.seal()
	return l.rec, nil
}

// free gives l back for the next line. It must not keep a huge one in memory.
func (l *line) free(text []byte) {
	if len(text) > 1<<20 {
		*l = line{}
	}
	lines.Put(l)
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
	l.rec.Skip, l.rec.Extra = true, x
}

func (l *line) header() {
	h, x := &session.Header{Time: when(l.time)}, &extra{slotless: l.ompHeader || l.title.IsString()}
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

// types fills an entry by its type. Messages and unknown types are not here.
var types = map[string]func(*line, *session.Entry){
	"thinking_level_change": (*line).thinking,
	"model_change":          (*line).modelChange,
	"compaction":            (*line).compaction,
	"branch_summary":        (*line).branchSummary,
	"stack_summary":         (*line).branchSummary,
	"custom":                (*line).custom,
	"custom_message":        (*line).customMessage,
	"label":                 (*line).labelChange,
	"session_info":          (*line).sessionInfo,
	"usage":                 (*line).spent,
	"context_edit":          (*line).contextEdit,
	"archive":               (*line).archive,
	"reset_boundary":        func(_ *line, e *session.Entry) { e.Kind = session.KindReset },
	"mode_change":           func(l *line, e *session.Entry) { l.event(e, l.mode) },
	"title_change":          func(l *line, e *session.Entry) { l.event(e, l.title) },
	"credential_pin":        func(l *line, e *session.Entry) { l.event(e, l.provider) },
	"session_init":          (*line).sessionInit,
	"service_tier_change":   (*line).serviceTier,
	"model_usage":           (*line).modelUsage,
	"ttsr_injection":        (*line).injection,
}

func (l *line) thinking(e *session.Entry) {
	e.Kind = session.KindThinking
	switch {
	case l.level.IsString():
		l.pack.text(&e.Name, l.level, maxWord)
	case l.configured.IsString():
		l.pack.text(&e.Name, l.configured, maxWord)
	default:
		e.Name = "off"
	}
}

// modelChange reads both dialects: provider and modelId, or "provider/model" in
// one and the role it is for.
func (l *line) modelChange(e *session.Entry) {
	e.Kind = session.KindModel
	if l.modelID.IsString() || !l.model.IsString() {
		l.pack.text(&e.Provider, l.provider, maxWord)
		l.pack.text(&e.Name, l.modelID, maxWord)
	} else {
		from := len(l.pack.buf)
		l.pack.buf = jsonl.AppendText(l.pack.buf, l.model, maxWord)
		name := from + strings.IndexByte(string(l.pack.buf[from:]), '/') + 1
		l.pack.keep(&e.Name, name)
		if name > from {
			l.pack.refs = append(l.pack.refs, ref{&e.Provider, from, name - 1})
		}
	}
	if l.role.IsString() && !l.role.Is("default") {
		e.Flags |= session.FlagSecondary
	}
}

func (l *line) compaction(e *session.Entry) {
	e.Kind, e.Cost = session.KindCompaction, l.cost
	l.pack.id(&e.Target, l.firstKept)
	n, _ := l.tokens.Number()
	e.Tokens = whole(n)
	if l.checkpoint {
		e.Flags |= session.FlagCheckpoint
	}
	if n, ok := l.firstKeptIndex.Number(); ok && n > 0 && n < math.MaxInt32 && n == math.Trunc(n) {
		x := &extra{keptIndex: int(n)}
		x.noID = l.rec.Extra == any(withoutID)
		l.rec.Extra = x
	}
}

func (l *line) branchSummary(e *session.Entry) {
	e.Kind, e.Cost = session.KindBranchSummary, l.cost
	l.pack.id(&e.Target, l.fromID)
	l.pack.row(&e.Preview, l.summary, maxUncut)
	l.textFlag(e, l.summary)
}

func (l *line) textFlag(e *session.Entry, v jsonl.Value) {
	if !v.Blank() {
		e.Flags |= session.FlagText
	}
}

func (l *line) custom(e *session.Entry) {
	e.Kind = session.KindCustom
	l.pack.text(&e.Name, l.customType, maxWord)
	if l.customType.Is(branchMark) {
		e.Flags |= session.FlagBranchMark
	}
}

func (l *line) customMessage(e *session.Entry) {
	e.Kind = session.KindCustomMessage
	l.pack.text(&e.Name, l.customType, maxWord)
	l.pack.content(&e.Preview, &l.content, maxUncut)
	e.Flags |= contentFlags(&l.content) | hidden(l.display)
}

func hidden(display jsonl.Value) session.Flags {
	if display.Kind() == 'f' {
		return session.FlagHidden
	}
	return 0
}

// contentFlags are the facts of a content.
func contentFlags(t *content) (f session.Flags) {
	if t.hasText() {
		f |= session.FlagText
	}
	if t.has("image") {
		f |= session.FlagImages
	}
	if t.has("thinking") {
		f |= session.FlagThinking
	}
	return f
}

// labelChange keeps a label as recorded: pi counts a blank one, and one that is a
// number.
func (l *line) labelChange(e *session.Entry) {
	e.Kind = session.KindLabel
	l.pack.id(&e.Target, l.target)
	switch {
	case l.label.IsString():
		e.Flags |= session.FlagOn
		l.pack.text(&e.Preview, l.label, maxUncut)
	case l.label.Truthy():
		e.Flags |= session.FlagOn
		from := len(l.pack.buf)
		l.pack.buf, _ = jsonl.AppendCompact(l.pack.buf, l.label, maxPreview)
		l.pack.keep(&e.Preview, from)
	}
}

func (l *line) sessionInfo(e *session.Entry) {
	e.Kind = session.KindName
	l.pack.name(&e.Name, l.name)
}

func (l *line) spent(e *session.Entry) {
	e.Kind, e.Cost = session.KindUsage, l.cost
	l.pack.text(&e.Name, l.kind, maxWord)
}

func (l *line) contextEdit(e *session.Entry) {
	e.Kind, e.Name = session.KindContextEdit, "omit"
	l.pack.id(&e.Target, l.target)
	if l.replaces {
		e.Name = "replace"
		l.pack.content(&e.Preview, &l.content, maxPreview)
		e.Flags |= contentFlags(&l.content)
	}
}

func (l *line) archive(e *session.Entry) {
	e.Kind = session.KindArchive
	l.pack.id(&e.Target, l.target)
	if l.archived.Kind() == 't' {
		e.Flags |= session.FlagOn
	}
}
