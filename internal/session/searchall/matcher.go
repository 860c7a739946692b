package searchall

import (
	"context"
	"hash/maphash"
	"slices"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/store"
)

var hashSeed = maphash.MakeSeed()

// matcher matches the entries of one session.
type matcher struct {
	q        *query.Query
	entries  []entryFacts // of the candidates
	branches map[session.Pos]Branch
	hits     []Hit
}

// entryFacts is what a hit needs of an entry besides its body.
type entryFacts struct {
	entry  session.Entry // a copy: the tree may change
	head   session.Pos   // of its branch
	label  string
	tool   string
	failed bool
}

// passesFilters reports whether an entry passes the filters that need no body.
func (m *matcher) passesFilters(t *session.Tree, p session.Pos, branches *branchFinder) bool {
	e := t.At(p)
	if !m.q.HasTime(entryTime(e)) {
		return false
	}
	label, labeled := t.Label(p)
	if len(m.q.Labels) > 0 && (!labeled || !m.q.HasLabel(label.Text)) {
		return false
	}
	if _, ok := roleOfKind(e); !ok && !labeled && e.Kind != session.KindName {
		return false
	}
	if m.q.Failed && !isFailedCall(t, p) || len(m.q.Tools) > 0 && !m.usesTool(t, p) {
		return false
	}
	return !m.q.Abandoned || branches.kindOf(branches.headOf(p)) == Abandoned
}

// entryTime returns when an entry was recorded, the zero time if that is unknown.
func entryTime(e *session.Entry) time.Time {
	if e.Time == session.NoTime {
		return time.Time{}
	}
	return time.UnixMilli(e.Time)
}

// isFailedCall reports whether an entry is a failed tool call or its output.
func isFailedCall(t *session.Tree, p session.Pos) bool {
	switch e := t.At(p); e.Kind {
	case session.KindToolResult, session.KindShell:
		return e.HasFlag(session.FlagError)
	case session.KindAssistant:
		return slices.ContainsFunc(e.Calls(), func(c session.ToolCall) bool { return c.Outcome != nil && c.Outcome.Failed })
	}
	return false
}

// usesTool reports whether an entry is a call of a tool that the query demands, or its
// output.
func (m *matcher) usesTool(t *session.Tree, p session.Pos) bool {
	e := t.At(p)
	if tool := toolOf(t, p); tool != "" {
		return m.q.HasTool(tool)
	}
	return slices.ContainsFunc(e.Calls(), func(c session.ToolCall) bool { return m.q.HasTool(c.Name) })
}

// toolOf returns the tool of an output, "" for other entries.
func toolOf(t *session.Tree, p session.Pos) string {
	e := t.At(p)
	switch e.Kind {
	case session.KindShell:
		return e.ShellName()
	case session.KindToolResult:
		if name := e.ToolName(); name != "" {
			return name
		}
		if call, at := t.CallOf(p); at != session.NoPos {
			return call.Name
		}
	}
	return ""
}

// addEntries stores what the hits need of the tree, which may change while bodies are
// read.
func (m *matcher) addEntries(t *session.Tree, ps []session.Pos, branches *branchFinder) {
	m.entries, m.branches = make([]entryFacts, len(ps)), map[session.Pos]Branch{}
	for i, p := range ps {
		label, _ := t.Label(p)
		head := branches.headOf(p)
		m.entries[i] = entryFacts{entry: *t.At(p), head: head, label: label.Text, tool: toolOf(t, p), failed: isFailedCall(t, p)}
		if _, ok := m.branches[head]; !ok {
			m.branches[head] = branches.branchFrom(head)
		}
	}
}

// matchBodies adds the hits among the entries.
func (m *matcher) matchBodies(ctx context.Context, s *store.Session, ps []session.Pos) error {
	format := s.Format()
	return s.ReadRawLines(ctx, ps, func(i int, line []byte) error {
		facts := &m.entries[i]
		body, err := format.DecodeBody(line)
		if err != nil {
			body = session.Body{} // there may be a label
		}
		if best, ok := m.bestField(listFields(&facts.entry, facts.label, &body)); ok {
			m.hits = append(m.hits, m.newHit(ps[i], facts, best))
		}
		return nil
	})
}

// bestField returns the field that a hit shows: among those that the query searches, the
// one with the most terms. It reports false if a term is in none of them.
func (m *matcher) bestField(fields []field) (field, bool) {
	missing := make([]bool, len(m.q.Terms))
	for i := range missing {
		missing[i] = true
	}
	best, most := -1, -1
	for i := range fields {
		f := &fields[i]
		if !m.q.HasRole(f.role) || len(m.q.Tools) > 0 && f.role == query.RoleInput && !m.q.HasTool(f.tool) || len(m.q.Labels) > 0 && len(m.q.Terms) == 0 && f.role != query.RoleLabel {
			continue
		}
		n := 0
		for k := range m.q.Terms {
			if m.q.Terms[k].Matches(f.text) {
				missing[k] = false
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	if best < 0 || slices.Contains(missing, true) {
		return field{}, false
	}
	return fields[best], true
}

func (m *matcher) newHit(p session.Pos, facts *entryFacts, f field) Hit {
	e := &facts.entry
	h := Hit{Entry: e.ID, Role: f.role, Time: entryTime(e), Failed: facts.failed, Tool: facts.tool, head: facts.head, pos: p}
	if f.role == query.RoleInput {
		h.Tool = f.tool
	}
	h.Snippet, h.Marks = cutSnippet(f.text, m.q.Terms)
	h.id = hitID{entry: e.ID, time: e.Time, role: f.role, text: maphash.String(hashSeed, f.text)}
	return h
}
