// Package results builds the models of the page that searches all sessions: the hits of a
// session, the filters next to them with their counts, and what is wrong with a query.
package results

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"sessiontree/internal/session/query"
	"sessiontree/internal/session/searchall"
	"sessiontree/internal/web/view"
	"sessiontree/internal/web/view/index"
	"sessiontree/web/components"
)

// Limits of what is listed.
const (
	bestHits    = 6  // of a session
	firstHits   = 3  // of its first branch, even if the others have no room then
	maxBranches = 10 // of which at least one hit is listed
	maxAllHits  = 500
)

// A Builder builds the models of the results of one search.
type Builder struct {
	View  view.Config
	Text  string // of the query
	Query *query.Query
	All   bool // all of old sessions is searched too
	Now   time.Time
}

// BestHits returns the model of a session with its best hits: those of the roles that people
// look for first, and at least one of each branch.
func (b *Builder) BestHits(r *searchall.Result) components.SearchResult {
	href := "/search/session/" + r.Session.Key + "?q=" + url.QueryEscape(b.Text)
	if b.All {
		href += "&all=1"
	}
	return b.buildResult(r, chooseBestHits(r), href)
}

// AllHits returns the model of a session with all of its hits, up to a limit.
func (b *Builder) AllHits(r *searchall.Result) components.SearchResult {
	chosen := make([]bool, len(r.Hits))
	for i := range min(len(chosen), maxAllHits) {
		chosen[i] = true
	}
	return b.buildResult(r, chosen, "")
}

// chooseBestHits reports for each hit whether it is one of the best. The hits of a branch are
// in the order of their roles.
func chooseBestHits(r *searchall.Result) []bool {
	chosen, n := make([]bool, len(r.Hits)), 0
	choose := func(i int) {
		if !chosen[i] {
			chosen[i] = true
			n++
		}
	}
	for i := range r.Hits {
		branch := r.Hits[i].Branch
		isFirst := i == 0 || branch != r.Hits[i-1].Branch
		if branch < maxBranches && isFirst || branch == 0 && i < firstHits {
			choose(i)
		}
	}
	order := make([]int, len(r.Hits))
	for i := range order {
		order[i] = i
	}
	roles := query.Roles()
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(slices.Index(roles, r.Hits[a].Role), slices.Index(roles, r.Hits[b].Role))
	})
	for _, i := range order {
		if n < bestHits {
			choose(i)
		}
	}
	return chosen
}

// buildResult returns the model of a session with the chosen hits. moreHref lists all.
func (b *Builder) buildResult(r *searchall.Result, chosen []bool, moreHref string) components.SearchResult {
	m := components.SearchResult{
		Row:     index.SessionRowModel(b.View, &r.Session, b.Now),
		Project: view.ProjectNameOfDir(r.Session.Cwd),
		Hits:    len(r.Hits),
	}
	m.Row.Href = b.sessionView(nil).Href(view.SessionURL(r.Session.Key))
	at := -1
	for i := range r.Hits {
		h := &r.Hits[i]
		if at < 0 || h.Branch != r.Hits[i-1].Branch {
			m.Branches = append(m.Branches, branchModel(&r.Branches[h.Branch]))
			at = len(m.Branches) - 1
		}
		m.Branches[at].Hits++
		if !chosen[i] {
			m.More++
			continue
		}
		m.Branches[at].List = append(m.Branches[at].List, b.hitModel(r.Session.Key, h))
	}
	m.Branches = slices.DeleteFunc(m.Branches, func(b components.ResultBranch) bool { return len(b.List) == 0 })
	if m.More > 0 {
		m.MoreHref = moreHref
	}
	return m
}

// branchClasses are the names of kinds of branches in styles.
var branchClasses = map[query.BranchKind]string{query.OnPath: "path", query.Abandoned: "left", query.SubAgent: "agent"}

func branchModel(b *searchall.Branch) components.ResultBranch {
	return components.ResultBranch{Class: branchClasses[b.Kind], Title: cmp.Or(view.OneLine(b.Title), "Untitled branch")}
}

// sessionView returns the view of a session in which the words of the query are marked. If
// the query has only regular expressions, those are the words that h marks.
func (b *Builder) sessionView(h *searchall.Hit) view.Params {
	words := strings.Join(b.Query.Words(), " ")
	if h == nil {
		return view.Params{Query: words}
	}
	if words == "" && len(h.Marks) > 0 {
		words = string([]rune(h.Snippet)[h.Marks[0][0]:h.Marks[0][1]])
	}
	return view.Params{Entry: h.Entry, Query: words}
}
