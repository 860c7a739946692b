package searchall

import (
	"context"
	"slices"
	"strings"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/store"
)

// matcher matches the entries of one session.
type matcher struct {
	q        *query.Query
	entries  []entryFacts // of the candidates
	branches map[session.Pos]Branch
	hits     []Hit
}

// passesFilters reports whether an entry passes the filters that need no body.
func (m *matcher) passesFilters(t *session.Tree, p session.Pos, branches *branchFinder) bool {
	label, _ := t.Label(p)
	if !m.hasTimeAndLabel(t.At(p), label.Text) || !hasText(t, p) {
		return false
	}
	if m.q.Failed && !t.Traits(p).HasAny(session.TraitFailed) || len(m.q.Tools) > 0 && !m.usesTool(t, p) {
		return false
	}
	return len(m.q.Branches) == 0 || m.q.HasBranch(branches.kindOf(branches.headOf(p)))
}

// hasTimeAndLabel reports whether an entry with a label, "" if it has none, passes the filters
// by time and by label.
func (m *matcher) hasTimeAndLabel(e *session.Entry, label string) bool {
	return m.q.HasTime(entryTime(e)) && (len(m.q.Labels) == 0 || label != "" && m.q.HasLabel(label))
}

// hasText reports whether listFields may return texts of an entry.
func hasText(t *session.Tree, p session.Pos) bool {
	e := t.At(p)
	_, said := roleOfKind(e)
	_, labeled := t.Label(p)
	return said || labeled || e.Kind == session.KindName
}

// entryTime returns when an entry was recorded, the zero time if that is unknown.
func entryTime(e *session.Entry) time.Time {
	if e.Time == session.NoTime {
		return time.Time{}
	}
	return time.UnixMilli(e.Time)
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
	h := Hit{Entry: e.ID, Role: f.role, Time: entryTime(e), Failed: facts.failed, Tool: facts.tool, Model: e.ModelID(), head: facts.head, pos: p}
	switch f.role {
	case query.RolePrompt:
		h.Prompt, h.Prompts = facts.prompt, facts.prompts
	case query.RoleInput, query.RoleOutput:
		h.addCall(facts, f)
	}
	h.Snippet, h.Marks = cutSnippet(f.text, m.q.Terms, f.role == query.RoleAnswer || f.role == query.RoleSummary)
	h.Snippet = strings.Clone(h.Snippet) // the text that it may be a part of may be large
	h.id = hashOfHit(e, &f)
	return h
}
