package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/redact"
	"sessiontree/internal/web/onepage"
)

// exportFlags say what is exported and where to.
type exportFlags struct {
	entry, to, scope, as, redact, without, out string
	bare                                       bool
}

func exportCommand(p *program) *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use: "export PATH", Short: "Write a session, or a part of it, to a file for others", Args: files(1, 1),
		Long: "Write a session, or a part of it, to a file for others: a session file that the same agent opens, Markdown to paste, or one web page that needs no server.\n" +
			"Markdown leaves thinking out and shortens long output of tools; the other two hold all of it.\n" +
			"PATH may be such a page: --as jsonl turns it back into the session file that it holds, byte for byte.\n" +
			"Keys, home directories, user and host names and mail addresses are replaced unless --redact says otherwise.",
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o, err := f.options(p)
		if err != nil {
			return err
		}
		if isPage(args[0]) && f.turnsBack(cmd, o) {
			return p.turnBack(cmd.Context(), args[0], &f)
		}
		s, done, err := p.exported(cmd.Context(), args[0])
		if err != nil {
			return err
		}
		defer done()
		for _, id := range []*string{&o.Part.Entry, &o.Part.To} {
			if *id != "" {
				if *id, err = entryID(s, *id); err != nil {
					return err
				}
			}
		}
		job, err := export.Prepare(cmd.Context(), s, o)
		if err != nil {
			return err
		}
		return p.export(cmd.Context(), job, &f)
	}
	flags := cmd.Flags()
	flags.BoolVar(&p.json, "json", false, "print JSON")
	f.addPart(flags)
	flags.StringVar(&f.to, "to", "", "end a subtree at the entry `ID`: one path, no other branch")
	flags.StringVar(&f.without, "without", "", "what is left out: output (of tools), thinking, images")
	flags.StringVar(&f.as, "as", "", "jsonl, md or html (default: by the name of -o, else jsonl)")
	flags.StringVarP(&f.out, "output", "o", "", "make `FILE`, which must not exist; - writes to the terminal (default: a name of its own, here)")
	return cmd
}

// addPart adds the flags that say which part it is, and what is replaced in it.
func (f *exportFlags) addPart(flags *pflag.FlagSet) {
	flags.StringVar(&f.entry, "entry", "", "the entry it is about, by `ID` (default: the leaf)")
	flags.StringVar(&f.scope, "scope", "", "path to the entry, subtree below it, or tree (default: subtree with --entry, else tree)")
	flags.BoolVar(&f.bare, "bare", false, "leave the path to the entry out of a subtree")
	flags.StringVar(&f.redact, "redact", "keys,personal", "what is replaced: none, keys, personal or all (keys and personal)")
}

// options reads the flags.
func (f *exportFlags) options(p *program) (o export.Options, err error) {
	o.Part = export.Part{Entry: f.entry, To: f.to, Scope: export.Scope(f.scope), Bare: f.bare}
	switch {
	case f.scope == "" && f.entry == "":
		o.Part.Scope = export.Tree
	case f.scope == "":
		o.Part.Scope = export.Subtree
	case !slices.Contains([]export.Scope{export.Path, export.Subtree, export.Tree}, o.Part.Scope):
		return o, usageError{fmt.Errorf("--scope is path, subtree or tree, not %q", f.scope)}
	}
	if f.bare && o.Part.Scope != export.Subtree {
		return o, usageError{errors.New("--bare goes with --scope subtree")}
	}
	if f.to != "" && (f.entry == "" || o.Part.Scope != export.Subtree) {
		return o, usageError{errors.New("--to goes with --entry and --scope subtree")}
	}
	switch o.As = export.Kind(f.as); {
	case f.as == "" && filepath.Ext(f.out) == ".md":
		o.As = export.Markdown
	case f.as == "" && slices.Contains([]string{".html", ".htm"}, filepath.Ext(f.out)):
		o.As = export.HTML
	case f.as == "":
		o.As = export.JSONL
	case !slices.Contains([]export.Kind{export.JSONL, export.Markdown, export.HTML}, o.As):
		return o, usageError{fmt.Errorf("--as is jsonl, md or html, not %q", f.as)}
	}
	if o.Classes, err = redactFlag(f.redact); err != nil {
		return o, err
	}
	if o.Without, err = withoutFlag(f.without); err != nil {
		return o, err
	}
	o.Redactor, o.Progress = p.redactor(), p.exporting(f.out)
	o.Page = onepage.Painter(onepage.Options{View: p.viewConfig()})
	return o, nil
}

