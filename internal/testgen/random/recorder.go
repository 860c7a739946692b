package random

import (
	"encoding/json"
	"slices"
	"time"
)

// recorder writes the files of concurrent programs, interleaving their lines.
type recorder struct {
	randomSource
	project *Project
	clock   time.Time
	queue   []*queuedFile
	length  Length
}

// steps returns how many things are done in a project: as many as its length says,
// else a few.
func (w *recorder) steps(least, more int) int {
	if w.length.Steps > 0 {
		return w.length.Steps
	}
	return least + w.IntN(more)
}

// room reports whether a project with that many sessions may begin another. It may have
// up to n.
func (w *recorder) room(sessions, n int) bool {
	if w.length.Sessions > 0 {
		n = min(n, w.length.Sessions)
	}
	return sessions < n
}

// queuedFile is a session file with lines that are not written yet.
type queuedFile struct {
	name    string
	pending []Line
}

func newRecorder(seed uint64) recorder {
	d := newRandomSource(seed)
	return recorder{randomSource: d, project: &Project{SideFiles: map[string]string{}, Tidy: d.oneIn(2)}, clock: time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC)}
}

// addFile adds a file.
func (w *recorder) addFile(name string) *queuedFile {
	f := &queuedFile{name: name}
	w.queue = append(w.queue, f)
	return f
}

// nextTimestamp returns the next timestamp.
func (w *recorder) nextTimestamp() string {
	step := time.Duration(1+w.IntN(5000)) * time.Millisecond
	if !w.project.Tidy && w.oneIn(6) {
		step = pickRandom(w.randomSource, []time.Duration{0, 0, -time.Second, -time.Minute})
	}
	w.clock = w.clock.Add(step)
	return w.clock.Format("2006-01-02T15:04:05.000Z")
}

// encodeLine returns the text of a line.
func encodeLine(line map[string]any) string {
	text, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	return string(text) + "\n"
}

// writeLine appends a line to a file, and sometimes what a crash leaves.
func (w *recorder) writeLine(f *queuedFile, line map[string]any) string {
	text := encodeLine(line)
	w.appendText(f, text)
	if w.project.Tidy {
		return text
	}
	switch w.IntN(60) {
	case 0:
		w.appendText(f, text) // written twice
	case 1:
		w.appendText(f, text[:len(text)/2]+"\n") // torn, and ended by the next process
	case 2:
		w.appendText(f, "\n", "[1]\n", "null\n")
	}
	return text
}

func (w *recorder) appendText(f *queuedFile, texts ...string) {
	for _, text := range texts {
		f.pending = append(f.pending, Line{File: f.name, Text: text})
	}
}

// rewriteFile replaces the content of a file.
func (w *recorder) rewriteFile(f *queuedFile, text string) {
	f.pending = append(f.pending, Line{File: f.name, Text: text, Rewrite: true})
}

// flushPending writes pending lines in random order until each file has at most left of
// them.
func (w *recorder) flushPending(left int) {
	for {
		files := slices.DeleteFunc(slices.Clone(w.queue), func(f *queuedFile) bool { return len(f.pending) <= left })
		if len(files) == 0 {
			return
		}
		f := pickRandom(w.randomSource, files)
		w.project.Lines = append(w.project.Lines, f.pending[0])
		f.pending = f.pending[1:]
	}
}
