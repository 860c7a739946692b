// Package filehistory finds the edits of a file in all sessions.
package filehistory

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/blame"
	"sessiontree/internal/session/branchlist"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/session/fileedits"
	"sessiontree/internal/session/store"
)

// Limits of a history. The newest sessions and edits are kept.
const (
	MaxSessions  = 200
	MaxEdits     = 2000
	maxEditBytes = 64 << 20 // of the text of all edits
	maxTries     = 3        // when a session is reloaded meanwhile
)

// History is the edits of a file, newest first.
type History struct {
	Edits    []Edit
	Sessions int // that were read
	Left     int // sessions that were not read: those above MaxSessions
	Failed   int // sessions that could not be read
	LeftOver int // edits that are not listed, and edits whose text is not held
}

// Edit is an edit of the file.
type Edit struct {
	Session *catalog.Summary // not to be changed
	Entry   string           // id of the result, which an answer may record itself
	Call    string           // id
	Leaf    string           // id of the end of its branch, "" on the path to the leaf
	Time    int64            // of the result, ms or session.NoTime
	Kind    branchlist.Kind  // of its branch
	OffPath bool             // the branch is abandoned
	Branch  string           // title of a branch that is not the path to the leaf
	Prompt  string           // the prompt that it belongs to
	Copies  []Copy
	filediff.Edit
}

// Copy is a session that records the same edit, as forks and resumed sessions do.
type Copy struct {
	Session *catalog.Summary
	Entry   string
}

// Reader reads histories.
type Reader struct {
	Library *store.Library
	Catalog *catalog.Catalog
	Home    string // directory that "~" is
}

// Read returns the history of a file that the catalog found. Only the sessions that changed the
// file are read, one at a time.
func (r *Reader) Read(ctx context.Context, file catalog.ChangedFile) (*History, error) {
	h := &History{Left: max(len(file.Sessions)-MaxSessions, 0)}
	c := collector{Reader: r, history: h, path: file.Path, owners: r.Catalog.FileOwners(), seen: map[editKey]int{}, left: maxEditBytes}
	for _, sum := range file.Sessions[:len(file.Sessions)-h.Left] {
		err := c.readSession(ctx, sum)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			h.Failed++
			continue
		}
		h.Sessions++
	}
	slices.SortStableFunc(h.Edits, func(a, b Edit) int { return cmp.Compare(b.Time, a.Time) })
	if n := len(h.Edits) - MaxEdits; n > 0 {
		h.Edits = h.Edits[:MaxEdits]
		h.LeftOver += n
	}
	return h, nil
}

// LineOwners returns for each line the index of the edit that wrote it. The error is that of the
// context.
func (h *History) LineOwners(ctx context.Context, lines []string) (blame.Result, error) {
	edits := make([]filediff.Edit, len(h.Edits))
	for i := range h.Edits {
		edits[i] = h.Edits[i].Edit
	}
	return blame.FindOwners(ctx, lines, edits)
}

// editKey identifies an edit in all sessions that record it.
type editKey struct {
	entry, call string
	time        int64
}

// collector collects the edits of a file.
type collector struct {
	*Reader
	history *History
	path    string
	owners  map[string]string // path of the session that each file is shown with
	seen    map[editKey]int   // index of the edit
	left    int               // bytes of text that may be held
}

func (c *collector) readSession(ctx context.Context, sum *catalog.Summary) (err error) {
	for range maxTries {
		var s *store.Session
		if s, err = c.Library.OpenUnlisted(ctx, sum.Path); err != nil {
			return err
		}
		if err = c.addSession(ctx, s, sum); !errors.Is(err, session.ErrStale) {
			return err
		}
	}
	return err
}

// addSession adds the edits of a session. The error is session.ErrStale if it was reloaded
// meanwhile.
func (c *collector) addSession(ctx context.Context, s *store.Session, sum *catalog.Summary) error {
	var calls []filediff.Call
	var found []Edit
	var epoch uint64
	files := s.Files()
	s.ReadTree(func(t *session.Tree, rev store.Revision) {
		epoch = rev.Epoch
		calls = c.findCalls(t, files, sum.Path)
		if len(calls) > 0 {
			found = describeCalls(t, calls)
		}
	})
	edits, err := fileedits.Read(ctx, s, epoch, calls, filediff.Edits{Home: c.Home, Limit: max(c.left, 1)})
	if err != nil {
		return err
	}
	c.left -= edits.Size()
	c.history.LeftOver += edits.Left
	for i := range found {
		e := &found[i]
		file, edit, ok := edits.Find(&calls[i])
		if !ok || file != c.path {
			continue
		}
		e.Session, e.Edit = sum, edit
		c.addEdit(e)
	}
	return nil
}

func (c *collector) addEdit(e *Edit) {
	key := editKey{e.Entry, e.Call, e.Time}
	at, known := c.seen[key]
	if !known {
		c.seen[key] = len(c.history.Edits)
		c.history.Edits = append(c.history.Edits, *e)
	} else if first := &c.history.Edits[at]; first.Session != e.Session {
		first.Copies = append(first.Copies, Copy{e.Session, e.Entry})
	}
}

// findCalls returns the calls that changed the file, without those in files that are shown with
// another session.
func (c *collector) findCalls(t *session.Tree, files []string, path string) (found []filediff.Call) {
	var calls []filediff.Call
	for _, p := range t.Preorder(t.Leaf()) {
		if file := int(t.At(p).Span.File); file < len(files) && files[file] != path {
			if owner := c.owners[files[file]]; owner != "" && owner != path {
				continue
			}
		}
		calls = filediff.AppendCalls(calls[:0], t, p)
		for i := range calls {
			if calls[i].ChangesFile(t) && fileedits.NamedFile(t, c.Home, &calls[i]) == c.path {
				found = append(found, calls[i])
			}
		}
	}
	slices.Reverse(found) // the newest of the same time first
	return found
}

// describeCalls returns where calls are in their session.
func describeCalls(t *session.Tree, calls []filediff.Call) []Edit {
	branches, branchOf := branchlist.AssignEntries(t, nil)
	edits := make([]Edit, len(calls))
	for i := range calls {
		c := &calls[i]
		b := &branches[branchOf[c.Result]]
		e := &edits[i]
		*e = Edit{Entry: t.At(c.Result).ID, Call: c.Tool(t).ID, Time: t.At(c.Result).Time, Kind: b.Kind, OffPath: b.OffPath}
		if b.Kind != branchlist.Current {
			e.Leaf, e.Branch = t.At(t.Subtrees().NewestLeaf(c.Result)).ID, session.BranchTitleText(t, b.Head)
		}
		for p := c.At; p != session.NoPos; p = t.Parent(p) {
			if t.At(p).Kind == session.KindUser {
				e.Prompt = t.At(p).Preview
				break
			}
		}
	}
	return edits
}
