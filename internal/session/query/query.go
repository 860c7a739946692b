// Package query parses what people type to search sessions.
package query

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"sessiontree/internal/session/search"
)

// A Query is a parsed search. An entry matches if it has all terms and passes every
// filter. Values of one filter are alternatives.
type Query struct {
	Terms  []Term
	Tokens []Token // in the order of the text

	Agents   []string // names of formats or of their agents, case folded
	Projects []string // names or paths of working directories, case folded
	Roles    []Role
	Tools    []string // names of tools, case folded
	Labels   []string // parts of labels, case folded
	Failed   bool     // only failed tool calls
	Live     bool     // only sessions that their agents are writing
	Starred  bool     // only sessions with a star
	Branches []BranchKind

	After  time.Time // zero, or the first moment
	Before time.Time // zero, or the first moment that is too late
}

// A Role tells in which part of an entry text was found.
type Role string

// The roles, from what people look for first to what they look for last.
const (
	RolePrompt   Role = "prompt"
	RoleAnswer   Role = "answer"
	RoleThinking Role = "thinking"
	RoleInput    Role = "input"  // the arguments of a tool call
	RoleOutput   Role = "output" // the result of a tool call
	RoleSummary  Role = "summary"
	RoleLabel    Role = "label" // labels of entries and names of sessions
)

// Roles returns all roles.
func Roles() []Role {
	return []Role{RolePrompt, RoleAnswer, RoleThinking, RoleInput, RoleOutput, RoleSummary, RoleLabel}
}

// roleAliases are other words for roles.
var roleAliases = map[string][]Role{
	"user":      {RolePrompt},
	"assistant": {RoleAnswer},
	"tool":      {RoleInput, RoleOutput},
	"result":    {RoleOutput},
	"name":      {RoleLabel},
}

// BranchKind tells where a branch is in the tree.
type BranchKind uint8

// The kinds of branches, in the order in which they are shown.
const (
	OnPath    BranchKind = iota // the path to the leaf
	Abandoned                   // any other branch of the session
	SubAgent                    // the thread of a sub-agent
)

// String returns the name of a kind in JSON.
func (k BranchKind) String() string { return [...]string{"path", "abandoned", "agent"}[k] }

// branchStates are the values of is: that select branches.
var branchStates = [...]string{OnPath: "current", Abandoned: "abandoned", SubAgent: "sub-agent"}

// State returns the value of is: that selects a kind.
func (k BranchKind) State() string { return branchStates[k] }

// A Token is one part of the text: a word, a phrase, a pattern or a filter.
type Token struct {
	Key   string // of a filter, "re" for a pattern, "" for a word or a phrase
	Value string // without quotes
	Start int    // offsets in the text, in bytes
	End   int
}

// An Error is a token that is not valid.
type Error struct {
	Token  Token
	Reason string // one line, for people
	Offset int    // of the problem within the value, in bytes
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%s: %s", e.Token.Key, e.Token.Value, e.Reason)
}

// IsEmpty reports whether there is nothing to search for.
func (q *Query) IsEmpty() bool { return len(q.Tokens) == 0 }

// Words returns the words that an entry must contain, case folded. There are none if all
// terms are regular expressions.
func (q *Query) Words() []string {
	var words []string
	for i := range q.Terms {
		words = append(words, q.Terms[i].words...)
	}
	return words
}

// HasRole reports whether text of a role is searched.
func (q *Query) HasRole(r Role) bool { return len(q.Roles) == 0 || slices.Contains(q.Roles, r) }

// HasBranch reports whether branches of a kind are searched.
func (q *Query) HasBranch(kind BranchKind) bool {
	return len(q.Branches) == 0 || slices.Contains(q.Branches, kind)
}

// HasTool reports whether calls of a tool are searched.
func (q *Query) HasTool(name string) bool {
	return len(q.Tools) == 0 || slices.Contains(q.Tools, search.FoldCase(name))
}

// HasAgent reports whether sessions of a format are searched. title is the name of its
// agent.
func (q *Query) HasAgent(format, title string) bool {
	return len(q.Agents) == 0 || slices.Contains(q.Agents, foldName(format)) || slices.Contains(q.Agents, foldName(title))
}

// foldName folds the case of a name and treats spaces as hyphens.
func foldName(name string) string {
	return strings.ReplaceAll(search.FoldCase(name), " ", "-")
}

// HasProject reports whether sessions of a working directory are searched: one whose last
// element or whole path is a given project, or that is below it.
func (q *Query) HasProject(cwd string) bool {
	if len(q.Projects) == 0 {
		return true
	}
	folded := strings.TrimRight(search.FoldCase(strings.ReplaceAll(cwd, `\`, "/")), "/")
	return slices.ContainsFunc(q.Projects, func(p string) bool {
		if strings.HasPrefix(p, "/") {
			return folded == p || strings.HasPrefix(folded, p+"/")
		}
		return folded[strings.LastIndexByte(folded, '/')+1:] == p
	})
}

// HasLabel reports whether a label has one of the parts that the query demands.
func (q *Query) HasLabel(label string) bool {
	if len(q.Labels) == 0 {
		return true
	}
	folded := search.FoldCase(label)
	return slices.ContainsFunc(q.Labels, func(part string) bool { return strings.Contains(folded, part) })
}

// HasTime reports whether a moment is within the limits. The zero time is, if there are
// no limits.
func (q *Query) HasTime(t time.Time) bool {
	if q.After.IsZero() && q.Before.IsZero() {
		return true
	}
	return !t.IsZero() && !t.Before(q.After) && (q.Before.IsZero() || t.Before(q.Before))
}
