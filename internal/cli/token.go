package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/serve"
	"sessiontree/internal/cli/statedir"
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
		token, err := readOrReplaceToken(p.state, fresh)
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
		s, ok, err := serve.FindRunning(cmd.Context(), p.state)
		if err != nil || !ok || !s.NeedsToken {
			return err
		}
		fmt.Fprintln(p.err, "Open "+serve.AddToken(s.BrowserURL, token))
		return nil
	}
	cmd.Flags().BoolVar(&p.json, "json", false, "print JSON")
	cmd.Flags().BoolVar(&fresh, "new", false, "replace the token with a new one")
	return cmd
}

// readOrReplaceToken returns the current token, or with fresh a new one.
func readOrReplaceToken(state statedir.Location, fresh bool) (string, error) {
	if fresh {
		return state.ReplaceAccessToken()
	}
	return state.AccessToken()
}
