package cli

import (
	"io"

	"github.com/spf13/cobra"

	"sessiontree/internal/licenses"
)

func licensesCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{Use: "licenses", Short: "Print the licenses of the software in this program", Args: cobra.NoArgs}
	cmd.RunE = func(*cobra.Command, []string) error {
		_, err := io.WriteString(p.out, licenses.Notice)
		return err
	}
	return cmd
}
