package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session"
	"sessiontree/internal/session/blame"
	"sessiontree/internal/session/catalog"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/session/filehistory"
	"sessiontree/internal/session/rowtext"
)

const blameHelp = `Prints for each line of a file the edit that wrote it: its session, its entry and the prompt before
it. Lines are matched by the text that tool calls recorded, never by time. Other lines were not found
in any recorded edit. Changes made by shell commands are not seen.

Without DIR, the sessions in the known places of agents are read.`

const blameNote = "Lines are matched by the text that edit calls wrote. Changes made by shell commands are not seen."

// blameJSON is the output of blame --json.
type blameJSON struct {
	Schema int              `json:"schema"`
	File   string           `json:"file"`
	Lines  []blamedLineJSON `json:"lines"`
	Edits  []blameEditJSON  `json:"edits"` // of the lines, newest first
	Note   string           `json:"note"`
	Left   int              `json:"editsNotRead"`    // or not compared
	Unread int              `json:"sessionsNotRead"` // the oldest ones of too many
	Failed int              `json:"sessionsFailed"`
}

type blamedLineJSON struct {
	Line int    `json:"line"`
	Text string `json:"text"`
	Edit *int   `json:"edit"` // index into edits; null: not found in any recorded edit
}

type blameEditJSON struct {
	Key    string   `json:"key"`
	Path   string   `json:"path"` // of the session file
	Name   string   `json:"name"`
	Format string   `json:"format"`
	Entry  string   `json:"entry"`
	Call   string   `json:"call"`
	Time   *string  `json:"time"`
	Branch *string  `json:"branch"` // title; null on the path to the leaf
	Prompt string   `json:"prompt"`
	Copies []string `json:"copies"` // keys of other sessions that record the same edit
}

func blameCommand(p *program) *cobra.Command {
	cmd := &cobra.Command{Use: "blame FILE[:LINE] [DIR...]", Short: "Show which edit of which session wrote each line of a file", Long: blameHelp}
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usageError{errors.New("blame needs a file")}
		}
		return nil
	}
	cmd.Flags().BoolVar(&p.json, "json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := p.checkDirsExist(args[1:]); err != nil {
			return err
		}
		result, err := p.blameFile(cmd.Context(), args[0], args[1:])
		if err != nil {
			return err
		}
		if p.json {
			return p.printJSON(result)
		}
		return printBlame(p, result)
	}
	return cmd
}

// blameFile finds the edits of the lines of a file, or of one line: "FILE:LINE".
func (p *program) blameFile(ctx context.Context, name string, dirs []string) (result blameJSON, err error) {
	text, err := readBlamedFile(name)
	only := 0
	if err != nil {
		file, line, _ := cutLast(name, ":")
		n, notNumber := strconv.Atoi(line)
		if notNumber != nil || file == "" {
			return result, err
		}
		if text, err = readBlamedFile(file); err != nil {
			return result, err
		}
		name, only = file, n
	}
	lines := filediff.SplitLines(text)
	if only < 0 || only > len(lines) || only == 0 && strings.HasSuffix(name, ":0") {
		return result, fmt.Errorf("%w: %s has %s", session.ErrInvalid, filepath.Base(name), terminal.Pluralize(int32(len(lines)), "line", "lines"))
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return result, fmt.Errorf("%s: %w", name, err)
	}
	history, err := p.readFileHistory(ctx, path, dirs)
	if err != nil {
		return result, err
	}
	result = blameJSON{Schema: 1, File: path, Lines: []blamedLineJSON{}, Edits: []blameEditJSON{}, Note: blameNote, Left: history.LeftOver, Unread: history.Left, Failed: history.Failed}
	owners, err := history.LineOwners(ctx, lines)
	if err != nil {
		return result, err
	}
	result.Left += owners.NotCompared
	result.addLines(lines, only, history, owners.Owners)
	return result, nil
}

// readBlamedFile returns the content of a file. An error names it.
func readBlamedFile(name string) (string, error) {
	text, err := filehistory.ReadFile(name)
	for _, kind := range []error{session.ErrNotFound, session.ErrInvalid} {
		if errors.Is(err, kind) {
			return "", fmt.Errorf("%w: %s: %s", kind, name, strings.TrimPrefix(err.Error(), kind.Error()+": "))
		}
	}
	return text, err
}

