package redact

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// visibleText is a text without what nobody sees of it: escape sequences of terminals,
// characters without width, NULs. It knows where its bytes stand in the text.
type visibleText struct {
	text     string
	removals []removal
}

// removal is where bytes of the original were left out.
type removal struct{ at, removed int } // in plain text; bytes removed up to there

// removeHidden returns the text without what is hidden in it.
func removeHidden(text string) visibleText {
	var p visibleText
	var b strings.Builder
	wide := looksUTF16(text)
	removed := 0
	for at := 0; at < len(text); {
		if text[at] == 0 && !wide {
			b.WriteByte('\n') // it parts variables of an environment
			at++
			continue
		}
		n := hiddenPrefixLength(text[at:])
		if n == 0 {
			b.WriteByte(text[at])
			at++
			continue
		}
		removed += n
		at += n
		if k := len(p.removals); k > 0 && p.removals[k-1].at == b.Len() {
			p.removals[k-1].removed = removed
		} else {
			p.removals = append(p.removals, removal{b.Len(), removed})
		}
	}
	p.text = b.String()
	return p
}

// looksUTF16 reports whether every other byte of a text is NUL, as in UTF-16.
func looksUTF16(text string) bool { return 3*strings.Count(text, "\x00") > len(text) }

// hiddenPrefixLength returns how many bytes at the beginning of a text nobody sees.
func hiddenPrefixLength(text string) int {
	switch text[0] {
	case 0:
		return 1
	case 0x1b:
		return terminalEscapeLength(text, 1)
	case '\\', '^':
		for _, lead := range []string{`\x1b[`, `\u001b[`, `\033[`, `\e[`, "^[["} {
			if strings.HasPrefix(text, lead) {
				if n := terminalEscapeLength(text, len(lead)-1); strings.IndexByte("mKGJHABCDhl", text[n-1]) >= 0 {
					return n
				}
			}
		}
	case 0xc2, 0xe1, 0xe2, 0xef:
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case r == 0x9b:
			return n - 1 + terminalEscapeLength(text[n-1:], 0) // as ESC [
		case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x2069, r == 0xad, r == 0x180e, r == 0xfeff:
			return n
		}
	}
	return 0
}

// terminalEscapeLength returns the length of an escape sequence, whose kind stands at a
// place.
func terminalEscapeLength(text string, at int) int {
	if at >= len(text) {
		return len(text)
	}
	switch text[at] {
	case '[', 0x9b:
		for at++; at < len(text) && text[at] >= 0x20 && text[at] < 0x40; {
			at++
		}
		return min(at+1, len(text))
	case ']':
		const longest = 2000
		for at++; at < len(text) && at < longest && text[at] != 7 && text[at] != 0x1b && text[at] != '\n'; {
			at++
		}
		if strings.HasPrefix(text[at:], "\x1b\\") {
			at++
		}
		return min(at+1, len(text))
	}
	return at + 1
}

// mapToOriginal returns where a finding stands in the original.
func (p *visibleText) mapToOriginal(f Finding) Finding {
	f.Start += p.removedBefore(f.Start, true)
	f.End += p.removedBefore(f.End, false)
	return f
}

// removedBefore returns how many bytes were removed before a place, or up to it.
func (p *visibleText) removedBefore(at int, including bool) int {
	i := sort.Search(len(p.removals), func(i int) bool { return p.removals[i].at > at || !including && p.removals[i].at == at })
	if i == 0 {
		return 0
	}
	return p.removals[i-1].removed
}
