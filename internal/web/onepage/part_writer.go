package onepage

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"

	"github.com/klauspost/compress/flate"
)

// partWriter writes what the script of a page reads: elements that a browser neither
// shows nor runs, of compressed text in base64. So nothing of a transcript can end
// one or open another.
type partWriter struct {
	w       *bufio.Writer
	deflate *flate.Writer
}

func newPartWriter(w io.Writer) (*partWriter, error) {
	f, err := flate.NewWriter(nil, 6)
	return &partWriter{bufio.NewWriterSize(w, 64<<10), f}, err
}

// writeJSONPart writes a value.
func (p *partWriter) writeJSONPart(name string, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // it is base64 in the end
	if err := e.Encode(v); err != nil {
		return err
	}
	return p.writePart(name, b.Bytes())
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

// textChunk collects texts until they are worth an element.
type textChunk struct {
	out   *partWriter
	name  string
	texts []string
	bytes int
	n     int // elements written
}

// maxChunkBytes is how much text an element has before it is compressed: little
// enough that a reader does not wait for it, enough to compress well.
const maxChunkBytes = 128 << 10

// addText takes a text and reports whether it was the last of an element.
func (c *textChunk) addText(text string, most int) (full bool, err error) {
	c.texts = append(c.texts, text)
	c.bytes += len(text)
	if c.bytes < maxChunkBytes && len(c.texts) < most {
		return false, nil
	}
	return true, c.flushChunk()
}

// flushChunk writes what is left.
func (c *textChunk) flushChunk() error {
	if len(c.texts) == 0 {
		return nil
	}
	err := c.out.writeJSONPart(fmt.Sprintf("%s-%d", c.name, c.n), c.texts)
	c.texts, c.bytes, c.n = c.texts[:0], 0, c.n+1
	return err
}

// deltaEncode writes each number as what it is more than the one before: most are then 0
// or 1, and compress to next to nothing.
func deltaEncode(v []int32) []int32 {
	last := int32(0)
	out := make([]int32, len(v))
	for i, n := range v {
		out[i], last = n-last, n
	}
	return out
}
