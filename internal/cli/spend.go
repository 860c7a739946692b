package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/statedir"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/prices"
	"sessiontree/internal/session/query"
	"sessiontree/internal/session/spend/report"
)

func spendCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{Use: "spend [FILTER...] [DIR...]", Short: "Show what requests to models cost", Long: spendHelp, Args: cobra.ArbitraryArgs}
	asCSV := cmd.Flags().Bool("csv", false, "print CSV, a row for each session")
	cmd.Flags().BoolVar(&p.json, "json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *asCSV && p.json {
			return usageError{errors.New("--csv and --json cannot be combined")}
		}
		filter, dirs, err := p.parseSpendArgs(args)
		if err != nil {
			return err
		}
		r, err := p.reportSpend(cmd, filter, dirs)
		switch {
		case err != nil:
			return err
		case p.json:
			return p.printJSON(newSpendJSON(r))
		case *asCSV:
			return r.WriteCSV(p.out)
		}
		return p.printSpend(r)
	}
	return cmd
}

const spendHelp = `Show what the requests to models cost, by project, model, session and branch. Each
request is counted once, however many forks and resumed sessions record it. Prices are
those that the agent recorded, else API prices; --prices replaces these.

  agent:FORMAT     pi, omp, claude or wave
  project:NAME     sessions of a folder
  model:NAME       requests to a model
  after:DATE       2026-10-01, 2026-10, today, yesterday, 7d
  before:DATE

Several values of one filter are alternatives.`

// parseSpendArgs separates filters from directories.
func (p *program) parseSpendArgs(args []string) (f report.Filter, dirs []string, err error) {
	var terms []string
	for _, arg := range args {
		key, value, ok := strings.Cut(arg, ":")
		switch {
		case ok && key == "model" && value != "":
			f.Models = append(f.Models, value)
		case ok && (key == "agent" || key == "project" || key == "after" || key == "before"):
			terms = append(terms, key+":"+query.Quote(strings.Trim(value, `"`)))
		default:
			dirs = append(dirs, arg)
		}
	}
	if err := p.checkDirsExist(dirs); err != nil {
		return f, nil, err
	}
	if f.Query, err = query.Parse(strings.Join(terms, " "), time.Now()); err != nil {
		return f, nil, usageError{err}
	}
	return f, dirs, nil
}

// openPrices returns the prices of --prices, else the embedded ones.
func (p *program) openPrices() (*prices.Table, error) {
	if p.prices == "" {
		return prices.Default(), nil
	}
	return prices.ReadFile(p.prices)
}

// reportSpend reads the sessions in dirs, or in all known directories, and reports what they
// cost.
func (p *program) reportSpend(cmd *cobra.Command, f report.Filter, dirs []string) (*report.Report, error) {
	table, err := p.openPrices()
	if err != nil {
		return nil, err
	}
	cacheDir := ""
	if len(dirs) == 0 {
		dirs, cacheDir = format.SessionDirs(p.home, os.Getenv), statedir.CacheDir()
	}
	lib, err := p.newLibrary(dirs...)
	if err != nil {
		return nil, err
	}
	c := catalog.New(catalog.Config{Library: lib, CacheDir: cacheDir, Prices: table})
	if err := c.Fill(cmd.Context()); err != nil {
		return nil, err
	}
	f.TitleOfFormat = newViewConfig(p.home).TitleOfFormat
	r := report.Build(c.Ledger(), c.Sessions(), f)
	if r.Total.Requests == 0 && !p.json {
		fmt.Fprintln(p.err, "explorer: no requests")
	}
	return r, nil
}
