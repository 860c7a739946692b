package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
)

func exportCommand(p *program) *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use: "export PATH", Short: "Export a session, or part of it, to a file", Args: sessionPathArgs(1),
		Long: "Export a session, or part of it, to a file: a session file that the same agent opens, Markdown to paste, or one web page that needs no server.\n" +
			"Markdown omits thinking and shortens long tool output; the other two contain everything.\n" +
			"PATH may be such a page: --as jsonl extracts the session file it contains, byte for byte.\n" +
			"Keys, home directories, user and host names and mail addresses are replaced unless --redact says otherwise.",
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		collectLess()
		o, err := f.exportOptions(p)
		if err != nil {
			return err
		}
		if isHTMLFile(args[0]) && f.wantsEmbeddedFile(cmd, o) {
			return exportEmbeddedFile(cmd.Context(), p, args[0], &f)
		}
		s, done, err := openExportSource(cmd.Context(), p, args[0])
		if err != nil {
			return err
		}
		defer done()
		for _, id := range []*string{&o.Part.Entry, &o.Part.To} {
			if *id != "" {
				if *id, err = resolveEntryID(s, *id); err != nil {
					return err
				}
			}
		}
		job, err := export.Prepare(cmd.Context(), s, o)
		if err != nil {
			return err
		}
		return writeExport(cmd.Context(), p, job, &f)
	}
	flags := cmd.Flags()
	flags.BoolVar(&p.json, "json", false, "print JSON")
	f.addPartFlags(flags)
	flags.StringVar(&f.to, "to", "", "end the subtree at entry `ID` (one path, no other branches)")
	flags.StringVar(&f.without, "without", "", "leave out: output (of tools), thinking, images")
	flags.StringVar(&f.kind, "as", "", "jsonl, md or html (default: by the name of -o, else jsonl)")
	flags.StringVarP(&f.out, "output", "o", "", "write to `FILE`, which must not exist; - is standard output (default: a new file in the current directory)")
	return cmd
}

// exportJSON is what export --json prints.
type exportJSON struct {
	Schema   int            `json:"schema"`
	File     string         `json:"file"`
	Entries  int            `json:"entries"`
	Bytes    int64          `json:"bytes"`
	Redacted []export.Count `json:"redacted"`
	Omitted  string         `json:"left,omitempty"` // what the file does not contain
}

func writeExport(ctx context.Context, p *program, job *export.Job, f *exportFlags) error {
	if f.out == "-" {
		if p.json {
			return usageError{errors.New("-o - and --json cannot be used together")}
		}
		out := bufio.NewWriter(terminal.RawWriter(p.out))
		if _, err := job.Write(ctx, out); err != nil {
			return err
		}
		return out.Flush()
	}
	path := f.out
	if path == "" {
		path = job.DownloadName()
	}
	var r export.Result
	err := writeNewFile(path, func(w io.Writer) (err error) {
		r, err = job.Write(ctx, w)
		return err
	})
	if err != nil {
		return err
	}
	return printExport(p, path, r)
}

// printExport prints what was written.
func printExport(p *program, path string, r export.Result) error {
	p.doneMessage = "The file was created"
	if p.json {
		return p.printJSON(exportJSON{1, path, r.Entries, r.Bytes, r.Redacted, r.Omitted})
	}
	text := fmt.Sprintf("Created %s with %s, %d bytes.\n", terminal.CleanLine(path), terminal.Pluralize(int32(r.Entries), "entry", "entries"), r.Bytes)
	for _, c := range r.Redacted {
		text += fmt.Sprintf("  replaced: %s, %d\n", c.Kind, c.Count)
	}
	if _, err := io.WriteString(p.out, text); err != nil {
		return err
	}
	if r.Omitted != "" {
		p.printWarnings([]string{r.Omitted})
	}
	return nil
}

// writeNewFile creates a file that only its owner can read. It returns an error if the
// file exists, and removes the file if it cannot be filled.
func writeNewFile(path string, fill func(w io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s %w; name another file with -o", path, session.ErrExists)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no directory %s", path, filepath.Dir(path))
	case err != nil:
		return err
	}
	w := bufio.NewWriterSize(f, 256<<10)
	if err = fill(w); err == nil {
		err = w.Flush()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// collectLess lets the heap grow to several times the live data before the garbage
// collector runs. An export ends after seconds, and a fifth of its time was collection.
func collectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
