package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
	"sessiontree/internal/session/store"
)

// treeFlags holds the flags of tree.
type treeFlags struct {
	filter, query, layout, leaf string
	leafGiven                   bool
	fold                        []string
}

func treeCommand(p *program) *cobra.Command {
	var f treeFlags
	cmd := &cobra.Command{Use: "tree PATH", Short: "Draw the tree of a session", Args: sessionPathArgs(1, 1)}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		f.leafGiven = cmd.Flags().Changed("leaf")
		s, err := p.openSession(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		return p.printTree(s, f)
	}
	flags := cmd.Flags()
	flags.BoolVar(&p.json, "json", false, "print JSON")
	flags.StringVar(&f.filter, "filter", "default", "which entries to show: default, no-tools, user-only, labeled-only, all")
	flags.StringVar(&f.query, "query", "", "search for `WORDS`")
	flags.StringVar(&f.layout, "layout", "spine", "spine, or outline for pi's own order and indents")
	flags.StringVar(&f.leaf, "leaf", "", "end of the viewed path: an `ID`, or none for before the first entry")
	flags.StringArrayVar(&f.fold, "fold", nil, "collapse the branch at `ID` (repeatable)")
	return cmd
}

func (p *program) printTree(s *store.Session, f treeFlags) (err error) {
	notes := newNotesJSON(s)
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		var view outline.View
		if view, err = f.parseView(t); err != nil {
			return
		}
		if p.json {
			err = p.printJSON(newTreeJSON(s, t, view, notes))
			return
		}
		err = p.drawTree(t, view, notes)
	})
	return err
}

func (f treeFlags) parseView(t *session.Tree) (v outline.View, err error) {
	v = outline.View{Entry: session.NoPos, Query: f.query, DefaultOpen: true, Open: map[string]bool{}}
	if v.Filter, err = outline.ParseFilter(f.filter); err != nil {
		return v, usageError{err}
	}
	if v.Layout, err = outline.ParseLayout(f.layout); err != nil {
		return v, usageError{err}
	}
	if v.Leaf, err = parseLeaf(t, f.leaf, f.leafGiven); err != nil {
		return v, err
	}
	for _, id := range f.fold {
		if _, err := findEntry(t, id); err != nil {
			return v, err
		}
		v.Open[id] = false
	}
	return v, nil
}

// terminalRowText returns the text of a row.
func terminalRowText(t *session.Tree, r *outline.Row) string {
	e := t.At(r.Title)
	switch {
	case r.Kind == outline.RowBranchMark:
		return "Branched here, waiting for the next prompt"
	case r.Kind == outline.RowFoldedGroup:
		return "[" + foldedGroupText(e, r.Count) + "]"
	case r.Kind == outline.RowSessionHeader:
		return "session " + threadTitle(t, r.Pos)
	case r.Kind == outline.RowBranch && t.At(r.Pos).HasFlag(session.FlagAgent):
		return "agent: " + threadTitle(t, r.Pos)
	case r.Kind == outline.RowBranch && t.At(r.Pos).HasFlag(session.FlagSession):
		return "session " + threadTitle(t, r.Pos)
	case r.Kind == outline.RowBranch && t.At(r.Pos).HasFlag(session.FlagRetracted):
		return "retracted: " + threadTitle(t, r.Pos)
	case r.Kind == outline.RowCall:
		return "[" + e.Calls()[r.Call].Name + ": " + e.Calls()[r.Call].Arg + "] " + e.Calls()[r.Call].OutcomeText()
	}
	return t.RowText(r.Title)
}

// foldedGroupText describes a folded group.
func foldedGroupText(e *session.Entry, n int32) string {
	switch {
	case e.HasFlag(session.FlagArtifact):
		return e.Status() + ": " + pluralize(n, "line", "lines")
	case e.HasFlag(session.FlagCommand):
		return pluralize(n, "local command line", "local command lines")
	case e.HasFlag(session.FlagBranchMark):
		return "branch without a prompt: " + pluralize(n, "line", "lines")
	}
	return pluralize(n, "metadata line", "metadata lines")
}

// threadTitle returns the title of the thread that begins at head: of an agent or a session.
func threadTitle(t *session.Tree, head session.Pos) string {
	text, entry := t.BranchTitle(head)
	return cmp.Or(text, t.RowText(entry))
}
