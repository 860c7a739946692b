package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"sessiontree/internal/session/store"
)

// migrateJSON is what migrate --json prints.
type migrateJSON struct {
	Schema    int      `json:"schema"`
	File      string   `json:"file"`
	Backup    *string  `json:"backup"`
	From      int      `json:"from"`
	To        int      `json:"to"`
	Unmatched []string `json:"unmatched,omitempty"`
}

func migrateCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{Use: "migrate PATH", Short: "Rewrite a file of an old version in the current one and keep the old one beside it", Args: words(1, 1)}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := p.open(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		m, err := s.Migrate(cmd.Context())
		if err != nil {
			return err
		}
		return p.migrated(m)
	}
	cmd.Flags().BoolVar(&p.json, "json", false, "print JSON")
	return cmd
}

func (p *program) migrated(m store.Migrated) error {
	if p.json {
		return p.printJSON(migrateJSON{1, m.File, orNull(m.Backup), m.From, m.To, m.Unmatched})
	}
	for _, id := range m.Unmatched {
		p.warn([]string{"the label of " + id + " stays aside: its entry was not found"})
	}
	text := fmt.Sprintf("Migrated from version %d to %d. The file as it was: %s\n", m.From, m.To, m.Backup)
	if m.Backup == "" {
		text = fmt.Sprintf("The file is in version %d already.\n", m.To)
	}
	_, err := fmt.Fprint(p.out, text)
	return err
}
