package filediff

import (
	"strconv"
	"strings"
)

// Parse parses lines that begin with a sign. Line numbers are part of the lines ("+ 12
// text", as pi writes them) or come from "@@" headers.
func Parse(text string) []Line {
	p := parser{}
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		p.parseDiffLine(strings.TrimSuffix(line, "\r"))
	}
	return p.out
}

type parser struct {
	out     []Line
	unified bool
	old     int // number of the next old line
	shift   int // new number minus old number
}

func (p *parser) parseDiffLine(s string) {
	switch {
	case strings.HasPrefix(s, "@@"):
		if p.parseHunkHeader(s) && len(p.out) > 0 {
			p.out = append(p.out, gapLine)
		}
	case !p.unified && (strings.HasPrefix(s, "--- ") || strings.HasPrefix(s, "+++ ")) && len(p.out) < 2 && !startsWithNumber(s[1:]):
		// The names of the files.
	case strings.HasPrefix(s, `\ `):
		// "No newline at end of file".
	case s == "":
		p.addSignedLine(' ', "")
	default:
		p.addSignedLine(s[0], s[1:])
	}
}

// parseHunkHeader parses "@@ -424,7 +424,9 @@".
func (p *parser) parseHunkHeader(s string) bool {
	f := strings.Fields(s)
	if len(f) < 3 || !strings.HasPrefix(f[1], "-") || !strings.HasPrefix(f[2], "+") {
		return false
	}
	p.unified = true
	p.old = leadingInt(f[1][1:])
	p.shift = leadingInt(f[2][1:]) - p.old
	return true
}

func leadingInt(s string) int {
	s, _, _ = strings.Cut(s, ",")
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

func startsWithNumber(s string) bool {
	s = strings.TrimLeft(s, " ")
	return s != "" && s[0] >= '0' && s[0] <= '9'
}

func (p *parser) addSignedLine(sign byte, rest string) {
	if p.unified {
		n := p.old
		if sign == '+' {
			n += p.shift
		} else {
			p.old++
		}
		p.addNumberedLine(sign, n, rest)
		return
	}
	if sign == ' ' && strings.TrimSpace(rest) == "..." {
		p.out = append(p.out, gapLine)
		return
	}
	num, text, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	if n, err := strconv.Atoi(num); err == nil {
		p.addNumberedLine(sign, n, text)
	} else {
		p.addNumberedLine(sign, 0, rest)
	}
}

// addNumberedLine adds a line; n is its number on its own side, 0 = unknown.
func (p *parser) addNumberedLine(sign byte, n int, text string) {
	l := Line{Sign: sign, Text: text}
	switch sign {
	case '+':
		l.New = n
		p.shift++
	case '-':
		l.Old = n
		p.shift--
	case ' ':
		l.Old = n
		if n > 0 {
			l.New = n + p.shift
		}
	default:
		l.Sign, l.Text = 0, string([]byte{sign})+text
	}
	p.out = append(p.out, l)
}
