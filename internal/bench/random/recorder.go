package random

import (
	"encoding/json"
	"slices"
	"time"
)

// recorder writes the files of programs that run at once, some lines of each at a time.
type recorder struct {
	dice
	project *Project
	clock   time.Time
	queue   []*file
}

// file is a session file with lines that are still to be written.
type file struct {
	name    string
	pending []Line
}

func newRecorder(seed uint64) recorder {
	d := newDice(seed)
	return recorder{dice: d, project: &Project{Side: map[string]string{}, Tidy: d.one(2)}, clock: time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC)}
}

// newFile begins a file.
func (w *recorder) newFile(name string) *file {
	f := &file{name: name}
	w.queue = append(w.queue, f)
	return f
}

// now returns the next time.
func (w *recorder) now() string {
	step := time.Duration(1+w.IntN(5000)) * time.Millisecond
	if !w.project.Tidy && w.one(6) {
		step = pick(w.dice, []time.Duration{0, 0, -time.Second, -time.Minute})
	}
	w.clock = w.clock.Add(step)
	return w.clock.Format("2006-01-02T15:04:05.000Z")
}

// encode returns the text of a line.
func encode(line map[string]any) string {
	text, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	return string(text) + "\n"
}

// write appends a line to a file, and sometimes what a crash leaves.
func (w *recorder) write(f *file, line map[string]any) string {
	text := encode(line)
	w.append(f, text)
	if w.project.Tidy {
		return text
	}
	switch w.IntN(60) {
	case 0:
		w.append(f, text) // written twice
	case 1:
		w.append(f, text[:len(text)/2]+"\n") // torn, and ended by the next process
	case 2:
		w.append(f, "\n", "[1]\n", "null\n")
	}
	return text
}

func (w *recorder) append(f *file, texts ...string) {
	for _, text := range texts {
		f.pending = append(f.pending, Line{File: f.name, Text: text})
	}
}

// rewrite replaces what a file holds.
func (w *recorder) rewrite(f *file, text string) {
	f.pending = append(f.pending, Line{File: f.name, Text: text, Rewrite: true})
}

// drain writes lines of the files in turns, until at most some are left in each.
func (w *recorder) drain(left int) {
	for {
		files := slices.DeleteFunc(slices.Clone(w.queue), func(f *file) bool { return len(f.pending) <= left })
		if len(files) == 0 {
			return
		}
		f := pick(w.dice, files)
		w.project.Lines = append(w.project.Lines, f.pending[0])
		f.pending = f.pending[1:]
	}
}
