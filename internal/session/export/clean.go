package export

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// counted counts what is written.
type counted struct {
	w io.Writer
	n int64
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// cleaner replaces what should not be told and counts it.
type cleaner struct {
	redactor Redactor
	classes  map[string]bool
	counts   map[string]int
}

func (j *Job) clean() *cleaner {
	c := &cleaner{j.o.Redactor, j.o.Classes, map[string]int{}}
	if !slices.Contains(slices.Collect(maps.Values(c.classes)), true) {
		c.redactor = nil
	}
	return c
}

func (c *cleaner) add(counts map[string]int) {
	for kind, n := range counts {
		c.counts[kind] += n
	}
}

// text cleans a text. It must be whole: half a key would not be known as one.
func (c *cleaner) text(s string) string {
	if c.redactor == nil {
		return s
	}
	out, counts := c.redactor.Replace(s, c.classes)
	c.add(counts)
	return out
}

// json cleans a recorded line.
func (c *cleaner) json(line []byte) ([]byte, error) {
	line, counts, err := c.line(line)
	c.add(counts)
	return line, err
}

// line cleans a recorded line and counts nothing. A line that cannot be read is not
// written as it is.
func (c *cleaner) line(line []byte) ([]byte, map[string]int, error) {
	if c.redactor == nil {
		return line, nil, nil
	}
	out, changed, counts, err := c.redactor.JSON(line, c.classes)
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("a line cannot be looked through: %w", err)
	case !changed:
		return line, counts, nil
	}
	return out, counts, nil
}

func (c *cleaner) sum() []Count {
	all := []Count{}
	for _, kind := range slices.Sorted(maps.Keys(c.counts)) {
		all = append(all, Count{kind, c.counts[kind]})
	}
	return all
}
