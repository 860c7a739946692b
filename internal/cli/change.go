package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session"
	"sessiontree/internal/session/edit"
	"sessiontree/internal/session/hook"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/session/store"
)

// changeFlags holds the flags shared by the verbs that change a session.
type changeFlags struct {
	dryRun bool
}

func (f *changeFlags) addChangeFlags(p *program, cmd *cobra.Command) {
	cmd.Flags().BoolVar(&p.json, "json", false, "print JSON")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "print what would be written, and write nothing")
}

// changeArgs accepts PATH and further arguments, between least and most in all. what
// names the arguments after PATH for the error message.
func changeArgs(least, most int, what ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usageError{fmt.Errorf("%s needs %s", cmd.Name(), append([]string{"a session file"}, what...)[len(args)])}
		case len(args) > most:
			return usageError{fmt.Errorf("%s takes %d arguments, not %d: quote arguments that contain spaces", cmd.Name(), most, len(args))}
		}
		return nil
	}
}

// newHookRunner returns a runner for the hooks and the summarizer. The summarizer is the
// command of --summarizer, otherwise the file "summarizer" next to the directory of
// hooks.
func (p *program) newHookRunner() (*hook.Runner, error) {
	r := &hook.Runner{}
	if dir := p.configDir(); dir != "" {
		r.Dir = filepath.Join(dir, "hooks")
		if path := filepath.Join(dir, "summarizer"); pathExists(path) {
			r.Summarizer = []string{path}
		}
	}
	if p.summarizer == "" {
		return r, nil
	}
	argv, err := hook.ParseCommand(p.summarizer)
	if err != nil {
		return nil, usageError{fmt.Errorf("--summarizer: %w", err)}
	}
	r.Summarizer = argv
	return r, nil
}

func pathExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// configDir returns the directory of the user's settings, "" if there is none.
func (p *program) configDir() string {
	switch dir := os.Getenv("XDG_CONFIG_HOME"); {
	case filepath.IsAbs(dir):
		return filepath.Join(dir, "session-explorer")
	case p.home == "":
		return ""
	}
	return filepath.Join(p.home, ".config", "session-explorer")
}

// hookProgress returns a function that prints the progress of a program to a terminal.
func (p *program) hookProgress() func(string) {
	if _, ok := terminal.FindTerminal(p.err); !ok {
		return nil
	}
	return func(text string) { fmt.Fprintln(p.err, rowtext.OneLine(text)) }
}

// changeJSON is the output of the verbs that append to a session.
type changeJSON struct {
	Schema   int         `json:"schema"`
	Session  sessionJSON `json:"session"`
	Written  []string    `json:"written"`
	Append   []string    `json:"append,omitempty"` // with --dry-run
	Head     string      `json:"head,omitempty"`   // replacement for the first line
	File     string      `json:"file"`
	Warnings []string    `json:"warnings,omitempty"`
}

// runChange applies a change, or with --dry-run prints the lines that it would append.
func (p *program) runChange(ctx context.Context, s *store.Session, dry bool, c session.Change, do func() (edit.Result, error)) error {
	if !dry {
		r, err := do()
		if err == nil {
			p.doneMessage = "The change was written"
		}
		return p.printChange(s, r, err)
	}
	lines, err := s.PreviewChange(ctx, c)
	if err == nil {
		err = s.CheckChange(c)
	}
	if err != nil {
		return err
	}
	if p.json {
		return p.printJSON(changeJSON{Schema: 1, Session: readSessionJSON(s), Written: []string{}, Append: appendedTexts(lines), Head: replacedHeadText(lines), File: s.Path()})
	}
	if len(lines) == 0 {
		_, err := fmt.Fprintln(p.out, "Would be stored in the state directory, because the session file cannot hold it.")
		return err
	}
	return p.printLines(lines, "")
}

// printChange prints what was written.
func (p *program) printChange(s *store.Session, r edit.Result, err error) error {
	if err != nil {
		return err
	}
	if p.json {
		return p.printJSON(changeJSON{Schema: 1, Session: readSessionJSON(s), Written: appendedTexts(r.Lines), Head: replacedHeadText(r.Lines), File: r.File, Warnings: r.Warnings})
	}
	p.printWarnings(r.Warnings)
	if r.InSidecar {
		_, err := fmt.Fprintf(p.out, "Stored in %s, because the session file cannot hold it.\n", terminal.CleanLine(r.File))
		return err
	}
	return p.printLines(r.Lines, s.Path())
}

// printLines prints the lines appended to file, or with an empty file the lines that
// would be.
func (p *program) printLines(lines []session.Line, file string) error {
	added, first := appendedTexts(lines), replacedHeadText(lines)
	title, replaced := "Would append "+terminal.Pluralize(int32(len(added)), "line", "lines")+":", "Would replace the first line with:"
	switch {
	case file != "" && len(added) == 0:
		title = "Nothing to write."
	case file != "":
		title, replaced = "Appended to "+file+":", "Replaced its first line with:"
	}
	out := append([]string{title}, added...)
	if first != "" {
		out = append(out, replaced, first)
	}
	for _, text := range out {
		if _, err := fmt.Fprintln(p.out, terminal.CleanLine(text)); err != nil {
			return err
		}
	}
	return nil
}

// printWarnings prints a warning for each program that failed after the change was made.
func (p *program) printWarnings(warnings []string) {
	for _, w := range warnings {
		fmt.Fprintln(p.err, "explorer: "+rowtext.OneLine(w))
	}
}

// appendedTexts returns the lines that are appended.
func appendedTexts(lines []session.Line) []string {
	list := make([]string, 0, len(lines))
	for _, l := range lines {
		if !l.ReplacesSlot {
			list = append(list, string(l.Text))
		}
	}
	return list
}

// replacedHeadText returns the line that replaces the first one, "" if there is none.
func replacedHeadText(lines []session.Line) string {
	for _, l := range lines {
		if l.ReplacesSlot {
			return string(l.Text)
		}
	}
	return ""
}

func readSessionJSON(s *store.Session) (d sessionJSON) {
	s.ReadTree(func(t *session.Tree, _ store.Revision) { d = newSessionJSON(s, t) })
	return d
}
