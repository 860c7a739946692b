package redact

import (
	_ "embed"
	"strings"
	"sync"
)

// trigramFile lists the three-letter sequences of words: a line for each first two
// letters, with the letters that follow them. See rules/README.md.
//
//go:embed rules/trigrams.txt
var trigramFile string

// trigrams has a bit for every sequence of three letters that is common in words.
type trigrams [(26*26*26 + 63) / 64]uint64

func trigramIndex(a, b, c byte) int {
	return int(a|0x20-'a')*26*26 + int(b|0x20-'a')*26 + int(c|0x20-'a')
}

var loadTrigrams = sync.OnceValue(func() *trigrams {
	t := new(trigrams)
	for line := range strings.Lines(trigramFile) {
		two, thirds, _ := strings.Cut(strings.TrimSpace(line), " ")
		for i := range len(thirds) {
			at := trigramIndex(two[0], two[1], thirds[i])
			t[at/64] |= 1 << (at % 64)
		}
	}
	return t
})

func (t *trigrams) has(a, b, c byte) bool {
	at := trigramIndex(a, b, c)
	return t[at/64]>>(at%64)&1 != 0
}

// valueShape is what a value is made of.
type valueShape struct {
	length                        int
	lower, upper, digits, symbols int     // of ASCII; symbols are what names and paths have none of
	wordShare                     float64 // share of the letters and digits that stand in words
	classChanges                  int     // changes between lower case, upper case and digits
}

func (l valueShape) letterCount() int { return l.lower + l.upper }

// measureValue counts.
func measureValue(value string) valueShape {
	l := valueShape{length: len(value)}
	inWords, run, kind := 0, 0, byte(0)
	for i := 0; i <= len(value); i++ {
		k := byte(0)
		if i < len(value) {
			k = l.countByte(value[i])
		}
		if kind != 0 && k != 0 && k != kind {
			l.classChanges++
		}
		camel := k == 'u' && kind == 'l' || k == 'l' && kind == 'u' && i-run > 1
		if k != 'l' && k != 'u' || camel {
			if k == 'l' { // HTTPServer: the S goes with what follows
				inWords += wordLetters(value[run : i-1])
				run = i - 1
			} else {
				inWords += wordLetters(value[run:i])
				run = i
			}
			if k != 'u' && k != 'l' {
				run = i + 1
			}
		}
		kind = k
	}
	if n := l.letterCount() + l.digits; n > 0 {
		l.wordShare = float64(inWords) / float64(n)
	}
	return l
}

// countByte takes in a byte, and returns what it is: l, u, d or 0.
func (l *valueShape) countByte(b byte) byte {
	switch {
	case isLower(b):
		l.lower++
		return 'l'
	case isUpper(b):
		l.upper++
		return 'u'
	case isDigit(b):
		l.digits++
		return 'd'
	case strings.IndexByte("!#$%^&*?~+=@|", b) >= 0:
		l.symbols++
	}
	return 0
}

// wordLetters returns how many letters of a run of letters belong to a word: all of
// them or none.
func wordLetters(run string) int {
	if len(run) < 3 {
		return 0
	}
	t, known := loadTrigrams(), 0
	for i := 0; i+3 <= len(run); i++ {
		if t.has(run[i], run[i+1], run[i+2]) {
			known++
		}
	}
	switch {
	case 5*known < 3*(len(run)-2):
		return 0
	case len(run) == 3: // one in six of all is common
		return 1
	}
	return len(run)
}

// isMixed reports whether letters and digits, or both cases in disorder, make a text
// that nobody chose as a name.
func (l valueShape) isMixed() bool {
	return l.letterCount() > 0 && l.digits > 0 || l.lower > 0 && l.upper > 0 && l.classChanges >= 3
}

// isRandom reports whether a value looks as if a program had made it.
func (l valueShape) isRandom() bool {
	switch {
	case l.length < 8 || l.wordShare >= 0.5:
		return false
	case l.length < 16:
		return l.digits > 0 && l.letterCount() > 1 || l.digits == 0 && l.isMixed() && l.wordShare < 0.3
	case l.digits == 0:
		return l.wordShare < 0.34 && l.letterCount() >= 16
	}
	return l.letterCount() >= 2 && l.classChanges >= 3 && 4*(l.letterCount()+l.digits) >= 3*l.length
}

// isVeryRandom is random for a value of which nothing else is known.
func (l valueShape) isVeryRandom() bool {
	return l.length >= 20 && l.digits >= 2 && l.letterCount() >= 4 && l.wordShare < 0.35 && l.classChanges >= 6 && 8*(l.letterCount()+l.digits) >= 7*l.length
}
