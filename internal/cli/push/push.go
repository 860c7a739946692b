// Package push runs explorer push: it adds this computer to a hub, and sends the sessions of
// chosen projects to it.
package push

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"sessiontree/internal/cli/statedir"
	"sessiontree/internal/heap"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/push"
	"sessiontree/internal/session/redact"
	"sessiontree/internal/session/store"
	"sessiontree/internal/session/watch"
)

// Options are the settings that users choose.
type Options struct {
	hub      string
	code     string
	name     string
	projects []string
	watch    bool
	dryRun   bool
	redact   string
	yes      bool
}

// AddFlags adds the flags that set the options.
func (o *Options) AddFlags(f *pflag.FlagSet) {
	f.StringVar(&o.hub, "hub", "", "`URL` of the hub; the one that this computer was added to is the default")
	f.StringVar(&o.code, "code", "", "add this computer to the hub with a one-time `CODE` from its page")
	f.StringVar(&o.name, "name", "", "`NAME` of this computer on the hub, its host name by default")
	f.StringArrayVar(&o.projects, "project", nil, "push the sessions that began in `PATH` or below, as the project NAME if it is NAME=PATH; repeatable")
	f.BoolVar(&o.watch, "watch", false, "keep pushing what agents write")
	f.BoolVar(&o.dryRun, "dry-run", false, "show what would be pushed and which secrets would be removed, and send nothing")
	f.StringVar(&o.redact, "redact", "all", "remove secrets and personal data: all or none")
	f.BoolVar(&o.yes, "yes", false, "with --redact none: push secrets too, without asking")
}

// CheckFlags returns an error for invalid combinations of flags.
func (o *Options) CheckFlags() error {
	switch {
	case o.redact != "all" && o.redact != "none":
		return fmt.Errorf("--redact %s: want all or none", o.redact)
	case o.redact == "none" && !o.yes && !o.dryRun:
		return errors.New("--redact none sends keys, tokens and passwords as they are: add --yes if the hub may have them")
	case o.code != "" && o.hub == "":
		return errors.New("--code needs --hub URL")
	case o.code == "" && len(o.projects) == 0:
		return errors.New("nothing is pushed without a list of projects: name them with --project PATH")
	case o.dryRun && o.watch:
		return errors.New("--dry-run and --watch cannot be combined")
	case o.name != "" && o.code == "":
		return errors.New("--name goes with --code")
	}
	if o.hub != "" {
		return push.CheckURL(o.hub)
	}
	return nil
}

// Config is what pushing needs from the rest of the program.
type Config struct {
	Home        string
	State       statedir.Location
	NewRedactor func() *redact.Rules
	PrintJSON   func(v any) error // nil prints text
	Out, Err    io.Writer
}

// Run adds this computer to a hub, pushes sessions, or both.
func Run(ctx context.Context, o *Options, c Config, dirs []string) error {
	state, err := c.State.Make()
	if err != nil {
		return err
	}
	if o.code != "" {
		if err := o.enroll(ctx, c, state); err != nil || len(o.projects) == 0 {
			return err
		}
	}
	account, err := push.LoadAccount(state)
	switch {
	case o.dryRun && errors.Is(err, push.ErrNotEnrolled):
	case err != nil:
		return err
	case o.hub != "" && strings.TrimSuffix(o.hub, "/") != strings.TrimSuffix(account.Hub, "/"):
		return fmt.Errorf("this computer was added to %s, not to %s; get a code there and add --code", account.Hub, o.hub)
	}
	p, watcher, err := o.newPusher(ctx, c, state, account, dirs)
	if err != nil {
		return err
	}
	defer watcher.Close()
	switch {
	case o.dryRun:
		return c.printPlan(ctx, p)
	case o.watch:
		heap.DropBallast()
		fmt.Fprintf(c.Err, "explorer: pushing to %s until interrupted\n", account.Hub)
		return p.Run(ctx)
	}
	report, err := p.PushAll(ctx)
	return errors.Join(c.printReport(&report), err)
}

// enroll adds this computer to the hub and prints what it may push.
func (o *Options) enroll(ctx context.Context, c Config, state string) error {
	name := o.name
	if name == "" {
		name, _ = os.Hostname() // the hub has a name for those without
	}
	account, err := push.Enroll(ctx, o.hub, o.code, name)
	if err != nil {
		return err
	}
	if err := account.Save(state); err != nil {
		return fmt.Errorf("the hub added this computer, but its token cannot be stored, so get another code: %w", err)
	}
	fmt.Fprintf(c.Err, "explorer: this computer was added to %s for %s\n", account.Hub, account.Person)
	if len(o.projects) == 0 {
		fmt.Fprintf(c.Err, "explorer: push %s with: explorer push --watch --project PATH\n", strings.Join(account.Projects, ", "))
	}
	return nil
}

// newPusher returns a pusher over the sessions in directories, of all known ones without any.
func (o *Options) newPusher(ctx context.Context, c Config, state string, account push.Account, dirs []string) (*push.Pusher, io.Closer, error) {
	projects, err := o.parseProjects()
	if err != nil {
		return nil, nil, err
	}
	cache := ""
	if len(dirs) == 0 {
		dirs, cache = format.SessionDirs(c.Home, os.Getenv), statedir.CacheDir()
	}
	lib, err := store.New(store.Config{Formats: format.All, Roots: dirs, Home: c.Home})
	if err != nil {
		return nil, nil, err
	}
	sessions := catalog.New(catalog.Config{Library: lib, CacheDir: cache})
	config := push.Config{
		Account: account, Catalog: sessions, Formats: format.All, Projects: projects, Home: c.Home, StateDir: state, Rules: "none",
		Log: slog.New(slog.NewTextHandler(c.Err, nil)),
	}
	if o.redact == "all" {
		config.Redactor, config.Rules = c.NewRedactor(), redact.Version()
		config.Classes = map[string]bool{redact.ClassKeys: true, redact.ClassPersonal: true}
	}
	p, err := push.New(config)
	if err != nil {
		return nil, nil, err
	}
	var watcher io.Closer = io.NopCloser(nil)
	if o.watch {
		if watcher, err = watch.New(ctx, watch.Config{VisitDirs: lib.Roots().VisitDirs, VisitDirsUnder: lib.Roots().VisitDirsUnder, OnChange: p.PathChanged}); err != nil {
			return nil, nil, err
		}
	}
	return p, watcher, sessions.Fill(ctx)
}

// parseProjects returns the projects of the flags.
func (o *Options) parseProjects() (projects []push.Project, err error) {
	for _, flag := range o.projects {
		name, path, named := strings.Cut(flag, "=")
		if !named {
			name, path = "", flag
		}
		dir, err := filepath.Abs(path)
		if err != nil {
			return nil, fmt.Errorf("--project %s: %w", flag, err)
		}
		if name == "" {
			name = filepath.Base(dir)
		}
		projects = append(projects, push.Project{Name: name, Dir: dir})
	}
	// A session belongs to the project of the nearest directory.
	slices.SortStableFunc(projects, func(a, b push.Project) int { return len(b.Dir) - len(a.Dir) })
	return projects, nil
}
