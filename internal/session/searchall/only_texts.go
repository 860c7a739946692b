package searchall

import (
	"slices"

	"sessiontree/internal/session/query"
)

// needsFiles reports whether a query searches what the cache of texts does not have.
func needsFiles(q *query.Query) bool {
	isOther := func(role query.Role) bool { return !slices.Contains(cachedRoles, role) }
	onlyLabels := len(q.Labels) > 0 && len(q.Terms) == 0 // see bestField
	return len(q.Roles) == 0 && !onlyLabels || slices.ContainsFunc(q.Roles, isOther) || q.Failed || len(q.Tools) > 0
}

// textsOf returns the part of a query that needs no files, nil if there is none.
func textsOf(q *query.Query) *query.Query {
	roles := slices.DeleteFunc(slices.Clone(cachedRoles), func(role query.Role) bool { return !q.HasRole(role) })
	if q.Failed || len(q.Tools) > 0 || len(roles) == 0 {
		return nil
	}
	limited := *q
	limited.Roles = roles
	return &limited
}

// limitToTexts returns the run for sessions of which only texts are searched, nil if the query
// searches none.
func (r *run) limitToTexts() *run {
	q := textsOf(r.q)
	if q == nil {
		return nil
	}
	limited := *r
	limited.q = q
	return &limited
}
