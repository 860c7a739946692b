package cli

import (
	"cmp"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session/share"
)

// shareListJSON is the output of shares --json.
type shareListJSON struct {
	Schema int                `json:"schema"`
	Shares []shareSummaryJSON `json:"shares"`
}

type shareSummaryJSON struct {
	ID      string  `json:"id"`
	Session string  `json:"session"`
	Entry   *string `json:"entry"`
	Title   string  `json:"title"`
	State   string  `json:"state"`
	Created string  `json:"created"`
	Expires *string `json:"expires"`
	Visits  int     `json:"visits"`
	Bytes   int64   `json:"bytes"`
	Live    bool    `json:"live"`
}

// shareStateNames are the names of the states of shares.
var shareStateNames = map[share.State]string{share.Open: "open", share.Expired: "expired", share.Revoked: "revoked", share.Lost: "lost", share.Damaged: "damaged"}

func sharesCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{Use: "shares", Short: "List shares, newest first", Args: cobra.NoArgs}
	cmd.RunE = func(*cobra.Command, []string) error {
		shares, err := p.openShares()
		if err != nil {
			return err
		}
		list := shares.List()
		if p.json {
			return p.printJSON(shareListJSON{1, newShareSummaries(list)})
		}
		return printShares(p, list)
	}
	cmd.Flags().BoolVar(&p.json, "json", false, "print JSON")
	return cmd
}

func newShareSummaries(list []share.Share) []shareSummaryJSON {
	all := []shareSummaryJSON{}
	for _, s := range list {
		all = append(all, shareSummaryJSON{
			ID: s.ID, Session: s.Source.Session, Entry: stringOrNull(s.Source.Entry), Title: s.Title, State: shareStateNames[s.StateAt(time.Now())],
			Created: *timestampOrNull(s.Created), Expires: timestampOrNull(s.Expires), Visits: s.Visits, Bytes: s.Bytes, Live: s.Live,
		})
	}
	return all
}

func printShares(p *program, list []share.Share) error {
	if len(list) == 0 {
		fmt.Fprintln(p.out, "Nothing is shared.")
		return nil
	}
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, s := range list {
		state := formatExpiry(s.Expires)
		if now := s.StateAt(time.Now()); now != share.Open {
			state = shareStateNames[now]
		}
		if s.Damage != "" {
			state += " (" + s.Damage + ")"
		}
		if s.Live {
			state += ", live"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", s.ID, cmp.Or(terminal.CleanLine(s.Title), "?"), terminal.Pluralize(int32(s.Entries), "entry", "entries"), state, terminal.Pluralize(int32(s.Visits), "visit", "visits"))
	}
	return w.Flush()
}

func revokeCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{Use: "revoke ID", Short: "End a share: its link stops working and its copy is deleted"}
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usageError{errors.New("revoke needs the id of one share; explorer shares lists them")}
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		shares, err := p.openShares()
		if err != nil {
			return err
		}
		if err := shares.Revoke(cmd.Context(), args[0]); err != nil {
			return err
		}
		fmt.Fprintf(p.out, "Revoked %s: the link no longer works and the copy was deleted.\n", args[0])
		return nil
	}
	return cmd
}
