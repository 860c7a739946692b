package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/hub"
	"sessiontree/internal/cli/push"
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

func pushCommand(p *program) *cobra.Command {
	o := &push.Options{}
	cmd := &cobra.Command{
		Use: "push [DIR...]", Short: "Send the sessions of chosen projects to a hub", Args: cobra.ArbitraryArgs,
		Long: "Send the sessions of chosen projects to a hub of a team, without the keys, tokens and personal data in them. A page of\n" +
			"the hub gives the code that adds this computer. explorer serve sends nothing anywhere.",
	}
	cmd.RunE = func(cmd *cobra.Command, dirs []string) error {
		if err := errors.Join(o.CheckFlags(), p.checkDirsExist(dirs)); err != nil {
			return usageError{err}
		}
		c := push.Config{Home: p.home, State: p.state, NewRedactor: p.newRedactor, Out: p.out, Err: p.err}
		if p.json {
			c.PrintJSON = p.printJSON
		}
		return push.Run(cmd.Context(), o, c, dirs)
	}
	o.AddFlags(cmd.Flags())
	cmd.Flags().BoolVar(&p.json, "json", false, "print JSON")
	return cmd
}

func hubCommand(p *program) *cobra.Command {
	o := hub.NewOptions()
	config := func() (c hub.Config, err error) {
		c = hub.Config{View: newViewConfig(""), Out: p.out, Err: p.err}
		c.View.Prices, err = p.openPrices()
		return c, err
	}
	cmd := &cobra.Command{Use: "hub", Short: "Serve the sessions that the devices of a team push", Args: cobra.NoArgs}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := o.CheckFlags(); err != nil {
			return usageError{err}
		}
		c, err := config()
		if err != nil {
			return err
		}
		return hub.Run(cmd.Context(), o, c)
	}
	o.AddFlags(cmd.Flags())
	role := ""
	invite := &cobra.Command{Use: "invite NAME", Short: "Print a link that signs a new person in to the hub, once", Args: cobra.ExactArgs(1)}
	invite.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := config()
		if err != nil {
			return err
		}
		return hub.Invite(cmd.Context(), o, c, args[0], role)
	}
	o.AddStoreFlags(invite.Flags())
	invite.Flags().StringVar(&role, "role", "member", "what the person may do: reader, member or admin")
	cmd.AddCommand(invite)
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
