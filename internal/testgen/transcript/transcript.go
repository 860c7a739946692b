// Package transcript writes small pi and oh-my-pi session files line by line, for the
// demo and for browser tests. Ids and times are derived from the session's id and start,
// so that the same calls give the same bytes.
package transcript

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Object is a JSON object that keeps the order of its keys: key, value, key, value.
type Object []any

// MarshalJSON writes the pairs in order.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := 0; i+1 < len(o); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(o[i])
		if err != nil {
			return nil, err
		}
		value, err := encodeJSON(o[i+1])
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// encodeJSON is json.Marshal without HTML escapes, like the agents.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Dialect selects the format of a File.
type Dialect uint8

// The dialects.
const (
	Pi    Dialect = iota // version 3: id, parentId
	Omp                  // oh-my-pi: models as provider/id
	Draft                // uuid, parentUuid; the header is the first node
	V1                   // no ids, each entry is the child of the previous one
	V2                   // version 2: id, parentId
)

// File builds a session file. LastID is the parent of the next entry.
type File struct {
	ID, Cwd         string
	LastID          string
	Now             time.Time
	Provider, Model string
	Cost            float64 // of every answer

	dialect Dialect
	lines   [][]byte
	serial  int
	context int
	call    string
	tool    string
}

// New starts a session with its header line. extra fields are added to the header.
func New(d Dialect, id, cwd string, start time.Time, extra ...any) *File {
	f := &File{ID: id, Cwd: cwd, Now: start, Provider: "anthropic", Model: "claude-sonnet-4-5", Cost: .012, dialect: d}
	h := Object{"type", "session"}
	switch d {
	case Draft:
		f.LastID = f.nextEntryID()
		h = append(h, "version", 2, "uuid", f.LastID, "parentUuid", nil)
	case V2:
		h = append(h, "version", 2)
	case V1:
	default:
		h = append(h, "version", 3)
	}
	h = append(h, "id", id, "timestamp", f.timestamp(), "cwd", cwd)
	f.WriteLine(append(h, extra...))
	return f
}

// WriteLine writes any value as a line.
func (f *File) WriteLine(v any) {
	b, err := encodeJSON(v)
	if err != nil {
		panic(fmt.Sprintf("transcript: %v", err)) // the values are literals of callers
	}
	f.lines = append(f.lines, b)
}

// WriteRaw writes any bytes as a line.
func (f *File) WriteRaw(line string) { f.lines = append(f.lines, []byte(line)) }

// PrependLine inserts a line before all others.
func (f *File) PrependLine(line string) {
	f.lines = append([][]byte{[]byte(line)}, f.lines...)
}

// Bytes returns the current content of the file.
func (f *File) Bytes() []byte { return append(bytes.Join(f.lines, []byte("\n")), '\n') }

// FileName returns the file name in the agents' style.
func (f *File) FileName(start time.Time) string {
	return strings.NewReplacer(":", "-", ".", "-").Replace(formatTimestamp(start)) + "_" + f.ID + ".jsonl"
}

// LastLines returns the last n lines, each with its end, to append them to an older copy.
func (f *File) LastLines(n int) []byte {
	return append(bytes.Join(f.lines[len(f.lines)-n:], []byte("\n")), '\n')
}

// AdvanceTime advances the time of the next entry.
func (f *File) AdvanceTime(d time.Duration) { f.Now = f.Now.Add(d) }

func (f *File) timestamp() string { return formatTimestamp(f.Now) }

func formatTimestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

const nanoAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-"

func (f *File) nextEntryID() string {
	f.serial++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s/%d", f.ID, f.serial))
	if f.dialect != Omp {
		return hex.EncodeToString(sum[:4])
	}
	var b [8]byte
	for i := range b {
		b[i] = nanoAlphabet[sum[i]&63]
	}
	return string(b[:])
}

// AddEntry adds an entry below the last one and returns its id.
func (f *File) AddEntry(kind string, fields ...any) string {
	f.Now = f.Now.Add(1300 * time.Millisecond)
	id := f.nextEntryID()
	var parent any
	if f.LastID != "" {
		parent = f.LastID
	}
	o := Object{"type", kind}
	switch f.dialect {
	case Draft:
		o = append(o, "uuid", id, "parentUuid", parent)
	case V1:
	default:
		o = append(o, "id", id, "parentId", parent)
	}
	f.WriteLine(append(append(o, "timestamp", f.timestamp()), fields...))
	f.LastID = id
	return id
}

// BranchFrom makes id the parent of the next entry, which starts a branch.
func (f *File) BranchFrom(id string) { f.LastID = id }
