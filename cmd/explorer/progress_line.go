package main

import (
	"fmt"
	"io"
)

// progressLine is the line that shows how long work goes on to somebody at a terminal.
type progressLine struct {
	w     io.Writer
	shown bool
}

// newExportProgress shows how a long export goes on, when somebody waits at a terminal for
// a file.
func (p *program) newExportProgress(out string) func(done, total int) {
	f, ok := findTerminal(p.err)
	if out == "-" || !ok {
		return nil
	}
	p.progress.w = f
	return p.progress.showProgress
}

func (w *progressLine) showProgress(done, total int) {
	fmt.Fprintf(w.w, "\r%d of %d", done, total)
	if w.shown = true; done == total {
		w.clearLine()
	}
}

// clearLine makes room for what is said next, whatever the work came to.
func (w *progressLine) clearLine() {
	if w.shown {
		fmt.Fprint(w.w, "\r\x1b[K")
		w.shown = false
	}
}
