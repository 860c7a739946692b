package export

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"sessiontree/internal/session"
)

// maxUnpacked bounds the session file of a page: a small page can hold one that
// fills a disk.
const maxUnpacked = 4 << 30

// IsPage reports whether a file that begins so may be a page.
func IsPage(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(head) > 0 && head[0] == '<'
}

// Held is the session file that a page holds.
type Held struct {
	Name string // base name
	text []byte
}

// ReadPage finds the session file in a page. Errors wrap session.ErrNoSession for
// what is no such page, and session.ErrInvalid for one that is damaged.
func ReadPage(page io.Reader) (*Held, error) {
	z := html.NewTokenizer(bufio.NewReaderSize(page, 256<<10))
	for {
		switch z.Next() {
		case html.ErrorToken:
			if err := z.Err(); !errors.Is(err, io.EOF) {
				return nil, err
			}
			return nil, fmt.Errorf("%w: this is no page that the explorer made, or its end is missing", session.ErrNoSession)
		case html.StartTagToken:
			name, ok := snapshotTag(z)
			if !ok {
				continue
			}
			h := &Held{Name: name}
			if z.Next() == html.TextToken {
				h.text = bytes.Clone(z.Raw())
				if z.Next() == html.EndTagToken {
					return h, nil
				}
			}
			return nil, fmt.Errorf("%w: the session file in the page is cut off", session.ErrInvalid)
		}
	}
}

// snapshotTag answers the name of the session file when the tag begins it.
func snapshotTag(z *html.Tokenizer) (name string, ok bool) {
	tag, more := z.TagName()
	if string(tag) != "script" {
		return "", false
	}
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "id":
			ok = string(value) == SnapshotID
		case "data-name":
			name = baseName(string(value))
		}
	}
	return name, ok
}

// baseName is a name in a page as that of a file in one directory, whoever wrote it.
func baseName(name string) string {
	name = filepath.Base(filepath.FromSlash(strings.ReplaceAll(name, "\\", "/")))
	if strings.HasPrefix(name, ".") || !filepath.IsLocal(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return "session." + string(JSONL)
	}
	return name
}

// Write writes the session file, byte for byte.
func (h *Held) Write(w io.Writer) error {
	damaged := func(err error) error {
		return fmt.Errorf("%w: the session file in the page is damaged: %w", session.ErrInvalid, err)
	}
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(h.text)))
	if err != nil {
		return damaged(err)
	}
	in := &source{r: z}
	n, err := io.Copy(w, io.LimitReader(in, maxUnpacked+1))
	switch {
	case in.err != nil && !errors.Is(in.err, io.EOF):
		return damaged(in.err)
	case err != nil:
		return err
	case n > maxUnpacked:
		return fmt.Errorf("%w: the session file in the page is longer than %d GiB", session.ErrInvalid, maxUnpacked>>30)
	}
	return nil
}

// source remembers what ended it, so that a page that is damaged is told from a
// disk that is full.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(b []byte) (int, error) {
	n, err := s.r.Read(b)
	s.err = err
	return n, err
}
