package redact

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// plain is a text without what nobody sees of it: escape sequences of terminals,
// characters without width, NULs. It knows where its bytes stand in the text.
type plain struct {
	text string
	cuts []cut
}

// cut is where bytes of the original were left out.
type cut struct{ at, removed int } // in plain text; bytes removed up to there

// makePlain returns the text without what is hidden in it.
func makePlain(text string) plain {
	var p plain
	var b strings.Builder
	wide := isWide(text)
	removed := 0
	for at := 0; at < len(text); {
		if text[at] == 0 && !wide {
			b.WriteByte('\n') // it parts variables of an environment
			at++
			continue
		}
		n := hiddenLength(text[at:])
		if n == 0 {
			b.WriteByte(text[at])
			at++
			continue
		}
		removed += n
		at += n
		if k := len(p.cuts); k > 0 && p.cuts[k-1].at == b.Len() {
			p.cuts[k-1].removed = removed
		} else {
			p.cuts = append(p.cuts, cut{b.Len(), removed})
		}
	}
	p.text = b.String()
	return p
}

// isWide reports whether every other byte of a text is NUL, as in UTF-16.
func isWide(text string) bool { return 3*strings.Count(text, "\x00") > len(text) }

// hiddenLength returns how many bytes at the beginning of a text nobody sees.
func hiddenLength(text string) int {
	switch text[0] {
	case 0:
		return 1
	case 0x1b:
		return escapeLength(text, 1)
	case '\\', '^':
		for _, lead := range []string{`\x1b[`, `\u001b[`, `\033[`, `\e[`, "^[["} {
			if strings.HasPrefix(text, lead) {
				if n := escapeLength(text, len(lead)-1); strings.IndexByte("mKGJHABCDhl", text[n-1]) >= 0 {
					return n
				}
			}
		}
	case 0xc2, 0xe1, 0xe2, 0xef:
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case r == 0x9b:
			return n - 1 + escapeLength(text[n-1:], 0) // as ESC [
		case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x2069, r == 0xad, r == 0x180e, r == 0xfeff:
			return n
		}
	}
	return 0
}

// escapeLength returns the length of an escape sequence, whose kind stands at a
// place.
func escapeLength(text string, at int) int {
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

// original returns where a finding stands in the original.
func (p *plain) original(f Finding) Finding {
	f.Start += p.removedBefore(f.Start, true)
	f.End += p.removedBefore(f.End, false)
	return f
}

// removedBefore returns how many bytes were removed before a place, or up to it.
func (p *plain) removedBefore(at int, including bool) int {
	i := sort.Search(len(p.cuts), func(i int) bool { return p.cuts[i].at > at || !including && p.cuts[i].at == at })
	if i == 0 {
		return 0
	}
	return p.cuts[i-1].removed
}
