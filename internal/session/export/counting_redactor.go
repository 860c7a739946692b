package export

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// countingWriter counts the bytes written.
type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// countingRedactor replaces sensitive values and counts them.
type countingRedactor struct {
	redactor Redactor
	classes  map[string]bool
	counts   map[string]int
}

func (j *Job) newCountingRedactor() *countingRedactor {
	c := &countingRedactor{j.o.Redactor, j.o.Classes, map[string]int{}}
	if !slices.Contains(slices.Collect(maps.Values(c.classes)), true) {
		c.redactor = nil
	}
	return c
}

func (c *countingRedactor) addCounts(counts map[string]int) {
	for kind, n := range counts {
		c.counts[kind] += n
	}
}

// redactText redacts a text. The text must be complete, because half a key is not
// recognized.
func (c *countingRedactor) redactText(s string) string {
	if c.redactor == nil {
		return s
	}
	out, counts := c.redactor.RedactText(s, c.classes)
	c.addCounts(counts)
	return out
}

// redactJSON redacts a recorded line and counts the values.
func (c *countingRedactor) redactJSON(line []byte) ([]byte, error) {
	line, counts, err := c.redactLine(line)
	c.addCounts(counts)
	return line, err
}

// redactLine redacts a recorded line without counting. It returns an error for a line
// that cannot be parsed.
func (c *countingRedactor) redactLine(line []byte) ([]byte, map[string]int, error) {
	if c.redactor == nil {
		return line, nil, nil
	}
	out, changed, counts, err := c.redactor.RedactJSON(line, c.classes)
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("a line cannot be looked through: %w", err)
	case !changed:
		return line, counts, nil
	}
	return out, counts, nil
}

func (c *countingRedactor) sortedCounts() []Count {
	all := []Count{}
	for _, kind := range slices.Sorted(maps.Keys(c.counts)) {
		all = append(all, Count{kind, c.counts[kind]})
	}
	return all
}
