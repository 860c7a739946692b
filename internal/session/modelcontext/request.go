package modelcontext

import (
	"context"
	"errors"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// Request is what a model is sent before an answer. It is the recorded request, or else what
// the rules of the agent make of the entries. It is valid for the tree of Epoch.
type Request struct {
	Place
	Epoch    uint64
	Recorded bool          // the agent recorded the request
	Counted  bool          // the agent recorded Total; else it is an estimate
	Total    int64         // tokens, the sum of Parts
	Usage    session.Usage // of the answer
	Model    string
	Parts    Tokens
	Rows     []Row // in the order sent, without the system prompt and the tools of a recorded request
	Removed  []Row // messages of the previous request that this one does not have, the first ones
	Change   int64 // of Total since the previous request, if both are recorded
	Text     Texts

	RemovedCount int // of all removed messages

	LeftOut       []session.Pos // entries of the path that a compaction or a reset left out
	LeftOutBy     session.Pos   // that compaction or reset, or NoPos
	LeftOutTokens int64
}

// Texts are the texts of a recorded request before its messages.
type Texts struct {
	System string
	Tools  []string // names
}

// Row is one message of a request or, where the request is recorded, one block of it.
type Row struct {
	Item   session.ContextItem // Item.Pos is NoPos if the entry is not known
	Form   Form
	Part   Part // of its text
	Tokens Tokens
	Text   string // of a block without an entry, cut
	Kept   bool   // a compaction kept it
	New    bool   // the previous request does not have it
	Was    int64  // tokens of the content that an edit replaced
}

// Form is what a Row is.
type Form uint8

// The forms.
const (
	FormMessage Form = iota
	FormThinking
	FormCall
	FormResult
	FormImage
)

// maxStaleTries limits how often a request is read again when the file was replaced meanwhile.
const maxStaleTries = 3

// ReadRequest reads the request at a place. locate is called while the tree is locked.
func ReadRequest(ctx context.Context, s *store.Session, locate func(*session.Tree) (Place, error)) (*Request, error) {
	for try := 1; ; try++ {
		r := &requestReader{session: s}
		var err error
		s.ReadTree(func(t *session.Tree, rev store.Revision) {
			var p Place
			if p, err = locate(t); err == nil {
				r.copyPlace(t, rev.Epoch, p)
			}
		})
		if err == nil {
			err = r.read(ctx)
		}
		if err == nil && s.Revision().Epoch != r.out.Epoch {
			err = session.ErrStale
		}
		if !errors.Is(err, session.ErrStale) || try == maxStaleTries {
			return &r.out, err
		}
	}
}

// requestReader reads a Request.
type requestReader struct {
	session    *store.Session
	out        Request
	items      []session.ContextItem
	edited     []session.ContextItem // as they were
	previous   []session.ContextItem
	first      []session.ContextItem // of the first request whose tokens are recorded
	firstTotal int64
	known      int64 // tokens of the context up to the last answer, where there is no answer yet
	knownRows  int   // the rows that known counts
	// leftOutSince: the compaction or reset is below the previous request.
	leftOutSince bool
}

// copyPlace copies what it needs of the tree.
func (r *requestReader) copyPlace(t *session.Tree, epoch uint64, p Place) {
	c := t.Context(p.Leaf)
	r.items = c.Items
	r.out = Request{Place: p, Epoch: epoch, Model: c.Model, LeftOutBy: session.NoPos}
	if p.Answer != session.NoPos {
		if charge := t.At(p.Answer).Charge(); charge != nil {
			r.out.Usage = charge.Usage
		}
		r.out.Model = t.At(p.Answer).ModelID()
	}
	if p.Previous != session.NoPos {
		r.previous = t.Context(p.previousLeaf).Items
		if before, now := inputTokens(t, p.Previous), inputTokens(t, p.Answer); before > 0 && now > 0 {
			r.out.Change = now - before
		}
	}
	if p.firstAnswer != session.NoPos && p.firstAnswer != p.Answer {
		r.first, r.firstTotal = t.Context(p.firstLeaf).Items, inputTokens(t, p.firstAnswer)
	}
	if inputTokens(t, p.Answer) == 0 && c.Tokens > 0 {
		r.known = c.Tokens
		for i, item := range r.items {
			if t.At(item.Pos).Tokens() == c.Tokens {
				r.knownRows = i + 1
			}
		}
	}
	r.findLeftOut(t)
	r.leftOutSince = r.out.LeftOutBy != session.NoPos && p.Previous != session.NoPos && !t.MarkPath(p.Previous).Has(r.out.LeftOutBy)
	r.makeRows(t)
}

// makeRows makes the rows of the items, without their tokens.
func (r *requestReader) makeRows(t *session.Tree) {
	cut := r.out.LeftOutBy
	for i, item := range r.items {
		row := Row{Item: item, Form: FormMessage}
		switch {
		case t.At(item.Pos).Kind == session.KindToolResult || item.Part == session.PartResult:
			row.Form = FormResult
		case item.Part == session.PartImages:
			row.Form = FormImage
		}
		row.Kept = cut != session.NoPos && item.Pos < cut && i > 0
		r.out.Rows = append(r.out.Rows, row)
		if item.Edit != session.NoPos {
			item.Edit = session.NoPos
			r.edited = append(r.edited, item)
		}
	}
	r.markNew()
}

// findLeftOut finds the entries that the last compaction or reset on the path left out.
func (r *requestReader) findLeftOut(t *session.Tree) {
	path := agentPath(t, t.Path(r.out.Leaf), r.out.Leaf)
	sent := map[session.Pos]bool{}
	for _, item := range r.items {
		sent[item.Pos] = true
		for _, p := range item.MergedEntries {
			sent[p] = true
		}
	}
	for i := len(path) - 1; i >= 0; i-- {
		e := t.At(path[i])
		if r.out.LeftOutBy == session.NoPos {
			if e.Kind != session.KindCompaction && e.Kind != session.KindReset {
				continue
			}
			r.out.LeftOutBy, r.out.LeftOutTokens = path[i], e.Tokens()
		} else if !sent[path[i]] && isMessage(e) {
			r.out.LeftOut = append(r.out.LeftOut, path[i])
		}
	}
	slices.Reverse(r.out.LeftOut)
}

// isMessage reports whether an entry is a message to or from the model.
func isMessage(e *session.Entry) bool {
	return !e.Kind.IsBookkeeping() && !e.HasFlag(session.FlagNoContext) && e.Kind != session.KindUnknown && e.Kind != session.KindReset
}
