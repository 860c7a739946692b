package redact

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// visibleText is a text without terminal escape sequences, zero-width characters and NULs. It maps
// its offsets to those of the original.
type visibleText struct {
	text     string
	removals []removal
}

// removal is a place where bytes of the original were removed.
type removal struct{ at, removed int } // offset in the visible text; bytes removed up to there

// removeHidden returns the visible part of a text.
func removeHidden(text string) visibleText {
	var p visibleText
	var b strings.Builder
	wide := looksUTF16(text)
	removed := 0
	for at := 0; at < len(text); {
		if text[at] == 0 && !wide {
			b.WriteByte('\n') // it separates variables of an environment
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

// hiddenPrefixLength returns the number of invisible bytes at the beginning of a text.
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
			return n - 1 + terminalEscapeLength(text[n-1:], 0) // like ESC [
		case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x2069, r == 0xad, r == 0x180e, r == 0xfeff:
			return n
		}
	}
	return 0
}

// terminalEscapeLength returns the length of an escape sequence. The byte at at determines its
// kind.
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

// mapToOriginal returns a finding with its offsets in the original.
func (p *visibleText) mapToOriginal(f Finding) Finding {
	f.Start += p.removedBefore(f.Start, true)
	f.End += p.removedBefore(f.End, false)
	return f
}

// removedBefore returns the number of bytes that were removed before an offset, including those
// directly at it if including is set.
func (p *visibleText) removedBefore(at int, including bool) int {
	i := sort.Search(len(p.removals), func(i int) bool { return p.removals[i].at > at || !including && p.removals[i].at == at })
	if i == 0 {
		return 0
	}
	return p.removals[i-1].removed
}
