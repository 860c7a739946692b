package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// migrateJSON is the output of migrate --json.
type migrateJSON struct {
	Schema    int      `json:"schema"`
	File      string   `json:"file"`
	Backup    *string  `json:"backup"`
	From      int      `json:"from"`
	To        int      `json:"to,omitempty"` // absent with --dry-run on an old version
	Unmatched []string `json:"unmatched,omitempty"`
}

func migrateCommand(p *program) *cobra.Command {
	dry := false
	cmd := &cobra.Command{Use: "migrate PATH", Short: "Rewrite an old-version file in the current version and keep the original next to it", Args: changeArgs(1, 1)}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, err := p.openSession(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		if dry {
			return previewMigration(p, s)
		}
		m, err := s.Migrate(cmd.Context())
		if m.File == "" || err != nil && m.Backup == "" {
			return err
		}
		p.doneMessage = "The file was migrated"
		return errors.Join(printMigration(p, m), err)
	}
	cmd.Flags().BoolVar(&p.json, "json", false, "print JSON")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "print whether it would be rewritten, and write nothing")
	return cmd
}

// previewMigration prints whether migrate would rewrite a file. It returns the reason if
// it cannot.
func previewMigration(p *program, s *store.Session) (err error) {
	var h session.Header
	s.ReadTree(func(t *session.Tree, _ store.Revision) { h = t.Header() })
	m := store.Migrated{File: s.Path(), FromVersion: h.Version, ToVersion: h.Version}
	if !h.Migrated && !h.IsNewerVersion {
		return printMigration(p, m)
	}
	if a := s.Capabilities().Migrate; !a.IsPossible() {
		return errors.New(a.Reason)
	}
	if p.json {
		return p.printJSON(migrateJSON{Schema: 1, File: m.File, From: m.FromVersion})
	}
	_, err = fmt.Fprintf(p.out, "Would rewrite %s (version %d) and keep the original next to it.\n", terminal.CleanLine(m.File), m.FromVersion)
	return err
}

func printMigration(p *program, m store.Migrated) error {
	if p.json {
		return p.printJSON(migrateJSON{1, m.File, stringOrNull(m.Backup), m.FromVersion, m.ToVersion, m.Unmatched})
	}
	for _, label := range m.Unmatched {
		p.printWarnings([]string{fmt.Sprintf("the label %q stays in the state directory: its entry was not found", label)})
	}
	text := fmt.Sprintf("Migrated from version %d to %d. Original: %s\n", m.FromVersion, m.ToVersion, terminal.CleanLine(m.Backup))
	if m.Backup == "" {
		text = fmt.Sprintf("The file is already in version %d.\n", m.ToVersion)
	}
	_, err := fmt.Fprint(p.out, text)
	return err
}
