package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session/keep"
)

// restoreRun restores copies.
type restoreRun struct {
	program *program
	keeper  *keep.Keeper
	to      string // directory for the files, "" = where they were
	all     bool
	version int // generation, 0 = the newest
	failed  []error
}

func keepRestoreCommand(p *program) *cobra.Command {
	r := restoreRun{program: p}
	cmd := &cobra.Command{
		Use: "restore PATH|SESSION...", Short: "Write copied files again, with the same bytes",
		Long: "Write copied files again, with the same bytes: of sessions, by path or id, or of all whose files were deleted.\n" +
			"Files that exist are never replaced. Times stay as well, unless an agent would delete a file because of its age. --to DIR writes elsewhere.",
	}
	cmd.Args = func(_ *cobra.Command, args []string) error { return checkSessionsOrAll("keep restore", args, r.all) }
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if r.keeper, err = p.newKeeper(nil); err != nil {
			return err
		}
		if r.all {
			return r.restoreAll(cmd.Context())
		}
		for _, name := range args {
			path, err := r.keeper.FindSession(cmd.Context(), name)
			if err != nil {
				return err
			}
			if r.version > 0 {
				err = r.restoreVersion(cmd.Context(), path)
			} else {
				err = r.restoreSession(cmd.Context(), path, false)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	cmd.Flags().StringVar(&r.to, "to", "", "write the files below `DIR` instead of where they were")
	cmd.Flags().BoolVar(&r.all, "all", false, "restore every session whose file was deleted")
	cmd.Flags().IntVar(&r.version, "generation", 0, "restore copy `N` of a file that was rewritten, from 1; alone, without other files")
	return cmd
}

// restoreVersion writes an earlier copy of one file.
func (r *restoreRun) restoreVersion(ctx context.Context, path string) error {
	to := r.target(path, path, false)
	if err := r.keeper.RestoreGeneration(ctx, path, r.version, to); err != nil {
		return err
	}
	fmt.Fprintln(r.program.out, terminal.CleanLine(to))
	return nil
}

// checkSessionsOrAll returns an error unless there are either sessions or --all.
func checkSessionsOrAll(verb string, args []string, all bool) error {
	switch {
	case len(args) == 0 && !all:
		return usageError{fmt.Errorf("%s needs sessions, or --all", verb)}
	case len(args) > 0 && all:
		return usageError{fmt.Errorf("%s takes either sessions or --all", verb)}
	}
	return nil
}

// restoreAll restores all sessions whose files do not exist. It continues after an error.
func (r *restoreRun) restoreAll(ctx context.Context) error {
	sessions, err := r.keeper.CopiedSessions(ctx)
	if err != nil {
		return err
	}
	restored := 0
	for _, s := range sessions {
		if !s.Gone {
			continue
		}
		if err := errors.Join(ctx.Err(), r.restoreSession(ctx, s.Path, true)); err != nil {
			r.failed = append(r.failed, err)
			continue
		}
		restored++
	}
	fmt.Fprintf(r.program.out, "%s restored.\n", countSessions(restored))
	return errors.Join(r.failed...)
}

// restoreSession writes the files of a session. Its own file must not exist; its other files
// are skipped if they do.
func (r *restoreRun) restoreSession(ctx context.Context, path string, nested bool) error {
	files, err := r.keeper.SessionFiles(ctx, path)
	if err != nil {
		return err
	}
	for i, f := range files {
		to := r.target(path, f.Path, nested)
		err := r.keeper.RestoreFile(ctx, f.Path, to)
		switch {
		case errors.Is(err, fs.ErrExist) && i > 0:
		case err != nil:
			return err
		case i == 0 || r.to != "" || f.Gone:
			fmt.Fprintln(r.program.out, terminal.CleanLine(to))
		}
	}
	return nil
}

// target returns where a file of a session is written: with --to, files have their places next
// to the session file, and with --all, their whole path below the directory.
func (r *restoreRun) target(session, path string, nested bool) string {
	if r.to == "" {
		return path
	}
	if !nested {
		if rel, err := filepath.Rel(filepath.Dir(session), path); err == nil && filepath.IsLocal(rel) {
			return filepath.Join(r.to, rel)
		}
		return filepath.Join(r.to, filepath.Base(filepath.Dir(path)), filepath.Base(path)) // a blob
	}
	return filepath.Join(r.to, strings.TrimPrefix(path, filepath.VolumeName(path)))
}

func keepPurgeCommand(p *program) *cobra.Command {
	var all, yes bool
	cmd := &cobra.Command{Use: "purge SESSION...", Short: "Delete copies of sessions, or with --all every copy"}
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if err := checkSessionsOrAll("keep purge", args, all); err != nil {
			return err
		}
		if !yes {
			return usageError{errors.New("keep purge deletes copies for good; confirm with --yes")}
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		k, err := p.newKeeper(nil)
		if err != nil {
			return err
		}
		if all {
			return purgeAllCopies(cmd.Context(), p, k)
		}
		for _, name := range args {
			if err := purgeCopy(cmd.Context(), p, k, name); err != nil {
				return err
			}
		}
		return nil
	}
	cmd.Flags().BoolVar(&all, "all", false, "delete every copy")
	cmd.Flags().BoolVar(&yes, "yes", false, "confirm: copies of deleted files cannot be restored any more")
	return cmd
}

func purgeAllCopies(ctx context.Context, p *program, k *keep.Keeper) error {
	sessions, freed, err := k.PurgeAll(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.out, "Deleted the copies of %s, %s.\n", countSessions(sessions), terminal.FormatSize(freed))
	return nil
}

func purgeCopy(ctx context.Context, p *program, k *keep.Keeper, name string) error {
	path, err := k.FindSession(ctx, name)
	if err != nil {
		return err
	}
	gone := k.IsGone(path)
	freed, err := k.PurgeSession(ctx, path)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.out, "Deleted the copy of %s, %s.\n", terminal.CleanLine(path), terminal.FormatSize(freed))
	settings, err := k.Settings()
	if err == nil && !gone && settings.On {
		fmt.Fprintln(p.err, "explorer: the file exists, so it is copied again while copies are on.")
	}
	return err
}
