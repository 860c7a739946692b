package cli

import (
	"context"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

func pathCommand(p *program) *cobra.Command {
	return leafCommand(p, "path", "Print the conversation from the root to a leaf", runPath)
}

// leafCommand returns a command with one PATH argument, --leaf and --json.
func leafCommand(p *program, verb, short string, do func(p *program, cmd *cobra.Command, s *store.Session, leaf session.Pos) error) *cobra.Command {
	var leaf string
	cmd := &cobra.Command{Use: verb + " PATH", Short: short, Args: sessionPathArgs(1, 1)}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := p.openSession(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		at := session.NoPos
		s.ReadTree(func(t *session.Tree, _ store.Revision) { at, err = parseLeaf(t, leaf, cmd.Flags().Changed("leaf")) })
		if err != nil {
			return err
		}
		return do(p, cmd, s, at)
	}
	cmd.Flags().BoolVar(&p.json, "json", false, "print JSON")
	cmd.Flags().StringVar(&leaf, "leaf", "", "the leaf: an `ID`, or none for before the first entry")
	return cmd
}

// pathJSON is the output of path --json.
type pathJSON struct {
	Schema int      `json:"schema"`
	Leaf   *string  `json:"leaf"`
	IDs    []string `json:"ids"`
}

func runPath(p *program, cmd *cobra.Command, s *store.Session, leaf session.Pos) error {
	var ps []session.Pos
	var answer pathJSON
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		ps = t.Path(leaf)
		answer = pathJSON{1, idOrNull(t, leaf), entryIDs(t, ps)}
	})
	if p.json {
		return p.printJSON(answer)
	}
	return printConversation(cmd.Context(), p, s, ps)
}

// bodyPageSize is the number of entries read from disk at a time.
const bodyPageSize = 200

// printConversation prints entries as a conversation.
func printConversation(ctx context.Context, p *program, s *store.Session, ps []session.Pos) error {
	out := terminal.NewColorWriter(p.out)
	for len(ps) > 0 {
		page := ps[:min(bodyPageSize, len(ps))]
		ps = ps[len(page):]
		bodies, err := s.ReadBodies(ctx, page)
		if err != nil {
			return err
		}
		s.ReadTree(func(t *session.Tree, _ store.Revision) {
			for i, at := range page {
				terminal.WriteEntry(out, t, at, bodies[i])
			}
		})
	}
	return out.Flush()
}
