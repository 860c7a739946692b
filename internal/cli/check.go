package cli

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/terminal"
)

// checkJSON is the output of check --json.
type checkJSON struct {
	Schema int        `json:"schema"`
	Notes  []noteJSON `json:"notes"`
}

func checkCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{Use: "check PATH...", Short: "Check session files for problems", Args: sessionPathArgs(1, math.MaxInt)}
	cmd.Long = cmd.Short + ": bad lines, orphans, cycles, duplicate ids, a last line on an abandoned branch.\nExit status 3 if there is a problem, 1 if a file cannot be read."
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		notes := []noteJSON{}
		failed := false
		for _, path := range args {
			s, err := p.openSession(cmd.Context(), path)
			if err != nil { // the other files may be readable
				p.printError(err)
				failed = true
				continue
			}
			notes = append(notes, newNotesJSON(s)...)
		}
		err := printNotes(p, notes)
		if failed {
			p.status = statusFailed
		}
		return err
	}
	cmd.Flags().BoolVar(&p.json, "json", false, "print JSON")
	return cmd
}

func printNotes(p *program, notes []noteJSON) error {
	if len(notes) > 0 {
		p.status = statusNotes
	}
	if p.json {
		return p.printJSON(checkJSON{1, notes})
	}
	for _, n := range notes {
		if _, err := fmt.Fprintf(p.out, "%s:%d: %s: %s\n", terminal.CleanLine(n.File), n.Line, n.Code, terminal.CleanLine(n.Text)); err != nil {
			return err
		}
	}
	return nil
}
