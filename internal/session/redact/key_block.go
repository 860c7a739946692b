package redact

import "strings"

const kindPrivateKey = "private key"

// Key blocks are read line by line, whatever prefix a tool added to the lines, and as strings with
// escapes.

// findKeyBlock finds the private key around its first or last line.
func findKeyBlock(s *textScan, start, end int) {
	if start < s.blockEnd {
		return
	}
	head := s.text[max(0, start-60):start]
	dashes := s.text[end:min(len(s.text), end+24)]
	switch {
	case endsInKeyMarker(head, "BEGIN") && strings.Contains(dashes, "----"):
		s.addKeyBlock(start-len(head)+strings.LastIndex(head, "BEGIN"), end)
	case endsInKeyMarker(head, "END") && strings.Contains(dashes, "----"):
		s.addKeyTail(start - len(head) + strings.LastIndex(head, "END"))
	}
}

// endsInKeyMarker reports whether a text ends in the first half of a marker: -----BEGIN RSA.
func endsInKeyMarker(head, word string) bool {
	i := strings.LastIndex(head, word)
	return i >= 4 && strings.HasSuffix(strings.TrimSuffix(head[:i], " "), "---") &&
		!strings.ContainsFunc(head[i+len(word):], func(r rune) bool { return r > 'z' || !isAlphanumeric(byte(r)) && !strings.ContainsRune("_- ", r) })
}

// minKeyLength is the minimum number of characters of a key.
const minKeyLength = 40

// addKeyBlock adds a key from its first line to its last, or to where it was cut off.
func (s *textScan) addKeyBlock(begin, end int) {
	for begin > 0 && (s.text[begin-1] == '-' || s.text[begin-1] == ' ' && begin > 1 && s.text[begin-2] == '-') {
		begin--
	}
	for end < len(s.text) && s.text[end] != '-' {
		end++
	}
	for end < len(s.text) && s.text[end] == '-' {
		end++
	}
	body := s.text[end:min(len(s.text), end+maxBlock)]
	if i := strings.Index(body, "-----BEGIN"); i >= 0 {
		body = body[:i]
	}
	if i := keyEndMarker(body); i > 0 && countKeyCharacters(body[:i]) >= minKeyLength {
		s.addBlock(begin, end+i)
		return
	}
	at, found := 0, 0
	for at < len(body) {
		n, next := readKeyLine(body, at)
		if n == 0 && !isKeyHeader(body[at:next]) {
			break
		}
		found += n
		at = next
	}
	if found >= 16 {
		s.addBlock(begin, end+len(strings.TrimRight(body[:at], " \t\r\n\"'`,+")))
	}
}

func (s *textScan) addBlock(start, end int) {
	s.addSecret(kindPrivateKey, start, end)
	s.blockEnd = max(s.blockEnd, end)
}

// keyEndMarker returns the offset after the last line of a key in body, 0 if there is none.
func keyEndMarker(body string) int {
	i := strings.Index(body, "---END ")
	if i < 0 {
		i = strings.Index(body, "--- END ")
	}
	if i < 0 {
		return garbledEndMarker(body)
	}
	i += len("---END ")
	j := strings.Index(body[i:min(len(body), i+80)], "---")
	if j < 0 {
		return i
	}
	for i += j; i < len(body) && body[i] == '-'; {
		i++
	}
	return i
}

// garbledEndMarker returns the offset after a last line of a key whose beginning is garbled, 0 if
// there is none.
func garbledEndMarker(body string) int {
	for _, mark := range []string{"KEY-----", "KEY BLOCK-----"} {
		if i := strings.Index(body, mark); i >= 0 {
			return i + len(mark)
		}
	}
	return 0
}

// countKeyCharacters counts the characters of a body in long runs of base64.
func countKeyCharacters(body string) (n int) {
	for run, i := 0, 0; i <= len(body); i++ {
		if i < len(body) && (isAlphanumeric(body[i]) || body[i] == '+' || body[i] == '/' || body[i] == '=') {
			run++
			continue
		}
		if run >= 16 {
			n += run
		}
		run = 0
	}
	return n
}

// readKeyLine returns the number of key characters on the line at a place, and the start of the
// next line. Lines of a string end in \n.
func readKeyLine(body string, at int) (n, next int) {
	next = len(body)
	for i := at; i < len(body); i++ {
		if body[i] == '\n' || body[i] == '\\' && i+1 < len(body) && body[i+1] == 'n' {
			if next = i + 1; body[i] == '\\' {
				next++
			}
			break
		}
	}
	text := strings.TrimRight(body[at:next], " \t\r\n\\\"'`,+;)")
	if strings.HasSuffix(body[at:next], `\n`) {
		text = strings.TrimRight(strings.TrimSuffix(body[at:next], `\n`), " \\r")
	}
	start := len(text)
	for start > 0 && (isAlphanumeric(text[start-1]) || strings.IndexByte("+/=", text[start-1]) >= 0) {
		start--
	}
	if n = len(text) - start; n < 16 && !(n == 0 && strings.Trim(text, "\"'`+, \t>|\\r0123456789→:") == "") {
		return 0, next
	}
	return max(n, 1), next
}

// isKeyHeader reports whether a line is a header between the first line of a key and its
// characters.
func isKeyHeader(line string) bool {
	for _, head := range []string{"Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:", "Charset:"} {
		if strings.Contains(line, head) {
			return true
		}
	}
	return false
}

// addKeyTail adds the lines before the last line of a key whose beginning was cut off.
func (s *textScan) addKeyTail(end int) {
	begin := end
	for begin > 0 && s.text[begin-1] == '-' || strings.HasSuffix(s.text[:begin], "- ") {
		begin--
	}
	first := lineStartAt(s.text, begin)
	found := 0
	for first > 0 && end-first < maxBlock {
		prev := lineStartAt(s.text, first-1)
		n, _ := readKeyLine(s.text[prev:first], 0)
		if n < 2 {
			break
		}
		found += n
		first = prev
	}
	if found >= minKeyLength && first >= s.blockEnd && !strings.Contains(s.text[lineStartAt(s.text, max(0, first-1)):first], "BEGIN ") {
		s.addBlock(lineAt(s.text, first).start, begin)
	}
}

// findPuTTYKey finds the private part of a PuTTY key.
func findPuTTYKey(s *textScan, start, end int) {
	if start < s.blockEnd {
		return
	}
	s.addHexBlock("putty key", lineAt(s.text, lineStartAt(s.text, end)).next)
}

// findAnsibleVault finds the lines of an Ansible vault.
func findAnsibleVault(s *textScan, start, end int) {
	if start < s.blockEnd {
		return
	}
	body := s.text[end:min(len(s.text), end+200)]
	next := end + len(body)
	if i := strings.IndexAny(body, "\n\\"); i >= 0 {
		next = end + i + 1
		if body[i] == '\\' {
			next++
		}
	}
	s.addHexBlock("ansible vault", next)
}

// addHexBlock adds the lines of a key that begin at a place.
func (s *textScan) addHexBlock(kind string, from int) {
	body := s.text[from:min(len(s.text), from+maxBlock)]
	at, end := 0, 0
	for at < len(body) {
		n, next := readKeyLine(body, at)
		if n < 16 {
			break
		}
		at = next
		end = from + len(strings.TrimRight(strings.TrimSuffix(body[:next], `\n`), " \t\r\n\"'`,\\"))
	}
	if end > from {
		start := from
		for start < end && !isAlphanumeric(s.text[start]) {
			start++
		}
		s.addSecret(kind, start, end)
		s.blockEnd = end
	}
}
