package searchall

import (
	"context"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/search"
	"sessiontree/internal/session/store"
)

// RoleNote is the role of text that is neither said nor done: changes of the model and
// the like. It is found within one session only.
const RoleNote query.Role = "note"

// SessionHit is a hit of a search in one session.
type SessionHit struct {
	Hit   // without Branch
	Pos   session.Pos
	Head  session.Pos // first entry of its branch, NoPos on the path to the leaf
	Order int         // ascending within a branch: parents before children
}

// FindInSession calls emit with the entries of a session, from a position on, that match q,
// in the order of its files and while it reads them. It stops when emit returns an error.
// The error is session.ErrStale if the session was reloaded meanwhile.
func FindInSession(ctx context.Context, s *store.Session, q *query.Query, from session.Pos, emit func([]SessionHit) error) error {
	words, err := search.ParseWords(strings.Join(q.Words(), " "))
	if err != nil {
		return err
	}
	places, epoch := FindPlaces(s)
	f := &sessionFinder{matcher: matcher{q: q}, places: places}
	return store.RunSearch(ctx, s, func(src search.Source) (uint64, error) {
		c := search.Collector[sessionEntry, SessionHit]{Prepare: f.prepareEntry, Match: f.matchEntry, Emit: emit}
		found, err := search.CollectEntries(ctx, src, s.Format(), words, from, c)
		if err == nil && found != epoch {
			err = session.ErrStale
		}
		return found, err
	})
}

// Places is where each entry of a session is: its branch, and its place in the tree.
type Places struct {
	branches *branchFinder // knows all heads
	order    []int32
}

// FindPlaces returns the places of the entries of a session, and the epoch of their
// positions.
func FindPlaces(s *store.Session) (places Places, epoch uint64) {
	s.ReadTree(func(t *session.Tree, rev store.Revision) {
		epoch = rev.Epoch
		places = Places{newBranchFinder(t), make([]int32, t.Len())}
		for i, p := range t.Preorder(t.Leaf()) {
			places.branches.headOf(p)
			places.order[p] = int32(i)
		}
	})
	return places, epoch
}

// Head returns the first entry of the branch of an entry, NoPos on the path to the leaf.
func (p Places) Head(at session.Pos) session.Pos { return p.branches.headOf(at) }

// Has reports whether the session had an entry when the places were found.
func (p Places) Has(at session.Pos) bool { return int(at) < len(p.order) }

// Order returns the place of an entry in its branch. It ascends from parents to children.
func (p Places) Order(at session.Pos) int { return int(p.order[at]) }

// BranchAt returns the branch that begins with head, NoPos for the path to the leaf.
func BranchAt(t *session.Tree, head session.Pos) Branch {
	return (&branchFinder{tree: t}).branchFrom(head)
}

// sessionFinder finds the entries of one session that match. Its methods may be called by
// several goroutines.
type sessionFinder struct {
	matcher
	places Places
}

// sessionEntry is what a match needs of an entry besides its body.
type sessionEntry struct {
	entryFacts
	pos  session.Pos
	note string // text of an entry that has no other
}

// prepareEntry copies what matchEntry needs of the tree. It reports false for entries that
// cannot match: they lack a word or do not pass a filter. A word that the line lacks may be
// in the label.
func (f *sessionFinder) prepareEntry(t *session.Tree, p session.Pos, hasWords bool) (sessionEntry, bool) {
	_, labeled := t.Label(p)
	if !f.places.Has(p) || !hasWords && !labeled {
		return sessionEntry{}, false
	}
	s := sessionEntry{pos: p, note: noteText(t, p)}
	if s.note == "" && !f.passesFilters(t, p, f.places.branches) || s.note != "" && !f.searchesNotes() {
		return sessionEntry{}, false
	}
	s.entryFacts = newEntryFacts(t, p, f.places.Head(p))
	return s, true
}

// searchesNotes reports whether the query has words and no filter.
func (f *sessionFinder) searchesNotes() bool {
	return len(f.q.Terms) > 0 && !slices.ContainsFunc(f.q.Tokens, func(t query.Token) bool { return t.Key != "" && t.Key != "re" })
}

// noteText returns the text of an entry that is neither said nor done nor hidden
// everywhere, "" for others.
func noteText(t *session.Tree, p session.Pos) string {
	e := t.At(p)
	if _, ok := roleOfKind(e); ok || e.Kind == session.KindLabel || e.Kind == session.KindName || e.HasFlag(session.FlagArtifact) || t.Traits(p).HasAny(session.TraitUsage|session.TraitMetadata) {
		return ""
	}
	return t.RowText(p)
}

// matchEntry returns the hit of an entry.
func (f *sessionFinder) matchEntry(e sessionEntry, body *session.Body) (SessionHit, bool) {
	fields := listFields(&e.entry, e.label, body)
	if e.note != "" {
		fields = append(fields, field{role: RoleNote, text: e.note})
	}
	if f.q.Failed && len(f.q.Terms) == 0 {
		fields = callFields(fields)
	}
	best, ok := f.bestField(fields)
	if !ok {
		return SessionHit{}, false
	}
	h := SessionHit{Hit: f.newHit(e.pos, &e.entryFacts, best), Pos: e.pos, Head: e.head, Order: f.places.Order(e.pos)}
	return h, true
}

// callFields returns the texts of a tool call, its output first. There is always one: a
// call can fail without output.
func callFields(fields []field) []field {
	calls := []field{}
	for _, role := range []query.Role{query.RoleOutput, query.RoleInput} {
		for _, f := range fields {
			if f.role == role {
				calls = append(calls, f)
			}
		}
	}
	if len(calls) == 0 {
		calls = append(calls, field{role: query.RoleOutput})
	}
	return calls
}