// cutLast splits a text at the last separator.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// readFileHistory reads the edits of a file. Sessions may name it by another path, with links.
func (p *program) readFileHistory(ctx context.Context, path string, dirs []string) (*filehistory.History, error) {
	lib, c, _, err := p.openCatalog(ctx, dirs)
	if err != nil {
		return nil, err
	}
	found := c.FindChangedFiles(p.home, filepath.ToSlash(path))
	if real, err := filepath.EvalSymlinks(path); len(found) == 0 && err == nil {
		found = c.FindChangedFiles(p.home, filepath.ToSlash(real))
	}
	if len(found) == 0 {
		found = []catalog.ChangedFile{{Path: path}}
	}
	r := filehistory.Reader{Library: lib, Catalog: c, Home: p.home}
	return r.Read(ctx, found[0])
}

// addLines adds the lines, or only one of them, with their edits.
func (b *blameJSON) addLines(lines []string, only int, h *filehistory.History, owners []int) {
	used := make([]int, len(h.Edits)) // 1 for those that own a line, then their number + 1
	for i, owner := range owners {
		if owner != blame.Outside && (only == 0 || only == i+1) {
			used[owner] = 1
		}
	}
	for i := range used {
		if used[i] > 0 {
			b.Edits = append(b.Edits, newBlameEdit(&h.Edits[i]))
			used[i] = len(b.Edits)
		}
	}
	for i, text := range lines {
		if only > 0 && only != i+1 {
			continue
		}
		line := blamedLineJSON{Line: i + 1, Text: text}
		if owners[i] != blame.Outside {
			n := used[owners[i]] - 1
			line.Edit = &n
		}
		b.Lines = append(b.Lines, line)
	}
}

func newBlameEdit(e *filehistory.Edit) blameEditJSON {
	j := blameEditJSON{Key: e.Session.Key, Path: e.Session.Path, Name: cmp.Or(e.Session.Name, e.Session.FirstMessage, "Untitled session"), Format: e.Session.Format,
		Entry: e.Entry, Call: e.Call, Prompt: e.Prompt, Copies: []string{}}
	if e.Time != session.NoTime {
		j.Time = stringOrNull(formatTimestamp(time.UnixMilli(e.Time)))
	}
	if e.Leaf != "" {
		j.Branch = &e.Branch
	}
	for _, c := range e.Copies {
		j.Copies = append(j.Copies, c.Session.Key)
	}
	return j
}

// printBlame prints a line for each line of the file: when and in which session it was written,
// the entry, its number and its text.
func printBlame(p *program, b blameJSON) error {
	out := tabwriter.NewWriter(p.out, 0, 4, 2, ' ', 0)
	for _, l := range b.Lines {
		if l.Edit == nil {
			fmt.Fprint(out, "not found in any recorded edit\t\t\t")
		} else {
			e, when := &b.Edits[*l.Edit], ""
			if e.Time != nil {
				if t, err := time.Parse(time.RFC3339, *e.Time); err == nil {
					when = t.Local().Format("2006-01-02 15:04")
				}
			}
			fmt.Fprintf(out, "%s\t%s\t%s\t", when, terminal.CleanLine(rowtext.Cut(rowtext.OneLine(e.Name), 30)), terminal.CleanLine(e.Entry))
		}
		fmt.Fprintf(out, "%d) %s\n", l.Line, terminal.CleanLine(strings.ReplaceAll(l.Text, "\t", "    ")))
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if b.Left > 0 {
		fmt.Fprintf(p.err, "explorer: %s not compared: there are too many\n", terminal.Pluralize(int32(b.Left), "edit was", "edits were"))
	}
	if b.Unread > 0 {
		fmt.Fprintf(p.err, "explorer: %s not read: there are too many\n", terminal.Pluralize(int32(b.Unread), "older session was", "older sessions were"))
	}
	if b.Failed > 0 {
		fmt.Fprintf(p.err, "explorer: %s could not be read\n", terminal.Pluralize(int32(b.Failed), "session", "sessions"))
	}
	fmt.Fprintln(p.err, "explorer: "+blameNote)
	return nil
}
