package cli

import (
	"github.com/spf13/cobra"

	"sessiontree/internal/session/edit"
	"sessiontree/internal/session/store"
)

func switchCommand(p *program) *cobra.Command {
	var f changeFlags
	cmd := &cobra.Command{Use: "switch PATH TIP", Short: "Make another branch current: the one that ends at an entry", Args: changeArgs(2, 2, "the last entry of a branch")}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, entry, err := p.openEntry(cmd.Context(), args)
		if err != nil {
			return err
		}
		hooks, err := p.newHookRunner()
		if err != nil {
			return err
		}
		if f.dryRun {
			plan, err := edit.PreviewSwitch(cmd.Context(), s, entry)
			if err != nil {
				return err
			}
			return p.printBranched(s, edit.BranchResult{MovePlan: plan}, true)
		}
		b, err := edit.SwitchBranch(cmd.Context(), s, hooks, entry, store.Precondition{})
		if err != nil {
			return err
		}
		p.doneMessage = "The change was written"
		return p.printBranched(s, b, false)
	}
	f.addChangeFlags(p, cmd)
	return cmd
}
