package redact

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"sessiontree/internal/session/jsonl"
)

// signatures are the keys under which providers sign the block they stand in. The
// signature of a changed block holds no longer, and a model would refuse it.
var signatures = []string{"signature", "thinkingSignature", "textSignature", "thoughtSignature"}

// JSON answers line, one JSON value, with every string in it replaced as Replace
// would, keys too. Strings are decoded first, so that no escape hides anything;
// what needs no change keeps its bytes. A signature beside or around a change is
// taken out. Images and other data in base64 are passed by.
func (r *Rules) JSON(line []byte, which map[string]bool) (out []byte, changed bool, counts map[string]int, err error) {
	out, changed, err = r.json(line, which, counting(&counts))
	return out, changed, counts, err
}

func (r *Rules) json(line []byte, which map[string]bool, take note) (out []byte, changed bool, err error) {
	c := jsonl.Open(line)
	c.Skip()
	if err := c.End(); err != nil {
		return nil, false, fmt.Errorf("redacting a line: %w", err)
	}
	w := walk{rules: r, which: which, take: take, line: line}
	w.all()
	if len(w.edits) == 0 {
		return line, false, nil
	}
	return w.out(), true, nil
}

// edit replaces the bytes from start to end.
type edit struct {
	start, end int
	text       []byte
}

// walk goes over a line that is known to be JSON, from left to right.
type walk struct {
	rules *Rules
	which map[string]bool
	take  note
	line  []byte
	at    int
	open  []block
	edits []edit
}

// block is an object or array that is not closed yet.
type block struct {
	object  bool
	value   bool   // of an object: a value comes next, not a key
	key     string // of the value that comes next or came last
	keyAt   int
	end     int  // of the last member
	kept    bool // a member that stays has been seen
	changed bool
	signed  []signed
}

// signed is a member that holds a signature.
type signed struct {
	start, end int
	lead       bool // nothing stays before it: it goes up to the next key
}

func (w *walk) all() {
	for w.at < len(w.line) {
		switch b := w.line[w.at]; b {
		case '"':
			w.text()
			continue
		case '{', '[':
			w.open = append(w.open, block{object: b == '{'})
		case ':':
			w.top().value = true
		case ',':
			w.member()
		case '}', ']':
			w.member()
			w.close()
		default:
			if b > ' ' && len(w.open) > 0 { // a number or a word
				w.top().end = w.at + 1
			}
		}
		w.at++
	}
}

func (w *walk) top() *block { return &w.open[len(w.open)-1] }

// member notes that a member of the innermost block has ended.
func (w *walk) member() {
	b := w.top()
	if !b.object || !b.value {
		return
	}
	if slices.Contains(signatures, b.key) {
		s := signed{start: b.keyAt, end: b.end, lead: !b.kept}
		if b.kept {
			s.start = w.commaBefore(b.keyAt)
		}
		b.signed = append(b.signed, s)
	} else {
		b.kept = true
	}
	b.value = false
}

// commaBefore is where the comma before a key stands.
func (w *walk) commaBefore(at int) int { return bytes.LastIndexByte(w.line[:at], ',') }

// close ends the innermost block. A change in it is one in the block around it.
func (w *walk) close() {
	b := *w.top()
	w.open = w.open[:len(w.open)-1]
	if b.changed {
		for _, s := range b.signed {
			w.edits = append(w.edits, edit{start: s.start, end: s.end})
		}
	}
	if len(w.open) > 0 {
		outer := w.top()
		outer.changed = outer.changed || b.changed
		outer.end = w.at + 1
	}
}

// text looks at the string that begins here.
func (w *walk) text() {
	start := w.at
	w.at = stringEnd(w.line, start)
	raw := w.line[start:w.at]
	var b *block
	if len(w.open) > 0 {
		b = w.top()
		b.end = w.at
		if b.object && !b.value {
			w.key(b, start)
		}
	}
	text := decoded(raw)
	if b != nil && b.value && opaque(b.key, text) {
		return
	}
	out := w.rules.replace(text, w.which, w.take)
	if out == text {
		return
	}
	w.edits = append(w.edits, edit{start, w.at, jsonl.AppendString(nil, out)})
	if b != nil {
		b.changed = true
	}
}

// key notes the key that begins at start. A signature that leads the block goes
// with the comma up to here.
func (w *walk) key(b *block, start int) {
	b.key, b.keyAt = decoded(w.line[start:w.at]), start
	if n := len(b.signed); n > 0 && b.signed[n-1].lead {
		b.signed[n-1].end, b.signed[n-1].lead = start, false
	}
}

// stringEnd is the end of the string that begins at start, after its quote.
func stringEnd(line []byte, start int) int {
	for at := start + 1; ; at++ {
		at += bytes.IndexByte(line[at:], '"')
		slashes := at
		for line[slashes-1] == '\\' {
			slashes--
		}
		if (at-slashes)%2 == 0 {
			return at + 1
		}
	}
}

func decoded(raw []byte) string {
	c := jsonl.Open(raw)
	return c.Value().Text()
}

// opaque reports whether a value is data in base64 and no text: nothing that could
// be read stands in it, and a change would break it.
func opaque(key, text string) bool {
	if strings.HasPrefix(text, "data:") {
		head, data, ok := strings.Cut(text, ";base64,")
		return ok && len(head) < 100 && isBase64(data)
	}
	return key == "data" && len(text) >= 64 && isBase64(text)
}

func isBase64(text string) bool {
	text = strings.TrimRight(text, "=")
	for i := range len(text) {
		if b := text[i]; !alnum(b) && b != '+' && b != '/' {
			return false
		}
	}
	return true
}

// out puts the edits in. Those inside of a signature that goes are left out.
func (w *walk) out() []byte {
	slices.SortStableFunc(w.edits, func(a, b edit) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	out, at := make([]byte, 0, len(w.line)), 0
	for _, e := range w.edits {
		if e.start < at {
			continue
		}
		out = append(append(out, w.line[at:e.start]...), e.text...)
		at = e.end
	}
	return append(out, w.line[at:]...)
}
