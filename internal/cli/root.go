// Package cli implements the command line: a file per verb, and what verbs share.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/statedir"
	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session/safefile"
)

// Exit statuses.
const (
	statusDone   = 0
	statusFailed = 1
	statusUsage  = 2
	statusNotes  = 3 // check: files were read and have notes

	statusInterrupted = 130 // as in shells, for SIGINT
)

// Main runs the command line of the process and returns its exit status.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal terminates the program
	status := runCommandLine(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	return status
}

// runCommandLine runs one command line and returns its exit status.
func runCommandLine(ctx context.Context, args []string, out, err io.Writer) int {
	home, _ := os.UserHomeDir() // without one, paths are not shortened
	stdout, stderr := terminal.NewSanitizingWriter(out), terminal.NewSanitizingWriter(err)
	defer stdout.Close()
	defer stderr.Close()
	p := &program{out: stdout, err: stderr, home: home, args: args, state: statedir.Location{Home: home, Warnings: stderr}}
	cmd := rootCommand(p)
	cmd.SetArgs(args)
	e := cmd.ExecuteContext(ctx)
	p.progress.Clear()
	switch {
	case e == nil:
		return p.status
	case errors.Is(e, context.Canceled) && ctx.Err() != nil:
		p.printError(errors.New("interrupted"))
		return statusInterrupted
	case p.doneMessage != "" && !errors.Is(e, safefile.ErrUnconfirmed):
		e = fmt.Errorf("%s, but the result cannot be printed: %w", p.doneMessage, e)
	}
	p.printError(e)
	return exitStatus(e)
}

func rootCommand(p *program) *cobra.Command {
	root := serveCommand(p)
	root.Use, root.Short, root.Version = "explorer [serve] [DIR...]", "Show the session trees of coding agents", buildVersion()
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetOut(p.out)
	root.SetErr(p.err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{p.hintAtDashes(err)} })
	flags := root.PersistentFlags()
	flags.StringVar(&p.state.Path, "state", "", "store the explorer's own data in `DIR`")
	flags.BoolVar(&p.readOnly, "read-only", false, "never write to session files")
	flags.StringVar(&p.prices, "prices", "", "price requests with the table in `FILE` instead of the embedded one")
	flags.StringVar(&p.summarizer, "summarizer", "", "write summaries with `CMD`: a program and its arguments that reads a conversation and prints its summary")
	root.AddCommand(serveCommand(p), listCommand(p), searchCommand(p), spendCommand(p), treeCommand(p), pathCommand(p), contextCommand(p), checkCommand(p),
		labelCommand(p), renameCommand(p), branchCommand(p), popCommand(p), switchCommand(p), forkCommand(p), migrateCommand(p),
		cherryPickCommand(p), mergeCommand(p), branchesCommand(p), compareCommand(p), blameCommand(p), repairCommand(p), exportCommand(p),
		shareCommand(p), sharesCommand(p), revokeCommand(p), keepCommand(p), pushCommand(p), hubCommand(p), tokenCommand(p), licensesCommand(p))
	return root
}

// usageError is an error in the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// hintAtDashes adds to a flag error how to pass a file whose name begins with a dash.
func (p *program) hintAtDashes(err error) error {
	for _, arg := range p.args {
		if arg == "--" {
			break
		}
		if strings.HasPrefix(arg, "-") && (strings.HasSuffix(arg, ".jsonl") || pathExists(arg)) {
			return fmt.Errorf("%w; to name the file, put -- before it: -- %s", err, arg)
		}
	}
	return err
}

// sessionPathArgs accepts one PATH argument or more, up to most.
func sessionPathArgs(most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return usageError{fmt.Errorf("%s needs a session file", cmd.Name())}
		case len(args) > most:
			return usageError{fmt.Errorf("%s takes one session file, not %d", cmd.Name(), len(args))}
		}
		return nil
	}
}

func exitStatus(err error) int {
	var usage usageError
	if errors.As(err, &usage) {
		return statusUsage
	}
	return statusFailed
}

// buildVersion returns the module's version, or the commit of the build.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "devel " + s.Value[:min(12, len(s.Value))]
		}
	}
	return "devel"
}
