package cli

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/keep"
	"sessiontree/internal/session/roots"
)

func keepCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "keep", Short: "Keep copies of sessions, because agents delete and rewrite their files", Args: cobra.NoArgs,
		Long: "Keep compressed copies of all sessions, with their sub-agents and images, in the state directory. While they are on,\n" +
			"explorer serve copies new lines within two seconds. A file that an agent rewrites gets a second copy; the first one stays.",
	}
	cmd.RunE = func(*cobra.Command, []string) error {
		return usageError{errors.New("keep needs one of on, off, status, now, pause, resume, restore, purge")}
	}
	cmd.AddCommand(keepOnCommand(p), keepSwitchCommand(p, "off", "Keep no more copies; those that exist stay", "Copies are off. Those that exist stay; explorer keep purge --all deletes them.", func(k *keep.Keeper) error { return k.SetOn(false) }),
		keepSwitchCommand(p, "pause", "Copy nothing until keep resume", "Copies are paused.", func(k *keep.Keeper) error { return k.SetPaused(true) }),
		keepSwitchCommand(p, "resume", "End a pause", "Copies continue.", func(k *keep.Keeper) error { return k.SetPaused(false) }),
		keepStatusCommand(p), keepNowCommand(p), keepRestoreCommand(p), keepPurgeCommand(p))
	return cmd
}

// newKeeper returns the keeper of directories, of all known ones without any.
func (p *program) newKeeper(dirs []string) (*keep.Keeper, error) {
	if err := p.checkDirsExist(dirs); err != nil {
		return nil, err
	}
	state, err := p.state.Make()
	if err != nil {
		return nil, err
	}
	if len(dirs) == 0 {
		dirs = format.SessionDirs(p.home, os.Getenv)
	}
	set, err := roots.New(dirs, false, nil)
	if err != nil {
		return nil, err
	}
	return keep.New(keep.Config{StateDir: state, Roots: set, Formats: format.All}), nil
}

func keepOnCommand(p *program) *cobra.Command {
	var limit sizeFlag
	cmd := &cobra.Command{Use: "on", Short: "Keep copies from now on", Args: cobra.NoArgs}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		k, err := p.newKeeper(nil)
		if err != nil {
			return err
		}
		if cmd.Flags().Changed("limit") {
			if err := k.SetQuota(int64(limit)); err != nil {
				return err
			}
		}
		if err := k.SetOn(true); err != nil {
			return err
		}
		s, err := k.Settings()
		if err != nil {
			return err
		}
		fmt.Fprintf(p.out, "Copies are on, up to %s. explorer serve copies new lines while it is running; explorer keep now copies once.\n", terminal.FormatSize(s.Limit()))
		return nil
	}
	cmd.Flags().Var(&limit, "limit", "let copies take up to `SIZE`, like 500M or 20G (default 10G)")
	return cmd
}

// keepSwitchCommand returns a command that changes a setting.
func keepSwitchCommand(p *program, use, short, done string, change func(*keep.Keeper) error) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: cobra.NoArgs}
	cmd.RunE = func(*cobra.Command, []string) error {
		k, err := p.newKeeper(nil)
		if err == nil {
			err = change(k)
		}
		if err != nil {
			return err
		}
		fmt.Fprintln(p.out, done)
		return nil
	}
	return cmd
}

func keepNowCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{Use: "now [DIR...]", Short: "Copy what is new once, also while copies are off", Args: cobra.ArbitraryArgs}
	cmd.RunE = func(cmd *cobra.Command, dirs []string) error {
		k, err := p.newKeeper(dirs)
		if err != nil {
			return err
		}
		if err := k.KeepAll(cmd.Context()); err != nil {
			return err
		}
		s, err := k.State(cmd.Context())
		if err != nil {
			return err
		}
		fmt.Fprintf(p.out, "%s copied, %s in %s.\n", countSessions(s.Sessions), terminal.FormatSize(s.OriginalBytes), terminal.FormatSize(s.Stored))
		return nil
	}
	return cmd
}

// countSessions returns a number of sessions in words.
func countSessions(n int) string {
	if n == 1 {
		return "1 session"
	}
	return strconv.Itoa(n) + " sessions"
}

// sizeFlag is a number of bytes like "500M" or "20G", in powers of 1000 as disks are sold.
type sizeFlag int64

var decimalUnits = map[byte]float64{'K': 1e3, 'M': 1e6, 'G': 1e9, 'T': 1e12}

// Set implements pflag.Value.
func (f *sizeFlag) Set(s string) error {
	number := strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(s)), "B")
	unit := 1.0
	if n := len(number); n > 0 && decimalUnits[number[n-1]] != 0 {
		unit, number = decimalUnits[number[n-1]], number[:n-1]
	}
	v, err := strconv.ParseFloat(number, 64)
	if v *= unit; err != nil || !(v >= 1e6 && v <= 1e15) { // also false for NaN
		return errors.New("want a size of at least 1M, like 500M or 20G")
	}
	*f = sizeFlag(v)
	return nil
}

// String implements pflag.Value.
func (f *sizeFlag) String() string {
	if *f == 0 {
		return ""
	}
	return terminal.FormatSize(int64(*f))
}

// Type implements pflag.Value.
func (f *sizeFlag) Type() string { return "SIZE" }
