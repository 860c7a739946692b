package htmlexport

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"

	"github.com/klauspost/compress/flate"
)

// partWriter writes the data for the script: elements with compressed text in base64 that a
// browser neither shows nor runs. So no text of a transcript can end an element.
type partWriter struct {
	w       *bufio.Writer
	deflate *flate.Writer
	json    bytes.Buffer // reused for each part
}

func newPartWriter(w io.Writer) (*partWriter, error) {
	f, err := flate.NewWriter(nil, 4)
	return &partWriter{w: bufio.NewWriterSize(w, 64<<10), deflate: f}, err
}

// writeJSONPart writes an element with a value as JSON.
func (p *partWriter) writeJSONPart(name string, v any) error {
	p.json.Reset()
	e := json.NewEncoder(&p.json)
	e.SetEscapeHTML(false) // encoded as base64 below
	if err := e.Encode(v); err != nil {
		return err
	}
	return p.writePart(name, p.json.Bytes())
}

// writePart writes an element.
func (p *partWriter) writePart(name string, data []byte) error {
	fmt.Fprintf(p.w, "<script type=\"text/plain\" id=\"part-%s\">", name)
	b := base64.NewEncoder(base64.StdEncoding, p.w)
	p.deflate.Reset(b)
	_, err := p.deflate.Write(data)
	if err == nil {
		err = p.deflate.Close()
	}
	if err == nil {
		err = b.Close()
	}
	if err == nil {
		_, err = p.w.WriteString("</script>\n")
	}
	return err
}

// textChunk collects texts for one element.
type textChunk struct {
	out   *partWriter
	name  string
	texts []string
	bytes int
	n     int // number of elements written
}

// maxChunkBytes is the size of an element before compression: small enough to load without
// delay, large enough to compress well.
const maxChunkBytes = 128 << 10

// addText adds a text. It reports whether the element is full and has been written.
func (c *textChunk) addText(text string, maxTexts int) (full bool, err error) {
	c.texts = append(c.texts, text)
	c.bytes += len(text)
	if c.bytes < maxChunkBytes && len(c.texts) < maxTexts {
		return false, nil
	}
	return true, c.flushChunk()
}

// flushChunk writes the remaining texts.
func (c *textChunk) flushChunk() error {
	if len(c.texts) == 0 {
		return nil
	}
	err := c.out.writeJSONPart(fmt.Sprintf("%s-%d", c.name, c.n), c.texts)
	c.texts, c.bytes, c.n = c.texts[:0], 0, c.n+1
	return err
}

// deltaEncode returns the differences between successive numbers. Most are 0 or 1 and
// compress to almost nothing.
func deltaEncode(v []int32) []int32 {
	last := int32(0)
	out := make([]int32, len(v))
	for i, n := range v {
		out[i], last = n-last, n
	}
	return out
}
