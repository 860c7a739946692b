package searchall

import (
	"encoding/binary"

	"sessiontree/internal/session"
	"sessiontree/internal/session/query"
)

// encode returns the index as bytes: the number of branches, each of them, the number of entries and
// each of them. Numbers are varints; strings have their length in front of them.
func (x *textIndex) encode() []byte {
	var b []byte
	addInt := func(n int64) { b = binary.AppendVarint(b, n) }
	addString := func(s string) { addInt(int64(len(s))); b = append(b, s...) }
	addInt(int64(len(x.Branches)))
	for _, branch := range x.Branches {
		addInt(int64(branch.Kind))
		addInt(int64(branch.Head))
		addString(branch.Title)
	}
	addInt(int64(len(x.Entries)))
	for i := range x.Entries {
		e := &x.Entries[i]
		for _, s := range []string{e.ID, e.Name, e.Tool, e.Label} {
			addString(s)
		}
		failed := int64(0)
		if e.Failed {
			failed = 1
		}
		for _, n := range []int64{int64(e.Pos), int64(e.Branch), int64(e.Kind), failed, int64(e.Prompt), int64(e.Prompts), e.Time, int64(len(e.Lengths))} {
			addInt(n)
		}
		b = append(b, e.Roles...)
		for _, n := range e.Lengths {
			addInt(int64(n))
		}
	}
	return b
}

// indexReader reads an encoded index. After damage it reads nothing more.
type indexReader struct {
	rest      []byte
	isDamaged bool

	texts   [4][]byte // strings of the entry that was read last
	lengths []int     // of the same
}

// fail notes that the index is damaged.
func (r *indexReader) fail() { r.rest, r.isDamaged = nil, true }

func (r *indexReader) readInt() int64 {
	n, size := binary.Varint(r.rest)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *indexReader) readBytes(n int64) []byte {
	if n < 0 || n > int64(len(r.rest)) {
		r.fail()
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *indexReader) readString() []byte { return r.readBytes(r.readInt()) }

func (r *indexReader) readBranches() (branches []Branch) {
	for n := r.readInt(); n > 0 && !r.isDamaged; n-- {
		kind := query.BranchKind(r.readInt())
		head := session.Pos(r.readInt())
		branches = append(branches, Branch{Kind: kind, Head: head, Title: string(r.readString())})
	}
	return branches
}

// readEntry reads an entry without its strings, which setStrings sets: most entries are skipped. The
// entry is overwritten by the next call.
func (r *indexReader) readEntry() (e indexedEntry) {
	for i := range r.texts {
		r.texts[i] = r.readString()
	}
	e.Pos, e.Branch, e.Kind, e.Failed = session.Pos(r.readInt()), int(r.readInt()), session.Kind(r.readInt()), r.readInt() == 1
	e.Prompt, e.Prompts, e.Time = int(r.readInt()), int(r.readInt()), r.readInt()
	n := r.readInt()
	e.Roles = r.readBytes(n)
	for r.lengths = r.lengths[:0]; n > 0 && !r.isDamaged; n-- {
		r.lengths = append(r.lengths, int(r.readInt()))
	}
	e.Lengths = r.lengths
	return e
}

// setStrings sets the strings of the entry that was read last.
func (r *indexReader) setStrings(e *indexedEntry) {
	e.ID, e.Name, e.Tool, e.Label = string(r.texts[0]), string(r.texts[1]), string(r.texts[2]), string(r.texts[3])
}
