package branchpanel

import (
	"cmp"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/branchlist"
	"sessiontree/internal/web/view"
)

// currentTitle is the title of the path to the leaf.
const currentTitle = "Current path"

// list is the branches that pass the filter, in the order in which they are listed.
type list struct {
	scene    view.Scene
	params   Params
	branches []branchlist.Branch // all branches
	titles   []string            // of branches, "" where not yet computed
	order    []int32             // indexes in branches
}

func newList(s view.Scene, p Params) *list {
	l := &list{scene: s, params: p, branches: branchlist.ListBranches(s.Tree, s.Costs())}
	l.titles = make([]string, len(l.branches))
	words := session.ParseQuery(p.Find)
	for i := range l.branches {
		if l.isShown(&l.branches[i]) && (len(words) == 0 || words.MatchesText(l.searchText(int32(i)))) {
			l.order = append(l.order, int32(i))
		}
	}
	l.sortOrder()
	return l
}

func (l *list) isShown(b *branchlist.Branch) bool {
	switch l.params.Show {
	case "abandoned":
		return b.Kind == branchlist.Abandoned
	case "labeled":
		return b.Labeled != session.NoPos
	case "agents":
		return b.Kind == branchlist.SubAgent
	}
	return true
}

// title returns the title of a branch.
func (l *list) title(i int32) string {
	b := &l.branches[i]
	if b.Kind == branchlist.Current {
		return currentTitle
	}
	if l.titles[i] == "" {
		l.titles[i] = view.BranchTitle(l.scene.Tree, b.Head)
	}
	return l.titles[i]
}

// label returns the text of the last label of a branch, "" if it has none.
func (l *list) label(i int32) string {
	p := l.branches[i].Labeled
	if p == session.NoPos {
		return ""
	}
	label, _ := l.scene.Tree.Label(p)
	return view.OneLine(label.Text)
}

// searchText returns the text that the filter looks at.
func (l *list) searchText(i int32) string {
	text := l.title(i) + "\n" + l.label(i)
	if p := l.branches[i].Prompt; p != session.NoPos {
		text += "\n" + l.scene.Tree.At(p).Preview
	}
	return text
}

// sortOrder sorts the listed branches. Equal ones keep the order of the tree. The current
// path is first where the sizes of all branches are compared with it.
func (l *list) sortOrder() {
	compare := l.comparison()
	slices.SortStableFunc(l.order, func(a, b int32) int {
		if !l.params.isFiltered() && l.comparesSizes() && (a == 0) != (b == 0) {
			if a == 0 {
				return -1
			}
			return 1
		}
		if l.params.Ascending {
			return compare(a, b)
		}
		return compare(b, a)
	})
}

func (l *list) comparesSizes() bool {
	return l.params.Sort == "cost" || l.params.Sort == "entries" || l.params.Sort == "tokens"
}

// comparison returns the function that compares two branches by the sorted column.
func (l *list) comparison() func(a, b int32) int {
	branch := func(i int32) *branchlist.Branch { return &l.branches[i] }
	switch l.params.Sort {
	case "name":
		return func(a, b int32) int { return strings.Compare(strings.ToLower(l.title(a)), strings.ToLower(l.title(b))) }
	case "where":
		return func(a, b int32) int { return cmp.Compare(branch(a).Start, branch(b).Start) }
	case "entries":
		return func(a, b int32) int { return cmp.Compare(branch(a).Entries, branch(b).Entries) }
	case "cost":
		return func(a, b int32) int { return cmp.Compare(branch(a).Cost, branch(b).Cost) }
	case "tokens":
		return func(a, b int32) int { return cmp.Compare(branch(a).Tokens, branch(b).Tokens) }
	}
	return func(a, b int32) int { return cmp.Compare(branch(a).Time, branch(b).Time) }
}
