package main

import (
	"github.com/spf13/cobra"

	"sessiontree/internal/session/edit"
	"sessiontree/internal/session/store"
)

func switchCommand(p *program) *cobra.Command {
	var f changeFlags
	cmd := &cobra.Command{Use: "switch PATH TIP", Short: "Make the branch that ends at an entry the current one", Args: words(2, 2, "the last entry of a branch")}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, entry, err := p.openAt(cmd.Context(), args)
		if err != nil {
			return err
		}
		hooks, err := p.hooks()
		if err != nil {
			return err
		}
		if f.dry {
			plan, err := edit.PreviewSwitch(cmd.Context(), s, entry)
			if err != nil {
				return err
			}
			return p.branched(s, edit.Branched{Plan: plan}, true)
		}
		b, err := edit.Switch(cmd.Context(), s, hooks, entry, store.Seen{})
		if err != nil {
			return err
		}
		p.written = "The change was written"
		return p.branched(s, b, false)
	}
	f.add(p, cmd)
	return cmd
}
