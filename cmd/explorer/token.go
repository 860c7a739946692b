package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// tokenJSON is the output of token --json.
type tokenJSON struct {
	Schema int    `json:"schema"`
	Token  string `json:"token"`
}

func tokenCommand(p *program) *cobra.Command {
	var fresh bool
	cmd := &cobra.Command{
		Use: "token", Short: "Print the token that lets a browser in", Args: cobra.NoArgs,
		Long: "Print the token that lets a browser in. Add it once to an address: http://HOST:PORT/?token=TOKEN\n" +
			"With --new, create a new one: the old token and the cookies of all browsers stop working once\nexplorer serve is restarted.",
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		token, err := p.readOrReplaceToken(fresh)
		if err != nil {
			return err
		}
		if fresh {
			fmt.Fprintln(p.err, "Restart explorer serve: a running one keeps the old token until it exits.")
		}
		if p.json {
			return p.printJSON(tokenJSON{1, token})
		}
		if _, err = fmt.Fprintln(p.out, token); err != nil || fresh {
			return err
		}
		s, ok, err := p.findRunningServer(cmd.Context())
		if err != nil || !ok || !s.NeedsToken {
			return err
		}
		fmt.Fprintln(p.err, "Open "+addQuery(s.BrowserURL, true, tokenQuery(token)))
		return nil
	}
	cmd.Flags().BoolVar(&p.json, "json", false, "print JSON")
	cmd.Flags().BoolVar(&fresh, "new", false, "replace the token with a new one")
	return cmd
}

// readOrReplaceToken returns the current token, or with fresh a new one.
func (p *program) readOrReplaceToken(fresh bool) (string, error) {
	if fresh {
		return p.replaceAccessToken()
	}
	return p.accessToken()
}
