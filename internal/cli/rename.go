package cli

import (
	"github.com/spf13/cobra"

	"sessiontree/internal/session"
	"sessiontree/internal/session/edit"
)

func renameCommand(p *program) *cobra.Command {
	var f changeFlags
	cmd := &cobra.Command{Use: "rename PATH NAME", Short: "Name a session; an empty name removes it", Args: changeArgs(2, 2, "a name")}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := p.openSession(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		return p.runChange(cmd.Context(), s, f.dryRun, session.Change{Op: session.OpName, Text: args[1]}, func() (edit.Result, error) {
			return edit.Rename(cmd.Context(), s, args[1])
		})
	}
	f.addChangeFlags(p, cmd)
	return cmd
}
