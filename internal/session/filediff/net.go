package filediff

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Edit is one change of a file.
type Edit struct {
	Lines   []Line // its diff; nil for one that replaces the whole file, empty if it cannot be told what it changed
	Content string // without Lines: the new content
}

// IsUnknown reports whether it cannot be told what the edit changed.
func (e *Edit) IsUnknown() bool { return e.Lines != nil && len(e.Lines) == 0 }

// Net is what several edits of a file change together.
type Net struct {
	Lines          []Line
	Added, Removed int
	Unknown        bool // it cannot be told what one of the edits changed
}

// contextLines is the number of unchanged lines next to changes in a net diff.
const contextLines = 3

// Join returns what edits of a file change together, in their order. Lines that an edit adds and
// a later one removes are in neither. An edit whose place in the file is unknown follows the
// others as it is.
func Join(edits []Edit) Net {
	var n Net
	s := newFileState()
	for i := range edits {
		switch e := &edits[i]; {
		case e.Lines == nil:
			s.replaceContent(e.Content)
			n.Unknown = false
		case e.IsUnknown():
			n.Unknown = true
		case !s.applyDiff(e.Lines):
			s.unplaced = append(append(s.unplaced, gapLine), e.Lines...)
		}
	}
	n.Lines = append(s.listChanges(), s.unplaced...)
	if len(n.Lines) > 0 && n.Lines[0] == gapLine {
		n.Lines = n.Lines[1:]
	}
	n.Added, n.Removed = CountChanges(n.Lines)
	return n
}

// listChanges returns the changes of all edits so far, with the known lines next to them.
func (s *fileState) listChanges() []Line {
	l := netLister{known: s.known, old: 1, now: 1}
	var added []string
	for i := range s.pieces {
		p := &s.pieces[i]
		if !p.isOriginal() {
			added = append(added, p.text)
			continue
		}
		l.addChange(p.from, added)
		added = nil
		l.keepLines(p.to)
	}
	l.addChange(l.old, added)
	return l.out
}

// netLister lists a net diff.
type netLister struct {
	known    map[int]string
	old, now int // numbers of the next line before and after
	listed   int // number of the last listed original line + 1
	out      []Line
}

// addChange adds the removal of the original lines up to to, and new lines in their place.
func (l *netLister) addChange(to int, added []string) {
	if l.old == to && len(added) == 0 {
		return
	}
	var removed []string
	for n := l.old; n < to; n++ {
		removed = append(removed, l.known[n])
	}
	changes := compareLines(removed, added)
	if n, m := CountChanges(changes); n+m > 0 {
		l.addContextBefore()
		for _, c := range changes {
			l.addLine(c.Sign, c.Text)
		}
		return
	}
	l.old, l.now = to, l.now+len(added)
}

// addContextBefore lists the known lines before a change.
func (l *netLister) addContextBefore() {
	from := l.old
	for from > max(l.listed, l.old-contextLines, 1) {
		if _, ok := l.known[from-1]; !ok {
			break
		}
		from--
	}
	if len(l.out) > 0 && from > l.listed {
		l.out = append(l.out, gapLine)
	}
	l.addKnownLines(from, l.old)
}

// addKnownLines lists unchanged lines up to one whose text is unknown.
func (l *netLister) addKnownLines(from, to int) {
	for n := from; n < to; n++ {
		text, ok := l.known[n]
		if !ok {
			break
		}
		l.out = append(l.out, Line{Sign: ' ', Old: n, New: n + l.now - l.old, Text: text})
		l.listed = n + 1
	}
}

func (l *netLister) addLine(sign byte, text string) {
	line := Line{Sign: sign, Text: text}
	if sign != '+' {
		line.Old = l.old
		l.old++
	}
	if sign != '-' {
		line.New = l.now
		l.now++
	}
	l.out, l.listed = append(l.out, line), l.old
}

// keepLines skips the original lines up to to, which no edit changed. It lists the first ones
// after a change.
func (l *netLister) keepLines(to int) {
	if len(l.out) > 0 && l.listed == l.old {
		l.addKnownLines(l.old, min(to, l.old+contextLines))
	}
	l.old, l.now = to, l.now+to-l.old
}

// compareLines returns the diff of two texts, without numbers.
func compareLines(before, after []string) (out []Line) {
	if len(before) == 0 || len(after) == 0 {
		for _, text := range before {
			out = append(out, Line{Sign: '-', Text: text})
		}
		for _, text := range after {
			out = append(out, Line{Sign: '+', Text: text})
		}
		return out
	}
	old, now := strings.Join(before, "\n")+"\n", strings.Join(after, "\n")+"\n"
	at := 0
	for _, e := range udiff.Lines(old, now) {
		out = appendLines(out, ' ', old[at:e.Start])
		out = appendLines(out, '-', old[e.Start:e.End])
		out = appendLines(out, '+', e.New)
		at = e.End
	}
	return appendLines(out, ' ', old[at:])
}

func appendLines(out []Line, sign byte, text string) []Line {
	for line := range strings.Lines(text) {
		out = append(out, Line{Sign: sign, Text: strings.TrimSuffix(line, "\n")})
	}
	return out
}
