package main

import (
	"fmt"
	"io"
)

// progressLine shows the progress of long work on one line of a terminal.
type progressLine struct {
	w     io.Writer
	shown bool
}

// newExportProgress returns a function that shows the progress of an export to a file. It
// returns nil if stderr is no terminal.
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

// clearLine clears the line before the next output.
func (w *progressLine) clearLine() {
	if w.shown {
		fmt.Fprint(w.w, "\r\x1b[K")
		w.shown = false
	}
}
