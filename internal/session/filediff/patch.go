package filediff

import "math"

// piece is a part of the current content of a file: lines of the original, or one new line.
type piece struct {
	from, to int // numbers of the original lines [from, to); from is 0 for a new line
	text     string
}

func (p *piece) isOriginal() bool { return p.from > 0 }

func (p *piece) length() int {
	if p.isOriginal() {
		return p.to - p.from
	}
	return 1
}

// fileState is the content of a file after some edits, as far as their diffs tell.
type fileState struct {
	pieces   []piece
	known    map[int]string // texts of original lines
	unplaced []Line
}

func newFileState() *fileState {
	return &fileState{pieces: []piece{{from: 1, to: math.MaxInt}}, known: map[int]string{}}
}

// replaceContent replaces the whole file. What it contained is not known.
func (s *fileState) replaceContent(content string) {
	s.pieces, s.unplaced = s.pieces[:0], nil
	clear(s.known)
	for _, line := range SplitLines(content) {
		s.pieces = append(s.pieces, piece{text: line})
	}
}

// applyDiff applies the diff of an edit. It reports false if the numbers of its lines are unknown
// or not in order.
func (s *fileState) applyDiff(lines []Line) bool {
	w := patchWriter{state: s, in: s.pieces, old: 1, now: 1}
	for i := range lines {
		if !w.writeLine(&lines[i]) {
			return false
		}
	}
	w.copyRest()
	s.pieces = w.out
	return true
}

// patchWriter writes the pieces of a file with the changes of a diff.
type patchWriter struct {
	state    *fileState
	in, out  []piece
	skip     int // lines of in[0] that were read
	old, now int // numbers of the next line before and after the edit
}

func (w *patchWriter) writeLine(l *Line) bool {
	switch l.Sign {
	case '+':
		if l.New < w.now {
			return false
		}
		w.copyLines(l.New - w.now)
		w.out = append(w.out, piece{text: l.Text})
		w.now++
	case ' ', '-':
		if l.Old < w.old {
			return false
		}
		w.copyLines(l.Old - w.old)
		w.readLine(l)
	}
	return true
}

// readLine reads a line that the edit keeps or removes.
func (w *patchWriter) readLine(l *Line) {
	p, ok := w.takeLines(1)
	if ok && p.isOriginal() {
		w.state.known[p.from] = l.Text
	}
	w.old++
	if l.Sign == ' ' {
		w.now++
		if ok {
			w.addPiece(p)
		}
	}
}

// copyLines copies n lines.
func (w *patchWriter) copyLines(n int) {
	w.old, w.now = w.old+n, w.now+n
	for n > 0 {
		p, ok := w.takeLines(n)
		if !ok {
			return
		}
		w.addPiece(p)
		n -= p.length()
	}
}

func (w *patchWriter) copyRest() {
	for {
		p, ok := w.takeLines(math.MaxInt)
		if !ok {
			return
		}
		w.addPiece(p)
	}
}

// takeLines returns the next lines, at most n and from one piece. ok is false at the end.
func (w *patchWriter) takeLines(n int) (p piece, ok bool) {
	if len(w.in) == 0 {
		return piece{}, false
	}
	p = w.in[0]
	if p.isOriginal() {
		p.from += w.skip
		if p.to-p.from > n {
			p.to = p.from + n
			w.skip += n
			return p, true
		}
	}
	w.in, w.skip = w.in[1:], 0
	return p, true
}

// addPiece adds a piece to the result, joined with the one before if it continues it.
func (w *patchWriter) addPiece(p piece) {
	if n := len(w.out); n > 0 && p.isOriginal() && w.out[n-1].isOriginal() && w.out[n-1].to == p.from {
		w.out[n-1].to = p.to
		return
	}
	w.out = append(w.out, p)
}
