package searchall

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/search"
	"sessiontree/internal/session/textcache"
)

// The texts of a session in the cache are blocks of the fields of entries, first of prompts and then
// of other entries, and a last block with the index, which may be empty. A field ends with a line feed,
// an entry with search.EntrySeparator. A block ends after the entry with which it has textBlockSize
// bytes. The filter of the session is the number of blocks with prompts and the search.Filter of each
// block of fields. A search for prompts, which are a small part, needs only their blocks.
const textBlockSize = 8 << 10

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
	prompts, others textGroup
	index           *textIndex          // without entries; nil: the index is left out
	branchOf        map[session.Pos]int // by head
}

// textGroup is entries that are next to each other in the cache.
type textGroup struct {
	blocks  [][]byte // complete ones
	texts   []byte   // of the last block
	entries []indexedEntry
}

func newTextWriter(branches map[session.Pos]Branch) *textWriter {
	w := &textWriter{index: &textIndex{}, branchOf: map[session.Pos]int{}}
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
	g := &w.others
	if slices.ContainsFunc(fields, func(f field) bool { return f.role == query.RolePrompt }) {
		g = &w.prompts
	}
	start := len(g.texts)
	for i := range fields {
		if role := slices.Index(cachedRoles, fields[i].role); role >= 0 {
			g.texts = append(append(g.texts, fields[i].text...), '\n')
			x.Roles, x.Lengths = append(x.Roles, byte(role)), append(x.Lengths, len(fields[i].text))
		}
	}
	if len(g.texts) == start {
		return
	}
	entry := g.texts[start:]
	for i := bytes.IndexByte(entry, search.EntrySeparator); i >= 0; i = bytes.IndexByte(entry, search.EntrySeparator) {
		entry[i] = ' '
		w.index = nil // a hit shows the text as it is recorded
	}
	g.texts = append(g.texts, search.EntrySeparator)
	g.entries = append(g.entries, x)
	if len(g.texts) >= textBlockSize {
		g.endBlock()
	}
}

// endBlock ends a block of fields.
func (g *textGroup) endBlock() {
	if len(g.texts) > 0 {
		g.blocks, g.texts = append(g.blocks, g.texts), nil
	}
}

// encode returns the blocks of the texts as they are cached, and the filter of their fields.
func (w *textWriter) encode() (filter []byte, blocks [][]byte) {
	w.prompts.endBlock()
	w.others.endBlock()
	filter = binary.LittleEndian.AppendUint32(nil, uint32(len(w.prompts.blocks)))
	blocks = slices.Concat(w.prompts.blocks, w.others.blocks)
	for _, b := range blocks {
		filter = append(filter, search.NewFilter(b)...)
	}
	var index []byte
	if w.index != nil {
		w.index.Entries = slices.Concat(w.prompts.entries, w.others.entries)
		index = w.index.encode()
	}
	return filter, append(blocks, index)
}

// eachSearchedBlock calls fn with the blocks of fields, in order, that may have text of one of the
// roles, and their filters. It returns false if the filter of the session is damaged.
func eachSearchedBlock(buf *textcache.Buffer, roles []query.Role, fn func(i int, filter []byte)) bool {
	if len(buf.Filter) < 4 {
		return false
	}
	prompts, filter := int(binary.LittleEndian.Uint32(buf.Filter)), buf.Filter[4:]
	fields := buf.Blocks[:len(buf.Blocks)-1]
	if prompts > len(fields) {
		return false
	}
	if len(roles) == 0 { // see needsFiles
		roles = cachedRoles
	}
	hasPrompts := slices.Contains(roles, query.RolePrompt) || slices.Contains(roles, query.RoleLabel)
	hasOthers := slices.ContainsFunc(roles, func(r query.Role) bool { return r != query.RolePrompt })
	for i, b := range fields {
		n := search.FilterSize(b.Len())
		if n > len(filter) {
			return false
		}
		if i < prompts && hasPrompts || i >= prompts && hasOthers {
			fn(i, filter[:n])
		}
		filter = filter[n:]
	}
	return true
}

// textPart is the fields of adjacent entries, and where they begin in the fields of all entries.
type textPart struct {
	start int
	text  []byte
}

// eachIndexedEntry calls fn with the entries of an index whose fields are in one of the parts, which
// are in order, and may match, with their branches and their fields.
func eachIndexedEntry(parts []textPart, index []byte, mayMatch func(fields []byte) bool, fn func(e *indexedEntry, b Branch, fields []byte)) error {
	r := indexReader{rest: index}
	branches := r.readBranches()
	start := 0
	for range r.readInt() {
		e := r.readEntry()
		n := e.size()
		if r.isDamaged || n < 0 || e.Branch < 0 || e.Branch >= len(branches) {
			return errDamagedTexts
		}
		for len(parts) > 0 && start >= parts[0].start+len(parts[0].text) {
			parts = parts[1:]
		}
		if len(parts) == 0 {
			return nil
		}
		if at := start - parts[0].start; at >= 0 {
			if at+n >= len(parts[0].text) || parts[0].text[at+n] != search.EntrySeparator {
				return errDamagedTexts
			}
			if fields := parts[0].text[at : at+n]; mayMatch(fields) {
				r.setStrings(&e)
				fn(&e, branches[e.Branch], fields)
			}
		}
		start += n + 1
	}
	if r.isDamaged {
		return errDamagedTexts
	}
	return nil
}

// size returns how many bytes the fields of the entry have, -1 if no text is as long.
func (e *indexedEntry) size() (n int) {
	for _, length := range e.Lengths {
		if length < 0 || length > maxCachedSession || n > maxCachedSession {
			return -1
		}
		n += length + 1
	}
	return n
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
