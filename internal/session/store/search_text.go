package store

import (
	"bytes"
	"encoding/json"
	"strings"

	"sessiontree/internal/session"
)

// missingFromLine returns the words that a recorded line cannot contain.
func (q *searchQuery) missingFromLine(buf []byte, start, end int, esc *escapeFinder) (lack uint64) {
	for k := range q.linePatterns {
		if !q.linePatterns[k].matchesLine(buf[start:end]) {
			lack |= 1 << k
		}
	}
	if lack != 0 && esc.hasEscapeBetween(start, end) {
		return 0
	}
	return lack
}

// matchesTarget reports whether an entry matches. Its line starts at start.
func (q *searchQuery) matchesTarget(buf []byte, start int, t *searchTarget) (bool, error) {
	if t.excluded || t.need == 0 {
		return !t.excluded, nil
	}
	end := start + int(t.Span.Len)
	line, err := t.VerifyLine(buf[max(start-1, 0):min(end+1, len(buf))], min(start, 1))
	if err != nil {
		return false, err
	}
	body, err := q.format.DecodeBody(line)
	if err != nil {
		return false, nil // there is only the row, which does not contain all words
	}
	return q.missingFromText(bodyText(&body))&t.need == 0, nil
}

// missingFromText returns the words that a text does not contain.
func (q *searchQuery) missingFromText(text []byte) (lack uint64) {
	folded := ""
	if q.foldsText {
		folded = foldCase(string(text))
	}
	for k, w := range q.words {
		if q.foldsText && !strings.Contains(folded, w) || !q.foldsText && !q.textPatterns[k].matchesLine(text) {
			lack |= 1 << k
		}
	}
	return lack
}

// bodyText returns all text that a body shows.
func bodyText(b *session.Body) []byte {
	var text []byte
	for i := range b.Blocks {
		block := &b.Blocks[i]
		text = append(append(text, block.Name...), '\n')
		text = append(append(text, block.Text...), '\n')
		text = appendArgTexts(text, block.Args)
	}
	return text
}

// appendArgTexts appends the strings and numbers of recorded arguments.
func appendArgTexts(text []byte, args json.RawMessage) []byte {
	if len(args) == 0 {
		return text
	}
	d := json.NewDecoder(bytes.NewReader(args))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return text
		}
		switch v := token.(type) {
		case string:
			text = append(append(text, v...), '\n')
		case json.Number:
			text = append(append(text, v...), '\n')
		}
	}
}
