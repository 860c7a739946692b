package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/serve"
)

func serveCommand(p *program) *cobra.Command {
	o := serve.NewOptions()
	cmd := &cobra.Command{Use: "serve [DIR...]", Short: "Show sessions in the browser", Args: cobra.ArbitraryArgs}
	cmd.RunE = func(cmd *cobra.Command, dirs []string) error {
		if err := o.CheckFlags(dirs); err != nil {
			return usageError{err}
		}
		if !cmd.HasParent() { // the verb is missing or misspelled
			if err := checkVerbOrDir(dirs); err != nil {
				return usageError{err}
			}
		}
		if err := p.checkDirsExist(dirs); err != nil {
			return err
		}
		hooks, err := p.newHookRunner()
		if err != nil {
			return err
		}
		config := newViewConfig(p.home)
		if config.Prices, err = p.openPrices(); err != nil {
			return err
		}
		return serve.Run(cmd.Context(), o, serve.Config{
			Home: p.home, ReadOnly: p.readOnly, State: p.state, Hooks: hooks, View: config, NewRedactor: p.newRedactor,
			Out: p.out, Err: p.err,
		}, dirs)
	}
	o.AddFlags(cmd.Flags())
	return cmd
}

// checkVerbOrDir returns an error if the first argument is neither a verb nor a
// directory.
func checkVerbOrDir(args []string) error {
	if len(args) == 0 || strings.ContainsRune(args[0], filepath.Separator) {
		return nil
	}
	if _, err := os.Stat(args[0]); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%q is neither a verb nor a directory here; explorer --help lists the verbs", args[0])
	}
	return nil
}