// redactFlag reads which classes of findings are replaced.
func redactFlag(text string) (map[string]bool, error) {
	classes := map[string]bool{}
	for word := range strings.SplitSeq(text, ",") {
		switch word {
		case "none":
			if text != word {
				return nil, usageError{errors.New("--redact none stands alone")}
			}
		case "all":
			for _, c := range export.Classes() {
				classes[c] = true
			}
		case redact.Keys, redact.Personal:
			classes[word] = true
		default:
			return nil, usageError{fmt.Errorf("--redact is none, keys, personal or all, not %q", text)}
		}
	}
	return classes, nil
}

// withoutFlag reads what is left out.
func withoutFlag(text string) (w export.Without, err error) {
	if text == "" {
		return w, nil
	}
	for word := range strings.SplitSeq(text, ",") {
		switch word {
		case "output":
			w.Output = true
		case "thinking":
			w.Thinking = true
		case "images":
			w.Images = true
		default:
			return w, usageError{fmt.Errorf("--without is output, thinking or images, or several of them, not %q", text)}
		}
	}
	return w, nil
}

// redactor knows what is personal about who runs the program, here.
func (p *program) redactor() *redact.Rules {
	o := redact.Options{Home: p.home}
	if u, err := user.Current(); err == nil {
		o.User = u.Username
	}
	if host, err := os.Hostname(); err == nil {
		o.Host = host
	}
	return redact.New(o)
}

// exportJSON is what export --json prints.
type exportJSON struct {
	Schema   int            `json:"schema"`
	File     string         `json:"file"`
	Entries  int            `json:"entries"`
	Bytes    int64          `json:"bytes"`
	Redacted []export.Count `json:"redacted"`
	Left     string         `json:"left,omitempty"` // what the part has that the file does not
}

func (p *program) export(ctx context.Context, job *export.Job, f *exportFlags) error {
	if f.out == "-" {
		if p.json {
			return usageError{errors.New("-o - and --json would both print: choose one")}
		}
		out := bufio.NewWriter(p.rawOut())
		if _, err := job.Write(ctx, out); err != nil {
			return err
		}
		return out.Flush()
	}
	path := f.out
	if path == "" {
		path = job.Name()
	}
	var r export.Result
	err := newFile(path, func(w io.Writer) (err error) {
		r, err = job.Write(ctx, w)
		return err
	})
	if err != nil {
		return err
	}
	return p.toldExport(path, r)
}

// toldExport says what was written.
func (p *program) toldExport(path string, r export.Result) error {
	p.written = "The file was made"
	if p.json {
		return p.printJSON(exportJSON{1, path, r.Entries, r.Bytes, r.Redacted, r.Left})
	}
	text := fmt.Sprintf("Made %s with %s, %d bytes.\n", clean(path), count(int32(r.Entries), "entry", "entries"), r.Bytes)
	for _, c := range r.Redacted {
		text += fmt.Sprintf("  replaced: %s, %d\n", c.Kind, c.Count)
	}
	if _, err := io.WriteString(p.out, text); err != nil {
		return err
	}
	if r.Left != "" {
		p.warn([]string{r.Left})
	}
	return nil
}

// newFile makes a file that was not there; when it cannot be filled, it is not
// there again. Only its owner may read it.
func newFile(path string, fill func(w io.Writer) error) error {
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
