package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session"
	"sessiontree/internal/session/edit"
	"sessiontree/internal/session/store"
)

func forkCommand(p *program) *cobra.Command {
	var f changeFlags
	var out string
	cmd := &cobra.Command{Use: "fork PATH ENTRY", Short: "Create a new session from the path to an entry", Args: changeArgs(2, 2, "an entry")}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s, entry, err := p.openEntry(cmd.Context(), args)
		if err != nil {
			return err
		}
		hooks, err := p.newHookRunner()
		if err != nil {
			return err
		}
		if f.dryRun {
			return previewFork(cmd.Context(), p, s, entry, out)
		}
		made, err := edit.Fork(cmd.Context(), s, hooks, entry, out)
		if made.Path == "" {
			return err
		}
		p.doneMessage = "The new session was created"
		return errors.Join(printForked(cmd.Context(), p, made), err)
	}
	f.addChangeFlags(p, cmd)
	cmd.Flags().StringVarP(&out, "output", "o", "", "create `FILE`, which must not exist (default: next to the source, named the way its agent names files)")
	return cmd
}

// previewFork prints what fork would create.
func previewFork(ctx context.Context, p *program, s *store.Session, entry, out string) error {
	f, err := s.PreviewFork(ctx, entry)
	if err != nil {
		return err
	}
	if out != "" {
		f.Path = out
		if pathExists(out) {
			return fmt.Errorf("%s %w", out, session.ErrExists)
		}
	}
	if p.json {
		return p.printJSON(changeJSON{Schema: 1, Session: readSessionJSON(s), Written: []string{}, File: f.Path})
	}
	_, err = fmt.Fprintf(p.out, "Would create %s with %s.\n", terminal.CleanLine(f.Path), terminal.Pluralize(int32(f.Lines), "line", "lines"))
	return err
}

func printForked(ctx context.Context, p *program, f edit.ForkResult) error {
	if !p.json {
		p.printWarnings(f.Warnings)
		_, err := fmt.Fprintf(p.out, "Created %s with %s.\n", terminal.CleanLine(f.Path), terminal.Pluralize(int32(f.Lines), "line", "lines"))
		return err
	}
	s, err := p.openSession(ctx, f.Path)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(f.Path)
	if err != nil {
		return err
	}
	answer := changeJSON{Schema: 1, Session: readSessionJSON(s), Written: []string{}, File: f.Path, Warnings: f.Warnings}
	for line := range bytes.Lines(text) {
		answer.Written = append(answer.Written, string(bytes.TrimSuffix(line, []byte("\n"))))
	}
	return p.printJSON(answer)
}
