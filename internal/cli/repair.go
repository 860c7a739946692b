package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"sessiontree/internal/session"
	"sessiontree/internal/session/edit"
	"sessiontree/internal/session/store"
)

func repairCommand(p *program) *cobra.Command {
	var f changeFlags
	cmd := &cobra.Command{Use: "repair PATH", Short: "End a line left unfinished by a crash, and make the newest activity the leaf again", Args: changeArgs(1, 1)}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := p.openSession(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		ended, err := endTornLine(p, cmd, s, f.dryRun)
		if err != nil {
			return err
		}
		c, err := edit.NewRepairChange(s)
		switch {
		case err != nil && !ended:
			return err
		case err != nil && !p.json: // there was nothing else to repair
			return nil
		case err != nil:
			return p.printChange(s, edit.Result{Written: store.Written{File: s.Path()}}, nil)
		}
		return p.runChange(cmd.Context(), s, f.dryRun, c, func() (edit.Result, error) { return edit.RepairLeaf(cmd.Context(), s, store.Precondition{}) })
	}
	f.addChangeFlags(p, cmd)
	return cmd
}

// endTornLine ends an unfinished last line and reports whether there was one. The JSON
// output omits it because no line is added.
func endTornLine(p *program, cmd *cobra.Command, s *store.Session, dry bool) (torn bool, err error) {
	if !slices.ContainsFunc(s.Notes(), func(n session.Note) bool { return n.Code == session.NoteTornLine }) {
		return false, nil
	}
	text := "Would end the unfinished line."
	if !dry {
		text = "Ended the unfinished line."
		err = s.EndTornLine(cmd.Context())
	}
	if err == nil && !p.json {
		_, err = fmt.Fprintln(p.out, text)
	}
	return true, err
}
