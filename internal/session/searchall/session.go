package searchall

import (
	"cmp"
	"context"
	"hash/fnv"
	"slices"
	"strings"
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
	Failed  bool      // a failed tool call
	Model   string    // of an answer, else ""

	id  hitID
	pos session.Pos
}

// hitID identifies the copies of a hit in other sessions: forks and resumed sessions record
// the same entries again.
type hitID struct {
	entry string
	time  int64
	role  query.Role
	text  uint64
}

// searchSession returns the hits in one session and the branches that they are in. skip
// reports which of its files are searched with another session.
func searchSession(ctx context.Context, s *store.Session, q *query.Query, skip func(path string) bool) ([]Hit, []Branch, error) {
	words := queryWords(q)
	candidates, err := s.Search(ctx, strings.Join(words, " "))
	if err != nil {
		return nil, nil, err
	}
	var found *branchFinder
	files := s.Files()
	skipped := make([]bool, len(files))
	for i, path := range files {
		skipped[i] = i > 0 && skip(path)
	}
	m := &matcher{q: q}
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		if len(words) == 0 {
			candidates = allPositions(t)
		}
		found = newBranchFinder(t)
		candidates = slices.DeleteFunc(candidates, func(p session.Pos) bool {
			return skipped[t.At(p).Span.File] || !m.passesFilters(t, p, found)
		})
		m.addEntries(t, candidates)
	})
	if err := m.matchBodies(ctx, s, candidates); err != nil {
		return nil, nil, err
	}
	hits, branches := m.groupHits(s, found)
	return hits, branches, nil
}

func allPositions(t *session.Tree) []session.Pos {
	all := make([]session.Pos, t.Len())
	for i := range all {
		all[i] = session.Pos(i)
	}
	return all
}

// groupHits sorts the hits by branch and by how much people look for their role.
func (m *matcher) groupHits(s *store.Session, found *branchFinder) ([]Hit, []Branch) {
	byHead := map[session.Pos]int{}
	var branches []Branch
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		found.tree = t
		for i := range m.hits {
			head := found.headOf(m.hits[i].pos)
			if _, ok := byHead[head]; !ok {
				byHead[head] = len(branches)
				branches = append(branches, found.branchFrom(head))
			}
			m.hits[i].Branch = byHead[head]
		}
	})
	order := make([]int, len(branches))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(branches[a].Kind, branches[b].Kind), cmp.Compare(branches[b].Head, branches[a].Head))
	})
	sorted, rank := make([]Branch, len(branches)), make([]int, len(branches))
	for to, from := range order {
		sorted[to], rank[from] = branches[from], to
	}
	roles := query.Roles()
	for i := range m.hits {
		m.hits[i].Branch = rank[m.hits[i].Branch]
	}
	slices.SortStableFunc(m.hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.Branch, b.Branch), cmp.Compare(slices.Index(roles, a.Role), slices.Index(roles, b.Role)), cmp.Compare(a.pos, b.pos))
	})
	return m.hits, sorted
}

func hashText(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}
