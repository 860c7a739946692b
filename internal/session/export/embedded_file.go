package export

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"sessiontree/internal/session"
)

// A small page could embed a session file that fills a disk. The unpacked size is limited to
// alwaysUnpacked or maxUnpackRatio times the packed size, whichever is larger, and to
// maxUnpacked.
const (
	maxUnpacked    = 1 << 30
	alwaysUnpacked = 64 << 20
	maxUnpackRatio = 100
)

// IsHTML reports whether a file with this beginning may be HTML.
func IsHTML(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(head) > 0 && head[0] == '<'
}

// EmbeddedFile is the session file embedded in an HTML page.
type EmbeddedFile struct {
	Name string // base name
	text []byte
}

// ReadHTML finds the session file in an HTML page. Errors wrap session.ErrNoSession if
// there is none, and session.ErrInvalid if it is damaged.
func ReadHTML(page io.Reader) (*EmbeddedFile, error) {
	z := html.NewTokenizer(bufio.NewReaderSize(page, 256<<10))
	for {
		switch z.Next() {
		case html.ErrorToken:
			if err := z.Err(); !errors.Is(err, io.EOF) {
				return nil, err
			}
			return nil, fmt.Errorf("%w: this page was not made by the explorer, or its end is missing", session.ErrNoSession)
		case html.StartTagToken:
			name, ok := embeddedFileTag(z)
			if !ok {
				continue
			}
			h := &EmbeddedFile{Name: name}
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

// embeddedFileTag returns the name of the embedded file if the tag begins it.
func embeddedFileTag(z *html.Tokenizer) (name string, ok bool) {
	tag, more := z.TagName()
	if string(tag) != "script" {
		return "", false
	}
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "id":
			ok = string(value) == EmbeddedFileID
		case "data-name":
			name = safeFileName(string(value))
		}
	}
	return name, ok
}

// safeFileName converts the name in a page, which may be hostile, to a safe name with the
// extension of session files. The rest of the name consists of letters, digits, "-", "_"
// and single dots.
func safeFileName(name string) string {
	name = path.Base(strings.ReplaceAll(name, "\\", "/"))
	stem := strings.TrimSuffix(name, "."+string(JSONL))
	var b strings.Builder
	last := '.'
	for _, r := range stem {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '.' {
			r = '-'
		}
		if b.Len()+utf8.RuneLen(r) > maxFileStem {
			break
		}
		if r != '.' && r != '-' || r != last && last != '.' {
			b.WriteRune(r)
			last = r
		}
	}
	stem = strings.Trim(b.String(), "-._")
	if stem == "" || windowsDeviceName.MatchString(stem) {
		stem = strings.TrimSuffix("session-"+stem, "-")
	}
	return stem + "." + string(JSONL)
}

// maxFileStem limits a name in bytes. File systems allow up to 255.
const maxFileStem = 200

// windowsDeviceName matches names of devices on Windows, with any extension.
var windowsDeviceName = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)

// Head returns the beginning of the session file, for detecting its format.
func (h *EmbeddedFile) Head() ([]byte, error) {
	const most = 64 << 10
	in, err := h.decompress()
	if err != nil {
		return nil, err
	}
	head, err := io.ReadAll(io.LimitReader(in, most))
	if err != nil {
		return nil, newDamagedError(err)
	}
	return head, nil
}

func (h *EmbeddedFile) decompress() (io.Reader, error) {
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(h.text)))
	if err != nil {
		return nil, newDamagedError(err)
	}
	return z, nil
}

func newDamagedError(err error) error {
	return fmt.Errorf("%w: the session file in the page is damaged: %w", session.ErrInvalid, err)
}

// Write writes the session file, byte for byte.
func (h *EmbeddedFile) Write(w io.Writer) error {
	z, err := h.decompress()
	if err != nil {
		return err
	}
	most := min(maxUnpacked, max(alwaysUnpacked, maxUnpackRatio*int64(len(h.text))))
	in := &errorKeepingReader{r: z}
	n, err := io.Copy(w, io.LimitReader(in, most+1))
	switch {
	case in.err != nil && !errors.Is(in.err, io.EOF):
		return newDamagedError(in.err)
	case err != nil:
		return err
	case n > most:
		return fmt.Errorf("%w: the session file in the page is longer than %d MB, which is too much for a page of this size", session.ErrInvalid, most>>20)
	}
	return nil
}

// errorKeepingReader keeps the error of its reader, to distinguish a damaged page from a
// full disk.
type errorKeepingReader struct {
	r   io.Reader
	err error
}

func (s *errorKeepingReader) Read(b []byte) (int, error) {
	n, err := s.r.Read(b)
	s.err = err
	return n, err
}
