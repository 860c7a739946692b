package main

import (
	"github.com/spf13/cobra"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

func pathCommand(p *program) *cobra.Command {
	return p.leafCommand("path", "Print the conversation from the root to a leaf", p.runPath)
}

// leafCommand returns a command with one PATH argument, --leaf and --json.
func (p *program) leafCommand(verb, short string, do func(cmd *cobra.Command, s *store.Session, leaf session.Pos) error) *cobra.Command {
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
		return do(cmd, s, at)
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

func (p *program) runPath(cmd *cobra.Command, s *store.Session, leaf session.Pos) error {
	var ps []session.Pos
	var answer pathJSON
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		ps = t.Path(leaf)
		answer = pathJSON{1, idOrNull(t, leaf), entryIDs(t, ps)}
	})
	if p.json {
		return p.printJSON(answer)
	}
	return p.printConversation(cmd.Context(), s, ps)
}
