package terminal

import (
	"fmt"
	"io"
)

// ProgressLine shows the progress of long work on one line of a terminal.
type ProgressLine struct {
	w     io.Writer
	shown bool
}

// Start returns a function that shows the progress on w. It returns nil if w is no
// terminal.
func (l *ProgressLine) Start(w io.Writer) func(done, total int) {
	f, ok := FindTerminal(w)
	if !ok {
		return nil
	}
	l.w = f
	return l.showProgress
}

func (l *ProgressLine) showProgress(done, total int) {
	fmt.Fprintf(l.w, "\r%d of %d", done, total)
	if l.shown = true; done == total {
		l.Clear()
	}
}

// Clear clears the line before the next output.
func (l *ProgressLine) Clear() {
	if l.shown {
		fmt.Fprint(l.w, "\r\x1b[K")
		l.shown = false
	}
}
