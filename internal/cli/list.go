package cli

import (
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/rowtext"
)

// listJSON is the output of list --json.
type listJSON struct {
	Schema     int              `json:"schema"`
	Sessions   []summaryJSON    `json:"sessions"`
	Unreadable []unreadableJSON `json:"unreadable"`
}

type summaryJSON struct {
	Key          string  `json:"key"`
	Format       string  `json:"format"`
	Path         string  `json:"path"`
	ID           string  `json:"id"`
	Cwd          string  `json:"cwd"`
	Name         *string `json:"name"`
	FirstMessage string  `json:"firstMessage"`
	Messages     int     `json:"messages"`
	Entries      int     `json:"entries"`
	Branches     int     `json:"branches"`
	Labels       int     `json:"labels"`
	Leaf         *string `json:"leaf"`
	Created      string  `json:"created"`
	Modified     string  `json:"modified"`
	Model        *string `json:"model"`
	Cost         float64 `json:"cost"`
	Agents       int     `json:"agents"` // sub-agents; they are not branches
	Damage       string  `json:"damage,omitempty"`
	Kept         bool    `json:"kept,omitempty"` // the file was deleted; a copy is read
}

type unreadableJSON struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

func listCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{Use: "list [DIR...]", Short: "List sessions, newest first", Args: cobra.ArbitraryArgs}
	cmd.RunE = func(cmd *cobra.Command, dirs []string) error {
		if err := p.checkDirsExist(dirs); err != nil {
			return err
		}
		if len(dirs) == 0 {
			dirs = format.SessionDirs(p.home, os.Getenv)
		}
		lib, err := p.newLibrary(dirs...)
		if err != nil {
			return err
		}
		table, err := p.openPrices()
		if err != nil {
			return err
		}
		c := catalog.New(catalog.Config{Library: lib, Prices: table})
		if err := c.Fill(cmd.Context()); err != nil {
			return err
		}
		if len(c.Sessions()) == 0 {
			fmt.Fprintln(p.err, "explorer: no sessions in "+terminal.CleanLine(strings.Join(dirs, ", ")))
		}
		return printSessions(p, c)
	}
	cmd.Flags().BoolVar(&p.json, "json", false, "print JSON")
	return cmd
}

func printSessions(p *program, c *catalog.Catalog) error {
	answer := listJSON{Schema: 1, Sessions: []summaryJSON{}, Unreadable: []unreadableJSON{}}
	for _, s := range c.Sessions() {
		answer.Sessions = append(answer.Sessions, summaryJSON{Key: s.Key, Format: s.Format, Path: s.Path, ID: s.ID, Cwd: s.Cwd,
			Name: stringOrNull(s.Name), FirstMessage: s.FirstMessage, Messages: s.Messages, Entries: s.Entries, Branches: s.Branches, Agents: s.Agents,
			Labels: s.Labels, Leaf: stringOrNull(s.Leaf), Created: formatTimestamp(s.Created), Modified: formatTimestamp(s.Modified), Model: stringOrNull(s.Model), Cost: s.Cost, Damage: s.Damage, Kept: s.Deleted})
	}
	for _, u := range c.Unreadable() {
		answer.Unreadable = append(answer.Unreadable, unreadableJSON{u.Path, u.Reason})
	}
	if p.json {
		return p.printJSON(answer)
	}
	return printSessionTable(p, answer)
}

func formatTimestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }

func printSessionTable(p *program, l listJSON) error {
	out := tabwriter.NewWriter(p.out, 0, 8, 2, ' ', 0)
	for _, s := range l.Sessions {
		title := s.FirstMessage
		if s.Name != nil {
			title = *s.Name
		}
		when, _ := time.Parse(time.RFC3339, s.Modified)
		branches := ""
		if s.Branches > 0 {
			branches = terminal.Pluralize(int32(s.Branches), "branch", "branches")
		}
		if s.Agents > 0 {
			branches = strings.TrimPrefix(branches+", "+terminal.Pluralize(int32(s.Agents), "sub-agent", "sub-agents"), ", ")
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\n", when.Local().Format("2006-01-02 15:04"), s.Format,
			terminal.Pluralize(int32(s.Messages), "message", "messages"), branches, terminal.CleanLine(rowtext.Cut(title, 59)), terminal.CleanLine(s.Path)+map[bool]string{true: " (file deleted)"}[s.Kept])
	}
	if err := out.Flush(); err != nil {
		return err
	}
	for _, s := range l.Sessions {
		if s.Damage != "" {
			fmt.Fprintf(p.err, "explorer: %s: %s\n", terminal.CleanLine(s.Path), rowtext.OneLine(terminal.CleanLine(s.Damage)))
		}
	}
	for _, u := range l.Unreadable {
		fmt.Fprintf(p.err, "explorer: %s: %s\n", terminal.CleanLine(u.Path), rowtext.OneLine(u.Reason))
	}
	return nil
}
