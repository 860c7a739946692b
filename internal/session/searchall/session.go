package searchall

import (
	"cmp"
	"context"
	"slices"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/store"
)

// Hit is an entry that matches.
type Hit struct {
	Entry   string // id
	Branch  int    // index into the branches of the session
	Role    query.Role
	Time    time.Time // zero if it is not recorded
	Snippet string    // one line
	Marks   [][2]int  // places of the terms in Snippet, from and to, in runes
	Tool    string    // of a call or its output, else ""
	Arg     string    // the most informative argument of the call
	Status  string    // outcome of a call: "exit 1", or ""
	Failed  bool      // a failed tool call
	Model   string    // of an answer
	Prompt  int       // of a prompt: its number on its path, from 1
	Prompts int       // of a prompt on the path to the leaf: how many the path has
	Added   int       // lines that an edit added, of its output
	Removed int

	id   uint64      // the same for its copies in other sessions
	head session.Pos // of its branch
	pos  session.Pos
}

// searchSession returns the hits in one session and the branches that they are in. The error
// is session.ErrStale if the session was reloaded meanwhile.
func (r *run) searchSession(ctx context.Context, s *store.Session, path string) ([]Hit, []Branch, error) {
	epoch := s.Revision().Epoch
	candidates, err := s.Search(ctx, r.text)
	if err != nil {
		return nil, nil, err
	}
	files := s.Files()
	m := &matcher{q: r.q}
	s.ReadTree(func(t *session.Tree, rev store.Revision) {
		if rev.Epoch != epoch {
			candidates = nil // their positions are invalid
			return
		}
		if r.text == "" {
			candidates = allPositions(t)
		}
		branches := newBranchFinder(t)
		candidates = slices.DeleteFunc(candidates, func(p session.Pos) bool {
			return r.isSearchedElsewhere(files, t.At(p).Span.File, path) || !m.passesFilters(t, p, branches)
		})
		m.addEntries(t, candidates, branches)
	})
	if err := m.matchBodies(ctx, s, candidates); err != nil {
		return nil, nil, err
	}
	if s.Revision().Epoch != epoch {
		return nil, nil, session.ErrStale
	}
	hits, branches := m.groupHits()
	return hits, branches, nil
}

// isSearchedElsewhere reports whether a file of the session at path is searched with another
// session: a tree can have the files of several sessions of the catalog.
func (r *run) isSearchedElsewhere(files []string, file int32, path string) bool {
	if int(file) >= len(files) { // added after files were listed
		return false
	}
	if files[file] == path {
		return false
	}
	owner := r.owners()[files[file]]
	return owner != "" && owner != path
}

func allPositions(t *session.Tree) []session.Pos {
	all := make([]session.Pos, t.Len())
	for i := range all {
		all[i] = session.Pos(i)
	}
	return all
}

// groupHits returns the hits by branch and by how much people look for their role: first the
// path to the leaf, then the newest branches.
func (m *matcher) groupHits() (hits []Hit, branches []Branch) {
	roles := query.Roles()
	slices.SortStableFunc(m.hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(m.branches[a.head].Kind, m.branches[b.head].Kind), cmp.Compare(b.head, a.head),
			cmp.Compare(slices.Index(roles, a.Role), slices.Index(roles, b.Role)), cmp.Compare(a.pos, b.pos))
	})
	for i := range m.hits {
		h := &m.hits[i]
		if i == 0 || h.head != m.hits[i-1].head {
			branches = append(branches, m.branches[h.head])
		}
		h.Branch = len(branches) - 1
	}
	return m.hits, branches
}
