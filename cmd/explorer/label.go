package main

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
	cmd := &cobra.Command{Use: "label PATH ENTRY [LABEL]", Short: "Label an entry, or take its label away", Args: words(2, 3, "an entry")}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, entry, err := p.openAt(cmd.Context(), args)
		if err != nil {
			return err
		}
		hooks, err := p.hooks()
		if err != nil {
			return err
		}
		c := session.Change{Op: session.OpLabel, Entry: entry}
		if len(args) == 3 {
			c.Text = strings.TrimSpace(args[2]) // nobody sees a label of blanks
		}
		if c.Text == "" && unlabelled(s, c.Entry) {
			return fmt.Errorf("%w: entry %s has no label that could be taken away", session.ErrInvalid, c.Entry)
		}
		return p.change(cmd.Context(), s, f.dry, c, func() (edit.Result, error) {
			return edit.Label(cmd.Context(), s, hooks, c.Entry, c.Text, store.Seen{})
		})
	}
	f.add(p, cmd)
	return cmd
}

// unlabelled reports whether an entry is there and has no label: a line that takes
// away what is not there would say nothing, and a forgotten word is likelier.
func unlabelled(s *store.Session, entry string) (bare bool) {
	s.Read(func(t *session.Tree, _ store.Rev) {
		if at := t.Find(entry); at != session.NoPos {
			_, labeled := t.Label(at)
			bare = !labeled
		}
	})
	return bare
}
