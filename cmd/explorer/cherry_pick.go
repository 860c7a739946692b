package main

import (
	"github.com/spf13/cobra"

	"sessiontree/internal/session/edit"
	"sessiontree/internal/session/store"
)

func cherryPickCommand(p *program) *cobra.Command {
	var f changeFlags
	cmd := &cobra.Command{Use: "cherry-pick PATH ENTRY", Short: "Copy an entry onto the current leaf", Args: words(2, 2, "an entry")}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, entry, err := p.openAt(cmd.Context(), args)
		if err != nil {
			return err
		}
		return p.change(cmd.Context(), s, f.dry, edit.Picked(entry), func() (edit.Result, error) {
			return edit.Pick(cmd.Context(), s, entry, store.Seen{})
		})
	}
	f.add(p, cmd)
	return cmd
}
