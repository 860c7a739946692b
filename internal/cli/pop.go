package cli

import (
	"github.com/spf13/cobra"

	"sessiontree/internal/session/edit"
	"sessiontree/internal/session/store"
)

func popCommand(p *program) *cobra.Command {
	var f branchFlags
	cmd := &cobra.Command{Use: "pop PATH [ENTRY]", Short: "Go back one prompt, or to an entry, in the same file", Args: changeArgs(1, 2)}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return p.runBranch(cmd, &f, args[0], func(s *store.Session) (string, error) {
			if len(args) == 2 {
				return resolveEntryID(s, args[1])
			}
			return edit.PreviousPrompt(s)
		})
	}
	f.addBranchFlags(p, cmd)
	return cmd
}
