package finder

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/searchall"
	"sessiontree/internal/session/toolkind"
	"sessiontree/internal/web/view"
	"sessiontree/web/components"
)

// branchJSON is a branch with hits.
type branchJSON struct {
	ID    string `json:"id"`              // of its first entry, "" for the path to the leaf
	Kind  string `json:"kind"`            // "path", "abandoned", "agent"
	Title string `json:"title,omitempty"` // label of its tip, else its title
	Label bool   `json:"label,omitempty"` // the title is a label
	Time  int64  `json:"time,omitempty"`  // of its newest entry, in milliseconds
}

// hitJSON is an entry that matches.
type hitJSON struct {
	Entry  string   `json:"entry"`
	Branch string   `json:"branch"`
	Order  int      `json:"order"`
	Role   string   `json:"role"`
	Text   []string `json:"text"` // parts of the snippet; every second one is marked
	Time   int64    `json:"time,omitempty"`
	Tool   string   `json:"tool,omitempty"`
	Arg    string   `json:"arg,omitempty"`
	Status string   `json:"status,omitempty"` // of a failed call: "exit 1"
	Failed bool     `json:"failed,omitempty"`
	Icon   string   `json:"icon,omitempty"` // of the tool, instead of that of the role
}

// describeHit returns a hit with what its row in the tree shows of a tool call.
func (s *stream) describeHit(t *session.Tree, h *searchall.SessionHit) hitJSON {
	e := t.At(h.Pos)
	m := hitJSON{Entry: e.ID, Branch: s.addBranch(t, h.Head), Order: h.Order, Role: string(h.Role), Text: snippetParts(h), Failed: h.Failed}
	if e.Time != session.NoTime {
		m.Time = e.Time
	}
	switch {
	case e.Kind == session.KindToolResult || e.Kind == session.KindShell:
		row := view.BuildRowText(t, h.Pos, e)
		m.Tool, m.Arg, m.Status = row.Tool, row.Text, row.Status
	case h.Role == query.RoleInput || h.Role == query.RoleOutput:
		m.describeCall(t, e, h)
	}
	k := toolkind.Of(m.Tool)
	if k != "tool" && k != "bash" {
		m.Arg = strings.TrimPrefix(m.Arg, view.HomePath(t.Header().Cwd, s.Config.Home)+"/")
	}
	if h.Role == query.RoleInput || e.Added()+e.Removed() > 0 {
		m.Icon = components.ToolIcon(k)
	}
	return m
}

// describeCall adds the call that a hit is in: the one of its tool, or one that failed.
func (m *hitJSON) describeCall(t *session.Tree, e *session.Entry, h *searchall.SessionHit) {
	calls := e.Calls()
	for i := range calls {
		o := view.CallOutcome(e, i)
		failed := o != nil && o.Failed
		if h.Tool != "" && calls[i].Name != h.Tool || h.Tool == "" && h.Failed && !failed {
			continue
		}
		m.Tool, m.Arg = view.EscapeInvisible(calls[i].Name), view.CallText(t, &calls[i])
		if failed {
			m.Status = view.OneLine(o.Status)
		}
		return
	}
}

// snippetParts splits a snippet at its marks.
func snippetParts(h *searchall.SessionHit) []string {
	text, at := []rune(h.Snippet), 0
	var parts []string
	for _, m := range h.Marks {
		parts = append(parts, view.EscapeInvisible(string(text[at:m[0]])), view.EscapeInvisible(string(text[m[0]:m[1]])))
		at = m[1]
	}
	return append(parts, view.EscapeInvisible(string(text[at:])))
}

// addBranch returns the id of the branch that begins with head. The first time it adds the
// branch to the stream.
func (s *stream) addBranch(t *session.Tree, head session.Pos) string {
	id, known := s.branches[head]
	if known {
		return id
	}
	b := searchall.BranchAt(t, head)
	m := branchJSON{ID: branchID(t, head), Kind: b.Kind.String(), Title: view.OneLine(b.Title)}
	if head != session.NoPos {
		if l, ok := t.Label(t.Subtrees().NewestLeaf(head)); ok {
			m.Title, m.Label = view.OneLine(l.Text), true
		}
		if newest := t.Subtrees().NewestTime(head); newest != session.NoTime {
			m.Time = newest
		}
	}
	s.branches[head] = m.ID
	s.pending.Branches = append(s.pending.Branches, m)
	return m.ID
}

// branchID returns the id of the branch that begins with head: that of its first entry.
func branchID(t *session.Tree, head session.Pos) string {
	if head == session.NoPos {
		return ""
	}
	return t.At(head).ID
}
