package cli

import (
	"github.com/spf13/cobra"

	"sessiontree/internal/session/edit"
	"sessiontree/internal/session/store"
)

func cherryPickCommand(p *program) *cobra.Command {
	var f changeFlags
	cmd := &cobra.Command{Use: "cherry-pick PATH ENTRY", Short: "Copy an entry to the end of the current branch", Args: changeArgs(2, 2, "an entry")}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, entry, err := p.openEntry(cmd.Context(), args)
		if err != nil {
			return err
		}
		return p.runChange(cmd.Context(), s, f.dryRun, edit.NewCherryPickChange(entry), func() (edit.Result, error) {
			return edit.CherryPick(cmd.Context(), s, entry, store.Precondition{})
		})
	}
	f.addChangeFlags(p, cmd)
	return cmd
}

func mergeCommand(p *program) *cobra.Command {
	var f changeFlags
	cmd := &cobra.Command{Use: "merge PATH ENTRY", Short: "Add the messages of the branch that leads to an entry to the current branch", Args: changeArgs(2, 2, "an entry")}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, entry, err := p.openEntry(cmd.Context(), args)
		if err != nil {
			return err
		}
		c, err := edit.NewMergeChange(s, entry)
		if err != nil {
			return err
		}
		return p.runChange(cmd.Context(), s, f.dryRun, c, func() (edit.Result, error) {
			return edit.Merge(cmd.Context(), s, entry, store.Precondition{})
		})
	}
	f.addChangeFlags(p, cmd)
	return cmd
}
