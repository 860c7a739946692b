package archive

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// record is a line of the journal: the head of a generation, or that it was deleted.
type record struct {
	id         string
	path       string // in the first record of a file, "" in others
	generation int
	end        int64
	chain      Chain
	modTime    int64 // ns
	stored     int64
	deleted    bool
}

// newRecord returns the record of a head. path is "" if the file is known.
func newRecord(id, path string, h Head) record {
	return record{id: id, path: path, generation: h.Generation, end: h.End, chain: h.Chain, modTime: h.ModTime.UnixNano(), stored: h.Stored}
}

// lineEnd ends each line, so that a part of a line is no line.
const lineEnd = " ;\n"

// encodeLine returns the line of a record. Lines are parsed often, so they are plain words.
func (r *record) encodeLine() string {
	if r.deleted {
		return fmt.Sprintf("- %s %d%s", r.id, r.generation, lineEnd)
	}
	return fmt.Sprintf("+ %s %d %d %x %d %d %s%s", r.id, r.generation, r.end, r.chain, r.modTime, r.stored, strconv.Quote(r.path), lineEnd)
}

// parseRecord parses a line. ok is false if it is not a whole one.
func parseRecord(line string) (r record, ok bool) {
	line, ok = strings.CutSuffix(line, lineEnd)
	words := strings.SplitN(line, " ", 8)
	if !ok || len(words) < 3 {
		return r, false
	}
	var failed bool
	number := func(word string) int64 {
		n, err := strconv.ParseInt(word, 10, 64)
		failed = failed || err != nil
		return n
	}
	r.id, r.generation, r.deleted = words[1], int(number(words[2])), words[0] == "-"
	switch {
	case r.deleted:
		return r, len(words) == 3 && !failed
	case words[0] != "+" || len(words) < 8 || hex.DecodedLen(len(words[4])) != len(r.chain):
		return r, false
	}
	r.end, r.modTime, r.stored = number(words[3]), number(words[5]), number(words[6])
	_, chainErr := hex.Decode(r.chain[:], []byte(words[4]))
	path, pathErr := strconv.Unquote(words[7])
	r.path = path
	return r, !failed && chainErr == nil && pathErr == nil
}
