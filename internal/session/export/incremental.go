package export

import (
	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// SkipCopied leaves out of a session file what stands in it already: Write then writes
// what comes after it, and counts the values replaced in that alone. It answers
// false, and changes nothing, when what stands there is no beginning of the file.
func (j *Job) SkipCopied(c store.CopiedState) bool { return j.file != nil && j.file.SkipCopied(c) }

// CopiedState is what stands in the session file once it is written.
func (j *Job) CopiedState() store.CopiedState { return j.file.CopiedAfter() }

// WrittenEntries counts the entries that stand in what is written, as it is read back: in a
// session file less than the part has where that has no place for some.
func (j *Job) WrittenEntries() int {
	if j.file == nil {
		return j.total
	}
	return j.file.CountFileEntries()
}

// Epoch is the session's, for which Copied holds.
func (j *Job) Epoch() uint64 { return j.file.Epoch }

// ExtendToTip is the part as it has gone on with the session: a path ends where its branch
// ends by now. What an agent has noted there and not gone on from does not count.
func (p Part) ExtendToTip(t *session.Tree) (Part, error) {
	end := &p.Entry
	switch {
	case p.Scope == Subtree && p.To != "":
		end = &p.To
	case p.Scope != Path:
		return p, nil
	}
	at, err := findByID(t, *end)
	if err != nil {
		return p, err
	}
	tip := t.NewestLeaf(at)
	for tip != at && t.At(tip).Kind.IsBookkeeping() {
		tip = t.Parent(tip)
	}
	*end = t.At(tip).ID
	return p, nil
}
