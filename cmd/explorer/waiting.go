package main

import (
	"fmt"
	"io"
)

// waiting is the line that shows how long work goes on to somebody at a terminal.
type waiting struct {
	w     io.Writer
	shown bool
}

// exporting shows how a long export goes on, when somebody waits at a terminal for
// a file.
func (p *program) exporting(out string) func(done, total int) {
	f, ok := terminalOf(p.err)
	if out == "-" || !ok {
		return nil
	}
	p.waiting.w = f
	return p.waiting.tell
}

func (w *waiting) tell(done, total int) {
	fmt.Fprintf(w.w, "\r%d of %d", done, total)
	if w.shown = true; done == total {
		w.clear()
	}
}

// clear makes room for what is said next, whatever the work came to.
func (w *waiting) clear() {
	if w.shown {
		fmt.Fprint(w.w, "\r\x1b[K")
		w.shown = false
	}
}
