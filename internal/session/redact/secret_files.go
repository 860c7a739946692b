package redact

import "strings"

// Secrets that are identified by their file and not by their names.

// findSecretData finds the values of a Kubernetes Secret. All of them are secret, whatever their
// names and forms.
func findSecretData(s *textScan, start, end int) {
	if start < s.secretEnd {
		return
	}
	if strings.EqualFold(s.text[start:end], "stringdata") {
		s.addStringData(start, end)
		return
	}
	before := s.text[max(0, start-24):start]
	i := strings.LastIndex(before, "kind")
	if i < 0 || strings.Trim(before[i+4:], " \t:\"'\\") != "" || !strings.Contains(before[i+4:], ":") || end < len(s.text) && isWordByte(s.text[end]) {
		return
	}
	at := start - len(before) + i
	if strings.ContainsAny(before[i+4:], `"'`) {
		s.addObjectData(at)
		return
	}
	s.addManifestData(at)
}

// addStringData adds the values on the lines below "stringData:", and those in braces after it.
func (s *textScan) addStringData(start, end int) {
	switch {
	case start > 0 && isWordByte(s.text[start-1]):
	case end < len(s.text) && s.text[end] == ':':
		s.addDataLines(start, end)
	default:
		s.addBracedStrings(end)
	}
}

// addDataLines adds the values on the lines below a name.
func (s *textScan) addDataLines(start, end int) {
	lines := indentedLines(s.text, start, lineEndAt(s.text, end))
	for i, l := range lines {
		_, v, ok := strings.Cut(s.text[l.start:l.end], ": ")
		if !ok {
			continue
		}
		v = strings.TrimSpace(v)
		from := l.end - len(v)
		if isBlockIndicator(v) && i+1 < len(lines) && lines[i+1].indent > l.indent {
			s.addSecret("kubernetes secret", lines[i+1].start, lastDeeperLine(lines[i+1:], l.indent).end)
			continue
		}
		v = strings.Trim(v, "\"'")
		if len(v) >= 4 && !loadNameIndex().isPlaceholder(v) {
			from += strings.Index(s.text[from:l.end], v)
			s.addSecret("kubernetes secret", from, from+len(v))
		}
	}
	if n := len(lines); n > 0 {
		s.secretEnd = max(s.secretEnd, lines[n-1].end)
	}
}

// lastDeeperLine returns the last of the leading lines that are indented more than indent.
func lastDeeperLine(lines []textLine, indent int) textLine {
	last := lines[0]
	for _, l := range lines {
		if l.indent <= indent {
			break
		}
		last = l
	}
	return last
}

// addManifestData adds the data of the manifest with "kind: Secret", which is a sibling of kind,
// before or after it.
func (s *textScan) addManifestData(kind int) {
	first := lineStartAt(s.text, kind)
	indent := lineAt(s.text, first).indent + kind - max(kind, lineAt(s.text, first).start)
	least := max(s.secretEnd, kind-maxBlock)
	top := first
	for top > least {
		prev := lineStartAt(s.text, top-1)
		if l := lineAt(s.text, prev); prev < least || l.start < l.end && (l.indent < indent || strings.HasPrefix(s.text[l.start:l.end], "---")) {
			break
		}
		top = prev
	}
	at := top
	for at < len(s.text) && at-kind < maxBlock {
		l := lineAt(s.text, at)
		text := s.text[l.start:l.end]
		if at > kind && l.start < l.end && (l.indent < indent && !strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "---") || l.indent == indent && strings.HasPrefix(text, "kind:")) {
			break
		}
		if text == "data:" || text == "stringData:" {
			s.addDataLines(l.start, l.end)
		}
		at = l.next
	}
	s.secretEnd = max(s.secretEnd, at)
}

// addObjectData is addManifestData for JSON: it adds the strings in braces after "data".
func (s *textScan) addObjectData(kind int) {
	from := max(s.secretEnd, kind-maxBlock)
	to := min(len(s.text), kind+maxBlock)
	text := s.text[from:to]
	for at := 0; at < len(text); {
		i := strings.Index(text[at:], "data")
		if j := strings.Index(text[at:], "stringData"); j >= 0 && j < i {
			i = j + len("string")
		}
		if i < 0 {
			break
		}
		at += i + len("data")
		s.addBracedStrings(from + at)
	}
	s.secretEnd = max(s.secretEnd, to)
}

// addBracedStrings adds the strings in the braces after a name.
func (s *textScan) addBracedStrings(at int) {
	at += len(quoteAt(s.text, at))
	open := at
	for open < len(s.text) && open-at < 8 && strings.IndexByte(": \t\n", s.text[open]) >= 0 {
		open++
	}
	if open >= len(s.text) || s.text[open] != '{' || open == at {
		return
	}
	for at = open + 1; at < len(s.text) && at-open < maxBlock && s.text[at] != '}'; {
		quote := quoteAt(s.text, at)
		if quote == "" {
			at++
			continue
		}
		start := at + len(quote)
		end, ok := quoteEnd(s.text, start, quote, start+maxValue)
		if !ok {
			return
		}
		if before := strings.TrimRight(s.text[open:at], " \t\n"); strings.HasSuffix(before, ":") && !loadNameIndex().isPlaceholder(s.text[start:end]) {
			s.addSecret("kubernetes secret", start, end)
		}
		at = end + len(quote)
	}
	s.secretEnd = max(s.secretEnd, at)
}

// privateJWKMembers are the private members of a JSON web key.
var privateJWKMembers = []string{"d", "p", "q", "dp", "dq", "qi", "k"}

// findJWK finds the private members of the JSON web key around "kty".
func findJWK(s *textScan, start, end int) {
	quote := quoteAt(s.text, end)
	if quote == "" || start < s.jwkEnd {
		return
	}
	from, to := start, end
	for from > s.jwkEnd && start-from < maxValue && s.text[from-1] != '{' {
		from--
	}
	for to < len(s.text) && to-end < maxValue && s.text[to] != '}' {
		to++
	}
	for _, part := range privateJWKMembers {
		if i := strings.Index(s.text[from:to], quote[:len(quote)-1]+`"`+part+quote); i >= 0 {
			at := from + i + 2*len(quote) + len(part)
			s.addJWKMember(at, to)
		}
	}
	s.jwkEnd = to
}

// addJWKMember adds the string after a name.
func (s *textScan) addJWKMember(at, limit int) {
	for at < limit && (s.text[at] == ':' || s.text[at] <= ' ') {
		at++
	}
	if quote := quoteAt(s.text, at); quote != "" {
		at += len(quote)
		if end, ok := quoteEnd(s.text, at, quote, limit+1); ok && end-at >= 20 {
			s.addSecret("json web key", at, end)
		}
	}
}
