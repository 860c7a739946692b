package pi

import (
	"bytes"
	"math"

	"sessiontree/internal/session/jsonl"
)

// packFailure packs how a tool failed in a short status. pi's bash ends its output with a sentence
// about it; other tools only record that they failed.
func (m *message) packFailure(dst *string, p *stringPacker) {
	if code, ok := m.details.exit.Number(); ok && code != 0 {
		p.packExitStatus(dst, string(jsonl.AppendNumber(nil, code)))
		return
	}
	tail := m.content.lastText().Bytes()
	tail = tail[max(0, len(tail)-tailLen):]
	switch code := digitsAfter(tail, "Command exited with code "); {
	case len(code) > 0:
		p.packExitStatus(dst, string(code))
	case bytes.Contains(tail, []byte("timed out")):
		*dst = "timed out"
	case bytes.Contains(tail, []byte("Command aborted")), bytes.Contains(tail, []byte("Operation aborted")):
		*dst = "aborted"
	default:
		*dst = "failed"
	}
}

// tailLen is the number of bytes at the end of an output that are searched for its status.
const tailLen = 200

// digitsAfter returns the digits that follow the last mark in text.
func digitsAfter(text []byte, mark string) []byte {
	i := bytes.LastIndex(text, []byte(mark))
	if i < 0 {
		return nil
	}
	digits := text[i+len(mark):]
	n := 0
	for n < len(digits) && digits[n]-'0' <= 9 {
		n++
	}
	return digits[:n]
}

func (p *stringPacker) packExitStatus(dst *string, code string) {
	if code == "1" {
		*dst = "exit 1"
		return
	}
	from := len(p.buf)
	p.buf = append(append(p.buf, "exit "...), code...)
	p.packSince(dst, from)
}

// countDiff counts the lines of a recorded diff that begin with + and -.
func countDiff(diff jsonl.Value) (added, removed int32) {
	b, start := diff.Bytes(), true
	for len(b) > 0 {
		if start && b[0] == '+' && added < math.MaxInt32 {
			added++
		}
		if start && b[0] == '-' && removed < math.MaxInt32 {
			removed++
		}
		n := bytes.IndexByte(b, '\\')
		if n < 0 || n+1 >= len(b) {
			break
		}
		start = b[n+1] == 'n'
		b = b[n+2:]
	}
	return added, removed
}
