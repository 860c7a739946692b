package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"sessiontree/internal/session"
	"sessiontree/internal/session/edit"
	"sessiontree/internal/session/store"
)

func labelCommand(p *program) *cobra.Command {
	var f changeFlags
	cmd := &cobra.Command{Use: "label PATH ENTRY [LABEL]", Short: "Label an entry, or remove its label", Args: changeArgs(2, 3, "an entry")}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, entry, err := p.openEntry(cmd.Context(), args)
		if err != nil {
			return err
		}
		hooks, err := p.newHookRunner()
		if err != nil {
			return err
		}
		c := session.Change{Op: session.OpLabel, Entry: entry}
		if len(args) == 3 {
			c.Text = strings.TrimSpace(args[2]) // a label of spaces is invisible
		}
		if c.Text == "" && isUnlabeled(s, c.Entry) {
			return fmt.Errorf("%w: entry %s has no label to remove", session.ErrInvalid, c.Entry)
		}
		return p.runChange(cmd.Context(), s, f.dryRun, c, func() (edit.Result, error) {
			return edit.Label(cmd.Context(), s, hooks, c.Entry, c.Text, store.Precondition{})
		})
	}
	f.addChangeFlags(p, cmd)
	return cmd
}

// isUnlabeled reports whether an entry exists and has no label. Clearing it would write a
// line without effect; more likely an argument is missing.
func isUnlabeled(s *store.Session, entry string) (bare bool) {
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		if at := t.FindID(entry); at != session.NoPos {
			_, labeled := t.Label(at)
			bare = !labeled
		}
	})
	return bare
}
