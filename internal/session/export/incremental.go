package export

import (
	"sessiontree/internal/session"
)

// SkipCopied makes Write skip the lines that the session file already has, and count only
// the values in the rest. It returns false and changes nothing if those lines are not the
// beginning of the file.
func (j *Job) SkipCopied(c CopiedState) bool { return j.file != nil && j.file.skipCopied(c) }

// CopiedState describes the content of the session file after Write, for SkipCopied.
func (j *Job) CopiedState() CopiedState { return j.file.copiedAfter() }

// WrittenEntries returns the number of entries that a reader of the written file sees. A
// session file may hold fewer than the part has.
func (j *Job) WrittenEntries() int {
	if j.file == nil {
		return j.total
	}
	return j.file.countFileEntries()
}

// Epoch returns the session's epoch, for which CopiedState is valid.
func (j *Job) Epoch() uint64 { return j.file.epoch }

// ExtendToTip returns the part extended to the current end of its branch. Metadata that
// an agent added at the end without continuing does not count.
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
	tip := t.Subtrees().NewestLeaf(at)
	for tip != at && t.At(tip).Kind.IsBookkeeping() {
		tip = t.Parent(tip)
	}
	*end = t.At(tip).ID
	return p, nil
}
