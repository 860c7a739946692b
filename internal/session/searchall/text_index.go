package searchall

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/search"
)

// The texts of a session in the cache are the length of the fields, the fields of all entries
// and the index. A field ends with a line feed, an entry with search.EntrySeparator.
const textHeaderSize = 4

var errDamagedTexts = errors.New("damaged texts in the cache")

// textIndex tells what hits need of the entries of cached texts, so that the session need not
// be read.
type textIndex struct {
	Branches []Branch
	Entries  []indexedEntry
}

// indexedEntry is an entry with cached fields.
type indexedEntry struct {
	ID              string
	Pos             session.Pos
	Branch          int // index into Branches
	Kind            session.Kind
	Name            string // the model of an answer
	Time            int64
	Tool            string
	Label           string
	Failed          bool
	Prompt, Prompts int
	Roles           []byte // of the fields: indexes into cachedRoles
	Lengths         []int  // of the fields
}

// facts returns what a hit needs of the entry.
func (e *indexedEntry) facts(head session.Pos) entryFacts {
	return entryFacts{
		entry: session.Entry{ID: e.ID, Kind: e.Kind, Name: e.Name, Time: e.Time}, head: head, label: e.Label, tool: e.Tool, failed: e.Failed,
		prompt: e.Prompt, prompts: e.Prompts,
	}
}

// textWriter collects the cached texts of a session.
type textWriter struct {
	texts    []byte
	index    *textIndex          // nil: the index is left out
	branchOf map[session.Pos]int // by head
}

func newTextWriter(branches map[session.Pos]Branch) *textWriter {
	w := &textWriter{texts: make([]byte, textHeaderSize), index: &textIndex{}, branchOf: map[session.Pos]int{}}
	for head, b := range branches {
		w.branchOf[head] = len(w.index.Branches)
		w.index.Branches = append(w.index.Branches, b)
	}
	return w
}

// dropIndex leaves out the index: hits are found in the session itself.
func (w *textWriter) dropIndex() { w.index = nil }

// addEntry adds the cached fields of an entry.
func (w *textWriter) addEntry(p session.Pos, facts *entryFacts, fields []field) {
	e := &facts.entry
	x := indexedEntry{ID: e.ID, Pos: p, Branch: w.branchOf[facts.head], Kind: e.Kind, Name: e.ModelID(), Time: e.Time, Tool: facts.tool, Label: facts.label,
		Failed: facts.failed, Prompt: facts.prompt, Prompts: facts.prompts}
	start := len(w.texts)
	for i := range fields {
		if role := slices.Index(cachedRoles, fields[i].role); role >= 0 {
			w.texts = append(append(w.texts, fields[i].text...), '\n')
			x.Roles, x.Lengths = append(x.Roles, byte(role)), append(x.Lengths, len(fields[i].text))
		}
	}
	if len(w.texts) == start {
		return
	}
	entry := w.texts[start:]
	for i := bytes.IndexByte(entry, search.EntrySeparator); i >= 0; i = bytes.IndexByte(entry, search.EntrySeparator) {
		entry[i] = ' '
		w.index = nil // a hit shows the text as it is recorded
	}
	w.texts = append(w.texts, search.EntrySeparator)
	if w.index != nil {
		w.index.Entries = append(w.index.Entries, x)
	}
}

// encode returns the texts as they are cached and the filter of their fields.
func (w *textWriter) encode() (filter, texts []byte, err error) {
	binary.LittleEndian.PutUint32(w.texts, uint32(len(w.texts)-textHeaderSize))
	filter = search.NewFilter(w.texts[textHeaderSize:])
	if w.index == nil {
		return filter, w.texts, nil
	}
	out := bytes.NewBuffer(w.texts)
	err = gob.NewEncoder(out).Encode(w.index)
	return filter, out.Bytes(), err
}

// splitTexts returns the fields of all entries and the index in encoded texts.
func splitTexts(encoded []byte) (fields, index []byte, err error) {
	if len(encoded) < textHeaderSize {
		return nil, nil, errDamagedTexts
	}
	n := int64(binary.LittleEndian.Uint32(encoded))
	if encoded = encoded[textHeaderSize:]; n > int64(len(encoded)) {
		return nil, nil, errDamagedTexts
	}
	return encoded[:n], encoded[n:], nil
}

// eachIndexedEntry calls fn with the entries of an index, their branches and their fields.
func eachIndexedEntry(fields, index []byte, fn func(e *indexedEntry, b Branch, fields []byte)) error {
	var x textIndex
	if err := gob.NewDecoder(bytes.NewReader(index)).Decode(&x); err != nil {
		return err
	}
	for i := range x.Entries {
		e := &x.Entries[i]
		n := bytes.IndexByte(fields, search.EntrySeparator)
		if n < 0 || e.Branch < 0 || e.Branch >= len(x.Branches) {
			return errDamagedTexts
		}
		fn(e, x.Branches[e.Branch], fields[:n])
		fields = fields[n+1:]
	}
	return nil
}

// splitFields returns the fields of an entry.
func (e *indexedEntry) splitFields(text []byte) []field {
	fields := make([]field, 0, len(e.Lengths))
	for i, n := range e.Lengths {
		if n < 0 || n >= len(text) || i >= len(e.Roles) || int(e.Roles[i]) >= len(cachedRoles) {
			break
		}
		fields = append(fields, field{role: cachedRoles[e.Roles[i]], text: string(text[:n])})
		text = text[n+1:]
	}
	return fields
}
