package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/terminal"
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
	cmd := &cobra.Command{Use: "tree PATH", Short: "Draw the tree of a session", Args: sessionPathArgs(1)}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		f.leafGiven = cmd.Flags().Changed("leaf")
		s, err := p.openSession(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		return printTree(p, s, f)
	}
	flags := cmd.Flags()
	flags.BoolVar(&p.json, "json", false, "print JSON")
	flags.StringVar(&f.filter, "filter", "default", "which entries to show: default, no-tools, user-only, labeled-only, failed, all")
	flags.StringVar(&f.query, "query", "", "search for `WORDS`")
	flags.StringVar(&f.layout, "layout", "spine", "spine, or outline for pi's own order and indents")
	flags.StringVar(&f.leaf, "leaf", "", "end of the viewed path: an `ID`, or none for before the first entry")
	flags.StringArrayVar(&f.fold, "fold", nil, "collapse the branch at `ID` (repeatable)")
	return cmd
}

func printTree(p *program, s *store.Session, f treeFlags) (err error) {
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
		out := terminal.NewColorWriter(p.out)
		terminal.DrawTree(out, t, view)
		for _, n := range notes {
			out.WriteColored(terminal.Yellow, fmt.Sprintf("note %s: line %d: %s\n", n.Code, n.Line, terminal.CleanLine(n.Text)))
		}
		err = out.Flush()
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
