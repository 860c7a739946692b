package redact

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"sessiontree/internal/session/jsonl"
)

// signatureKeys are the keys of signatures by which providers sign a block. The signature of a
// changed block is invalid, and a model would refuse it.
var signatureKeys = []string{"signature", "thinkingSignature", "textSignature", "thoughtSignature"}

// RedactJSON returns line, one JSON value, with every string in it redacted as by RedactText,
// including keys. It decodes strings first, so that escapes hide nothing; unchanged strings keep
// their bytes. Signatures in or around a changed block are removed. Images and other base64 data
// are skipped.
func (r *Rules) RedactJSON(line []byte, which map[string]bool) (out []byte, changed bool, counts map[string]int, err error) {
	out, changed, err = r.replaceInJSON(line, which, countByKind(&counts))
	return out, changed, counts, err
}

func (r *Rules) replaceInJSON(line []byte, which map[string]bool, take noteFunc) (out []byte, changed bool, err error) {
	c := jsonl.NewCursor(line)
	c.Skip()
	if err := c.End(); err != nil {
		return nil, false, fmt.Errorf("redacting a line: %w", err)
	}
	w := jsonWalker{rules: r, which: which, take: take, line: line}
	w.walkLine()
	if len(w.edits) == 0 {
		return line, false, nil
	}
	return w.applyEdits(), true, nil
}

// jsonEdit replaces the bytes from start to end.
type jsonEdit struct {
	start, end int
	text       []byte
}

// jsonWalker walks a line of valid JSON from left to right.
type jsonWalker struct {
	rules *Rules
	which map[string]bool
	take  noteFunc
	line  []byte
	at    int
	open  []jsonBlock
	edits []jsonEdit
}

// jsonBlock is an open object or array.
type jsonBlock struct {
	object     bool
	value      bool   // of an object: a value comes next, not a key
	key        string // of the next or the last value
	keyAt      int
	end        int  // end of the last member
	hasMember  bool // a member that is kept has been seen
	changed    bool
	signatures []signatureSpan
}

// signatureSpan is the place of a member that holds a signature.
type signatureSpan struct {
	start, end int
	lead       bool // no kept member precedes it, so it extends to the next key
}

func (w *jsonWalker) walkLine() {
	for w.at < len(w.line) {
		switch b := w.line[w.at]; b {
		case '"':
			w.walkString()
			continue
		case '{', '[':
			w.open = append(w.open, jsonBlock{object: b == '{'})
		case ':':
			w.innermost().value = true
		case ',':
			w.endMember()
		case '}', ']':
			w.endMember()
			w.closeBlock()
		default:
			if b > ' ' && len(w.open) > 0 { // a number or a literal
				w.innermost().end = w.at + 1
			}
		}
		w.at++
	}
}

func (w *jsonWalker) innermost() *jsonBlock { return &w.open[len(w.open)-1] }

// endMember records the end of a member of the innermost block.
func (w *jsonWalker) endMember() {
	b := w.innermost()
	if !b.object || !b.value {
		return
	}
	if slices.Contains(signatureKeys, b.key) {
		s := signatureSpan{start: b.keyAt, end: b.end, lead: !b.hasMember}
		if b.hasMember {
			s.start = w.commaBefore(b.keyAt)
		}
		b.signatures = append(b.signatures, s)
	} else {
		b.hasMember = true
	}
	b.value = false
}

// commaBefore returns the offset of the comma before a key.
func (w *jsonWalker) commaBefore(at int) int { return bytes.LastIndexByte(w.line[:at], ',') }

// closeBlock closes the innermost block. A change in it is also a change of the outer block.
func (w *jsonWalker) closeBlock() {
	b := *w.innermost()
	w.open = w.open[:len(w.open)-1]
	if b.changed {
		for _, s := range b.signatures {
			w.edits = append(w.edits, jsonEdit{start: s.start, end: s.end})
		}
	}
	if len(w.open) > 0 {
		outer := w.innermost()
		outer.changed = outer.changed || b.changed
		outer.end = w.at + 1
	}
}

// walkString redacts the string at the current place.
func (w *jsonWalker) walkString() {
	start := w.at
	w.at = jsonStringEnd(w.line, start)
	raw := w.line[start:w.at]
	var b *jsonBlock
	if len(w.open) > 0 {
		b = w.innermost()
		b.end = w.at
		if b.object && !b.value {
			w.startKey(b, start)
		}
	}
	text := decodeString(raw)
	if b != nil && b.value && isOpaqueData(b.key, text) {
		return
	}
	out := w.rules.replaceUntilStable(text, w.which, w.take)
	if out == text {
		return
	}
	w.edits = append(w.edits, jsonEdit{start, w.at, jsonl.AppendString(nil, out)})
	if b != nil {
		b.changed = true
	}
}

// startKey records the key that begins at start. A leading signature is removed with the comma up
// to here.
func (w *jsonWalker) startKey(b *jsonBlock, start int) {
	b.key, b.keyAt = decodeString(w.line[start:w.at]), start
	if n := len(b.signatures); n > 0 && b.signatures[n-1].lead {
		b.signatures[n-1].end, b.signatures[n-1].lead = start, false
	}
}

// jsonStringEnd returns the offset after the string that begins at start.
func jsonStringEnd(line []byte, start int) int {
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

func decodeString(raw []byte) string {
	c := jsonl.NewCursor(raw)
	return c.Value().Text()
}

// isOpaqueData reports whether a value is base64 data. Such data holds no readable text, and a
// change would corrupt it.
func isOpaqueData(key, text string) bool {
	if strings.HasPrefix(text, "data:") {
		head, data, ok := strings.Cut(text, ";base64,")
		return ok && len(head) < 100 && isBase64(data)
	}
	return key == "data" && len(text) >= 64 && isBase64(text)
}

func isBase64(text string) bool {
	text = strings.TrimRight(text, "=")
	for i := range len(text) {
		if b := text[i]; !isAlphanumeric(b) && b != '+' && b != '/' {
			return false
		}
	}
	return true
}

// applyEdits applies the edits, except those within a removed signature.
func (w *jsonWalker) applyEdits() []byte {
	slices.SortStableFunc(w.edits, func(a, b jsonEdit) int {
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
