package redact

import "strings"

const kindPrivateKey = "private key"

// Key blocks are read line by line, whatever a tool put before the lines, and as a
// string with escapes.

// findKeyBlock finds the private key around a line that begins or ends one.
func findKeyBlock(s *scan, start, end int) {
	if start < s.blockEnd {
		return
	}
	head := s.text[max(0, start-60):start]
	dashes := s.text[end:min(len(s.text), end+24)]
	switch {
	case isMark(head, "BEGIN") && strings.Contains(dashes, "----"):
		s.keyBlock(start-len(head)+strings.LastIndex(head, "BEGIN"), end)
	case isMark(head, "END") && strings.Contains(dashes, "----"):
		s.keyTail(start - len(head) + strings.LastIndex(head, "END"))
	}
}

// isMark reports whether a text ends in the first half of a mark: -----BEGIN RSA.
func isMark(head, word string) bool {
	i := strings.LastIndex(head, word)
	return i >= 4 && strings.HasSuffix(strings.TrimSuffix(head[:i], " "), "---") &&
		!strings.ContainsFunc(head[i+len(word):], func(r rune) bool { return r > 'z' || !alnum(byte(r)) && !strings.ContainsRune("_- ", r) })
}

// leastKey is how many characters of a key there are at least.
const leastKey = 40

// keyBlock reads what follows the first line of a key, to its last or to where it was
// cut off.
func (s *scan) keyBlock(begin, end int) {
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
	if i := endMark(body); i > 0 && keyCharacters(body[:i]) >= leastKey {
		s.block(begin, end+i)
		return
	}
	at, found := 0, 0
	for at < len(body) {
		n, next := keyLine(body, at)
		if n == 0 && !isKeyHeader(body[at:next]) {
			break
		}
		found += n
		at = next
	}
	if found >= 16 {
		s.block(begin, end+len(strings.TrimRight(body[:at], " \t\r\n\"'`,+")))
	}
}

func (s *scan) block(start, end int) {
	s.add(kindPrivateKey, start, end)
	s.blockEnd = max(s.blockEnd, end)
}

// endMark returns where the last line of a key ends in a body, 0 if it has none.
func endMark(body string) int {
	i := strings.Index(body, "---END ")
	if i < 0 {
		i = strings.Index(body, "--- END ")
	}
	if i < 0 {
		return keyMark(body)
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

// keyMark returns where a line ends in a body that ends a key, but whose beginning
// was garbled, 0 if there is none.
func keyMark(body string) int {
	for _, mark := range []string{"KEY-----", "KEY BLOCK-----"} {
		if i := strings.Index(body, mark); i >= 0 {
			return i + len(mark)
		}
	}
	return 0
}

// keyCharacters counts the characters of a body that stand in long runs of base64.
func keyCharacters(body string) (n int) {
	for run, i := 0, 0; i <= len(body); i++ {
		if i < len(body) && (alnum(body[i]) || body[i] == '+' || body[i] == '/' || body[i] == '=') {
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

// keyLine returns how many characters of a key stand on the line at a place, and
// where the next line begins. Lines of a string end in \n.
func keyLine(body string, at int) (n, next int) {
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
	for start > 0 && (alnum(text[start-1]) || strings.IndexByte("+/=", text[start-1]) >= 0) {
		start--
	}
	if n = len(text) - start; n < 16 && !(n == 0 && strings.Trim(text, "\"'`+, \t>|\\r0123456789→:") == "") {
		return 0, next
	}
	return max(n, 1), next
}

// isKeyHeader reports whether a line stands between the first line of a key and its
// characters.
func isKeyHeader(line string) bool {
	for _, head := range []string{"Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:", "Charset:"} {
		if strings.Contains(line, head) {
			return true
		}
	}
	return false
}

// keyTail reads the lines before the last line of a key whose beginning was cut off.
func (s *scan) keyTail(end int) {
	begin := end
	for begin > 0 && s.text[begin-1] == '-' || strings.HasSuffix(s.text[:begin], "- ") {
		begin--
	}
	first := lineStart(s.text, begin)
	found := 0
	for first > 0 && end-first < maxBlock {
		prev := lineStart(s.text, first-1)
		n, _ := keyLine(s.text[prev:first], 0)
		if n < 2 {
			break
		}
		found += n
		first = prev
	}
	if found >= leastKey && first >= s.blockEnd && !strings.Contains(s.text[lineStart(s.text, max(0, first-1)):first], "BEGIN ") {
		s.block(lineAt(s.text, first).start, begin)
	}
}

// findPPK finds the private part of a PuTTY key.
func findPPK(s *scan, start, end int) {
	if start < s.blockEnd {
		return
	}
	s.hexBlock("putty key", lineAt(s.text, lineStart(s.text, end)).next)
}

// findVault finds the lines of an Ansible vault.
func findVault(s *scan, start, end int) {
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
	s.hexBlock("ansible vault", next)
}

// hexBlock notes the lines of a key that begin at a place.
func (s *scan) hexBlock(kind string, from int) {
	body := s.text[from:min(len(s.text), from+maxBlock)]
	at, end := 0, 0
	for at < len(body) {
		n, next := keyLine(body, at)
		if n < 16 {
			break
		}
		at = next
		end = from + len(strings.TrimRight(strings.TrimSuffix(body[:next], `\n`), " \t\r\n\"'`,\\"))
	}
	if end > from {
		start := from
		for start < end && !alnum(s.text[start]) {
			start++
		}
		s.add(kind, start, end)
		s.blockEnd = end
	}
}
