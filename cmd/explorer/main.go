// Explorer shows the session files of coding agents as the trees they are: in
// the browser, and verb by verb in a terminal.
package main

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

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// Exit statuses.
const (
	statusDone   = 0
	statusFailed = 1
	statusUsage  = 2
	statusNotes  = 3 // check: read, with notes

	statusInterrupted = 130 // as shells say it of SIGINT
)

// program is what every verb shares.
type program struct {
	out, err io.Writer
	home     string
	state    string // directory for what the explorer itself keeps, "" = the usual one
	readOnly bool
	// summarizer is the command line of the program that writes summaries, "" = the
	// one that is set, if any.
	summarizer  string
	json        bool
	doneMessage string   // what the verb has done for good, in a sentence's beginning
	args        []string // the command line
	status      int      // what a verb that did its work wants to exit with
	progress    progressLine
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends it at once
	status := runCommandLine(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// runCommandLine executes one command line and answers its exit status.
func runCommandLine(ctx context.Context, args []string, out, err io.Writer) int {
	home, _ := os.UserHomeDir() // without one, paths are not shortened
	shown, said := &sanitizingWriter{out: out}, &sanitizingWriter{out: err}
	defer shown.Close()
	defer said.Close()
	p := &program{out: shown, err: said, home: home, args: args}
	cmd := rootCommand(p)
	cmd.SetArgs(args)
	e := cmd.ExecuteContext(ctx)
	p.progress.clearLine()
	switch {
	case e == nil:
		return p.status
	case errors.Is(e, context.Canceled) && ctx.Err() != nil:
		p.printError(errors.New("interrupted"))
		return statusInterrupted
	case p.doneMessage != "" && !errors.Is(e, store.ErrUnconfirmed):
		e = fmt.Errorf("%s, but the result cannot be printed: %w", p.doneMessage, e)
	}
	p.printError(e)
	return exitStatus(e)
}

// printError says what failed, on one line, and leaves out what kind of failure it is
// when the words after it say so themselves.
func (p *program) printError(err error) {
	text := collapseSpaces(err.Error())
	for _, kind := range []error{session.ErrInvalid, session.ErrNotFound} {
		text = strings.TrimPrefix(text, kind.Error()+": ")
	}
	fmt.Fprintln(p.err, "explorer: "+text)
}

func rootCommand(p *program) *cobra.Command {
	root := serveCommand(p)
	root.Use, root.Short, root.Version = "explorer [serve] [DIR...]", "Show the session trees of coding agents", buildVersion()
	root.SetVersionTemplate("explorer {{.Version}}\n")
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetOut(p.out)
	root.SetErr(p.err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{p.hintAtDashes(err)} })
	flags := root.PersistentFlags()
	flags.StringVar(&p.state, "state", "", "store the explorer's own data in `DIR`")
	flags.BoolVar(&p.readOnly, "read-only", false, "never write to session files")
	flags.StringVar(&p.summarizer, "summarizer", "", "write summaries with `CMD`: a program and its arguments that reads a conversation and prints its summary")
	root.AddCommand(serveCommand(p), listCommand(p), treeCommand(p), pathCommand(p), contextCommand(p), checkCommand(p),
		labelCommand(p), renameCommand(p), branchCommand(p), popCommand(p), switchCommand(p), forkCommand(p), migrateCommand(p),
		cherryPickCommand(p), mergeCommand(p), branchesCommand(p), repairCommand(p), exportCommand(p),
		shareCommand(p), sharesCommand(p), revokeCommand(p), tokenCommand(p), licensesCommand(p))
	return root
}

// usageError is a command line that makes no sense.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// hintAtDashes adds to an error about flags how to name a file that looks like one.
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

// sessionPathArgs wants PATH arguments, between least and most of them.
func sessionPathArgs(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
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

// collapseSpaces keeps messages on the line they promise to be.
func collapseSpaces(s string) string { return strings.Join(strings.Fields(s), " ") }

// buildVersion is the module's version, or the commit it was built from.
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
