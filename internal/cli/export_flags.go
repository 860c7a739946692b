package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"sessiontree/internal/session/export"
	"sessiontree/internal/session/redact"
	"sessiontree/internal/web/htmlexport"
)

// exportFlags holds the flags of export.
type exportFlags struct {
	entry, to, scope, kind, redact, without, out string
	bare                                         bool
}

// addPartFlags adds the flags that select the part and the redaction.
func (f *exportFlags) addPartFlags(flags *pflag.FlagSet) {
	flags.StringVar(&f.entry, "entry", "", "the entry, by `ID` (default: the leaf)")
	flags.StringVar(&f.scope, "scope", "", "path to the entry, subtree below it, or tree (default: subtree with --entry, else tree)")
	flags.BoolVar(&f.bare, "bare", false, "leave the path to the entry out of a subtree")
	flags.StringVar(&f.redact, "redact", "keys,personal", "replace: none, keys, personal or all (keys and personal)")
}

// exportOptions returns the options that the flags select.
func (f *exportFlags) exportOptions(p *program) (o export.Options, err error) {
	if o.Part, err = f.parsePart(); err != nil {
		return o, err
	}
	if o.Kind, err = f.parseKind(); err != nil {
		return o, err
	}
	if o.Classes, err = parseRedact(f.redact); err != nil {
		return o, err
	}
	if o.Omit, err = parseWithout(f.without); err != nil {
		return o, err
	}
	o.Redactor, o.Progress = p.newRedactor(), p.newExportProgress(f.out)
	config := newViewConfig(p.home)
	if config.Prices, err = p.openPrices(); err != nil {
		return o, err
	}
	o.RenderHTML = htmlexport.NewRenderer(htmlexport.Options{View: config})
	return o, nil
}

// parsePart parses the flags that select the part of the session.
func (f *exportFlags) parsePart() (export.Part, error) {
	part := export.Part{Entry: f.entry, To: f.to, Scope: export.Scope(f.scope), Bare: f.bare}
	switch {
	case f.scope == "" && f.entry == "":
		part.Scope = export.Tree
	case f.scope == "":
		part.Scope = export.Subtree
	case !slices.Contains([]export.Scope{export.Path, export.Subtree, export.Tree}, part.Scope):
		return part, usageError{fmt.Errorf("--scope is path, subtree or tree, not %q", f.scope)}
	}
	if f.bare && part.Scope != export.Subtree {
		return part, usageError{errors.New("--bare goes with --scope subtree")}
	}
	if f.to != "" && (f.entry == "" || part.Scope != export.Subtree) {
		return part, usageError{errors.New("--to goes with --entry and --scope subtree")}
	}
	return part, nil
}

// parseKind parses --as. Without the flag, the name of the output file decides.
func (f *exportFlags) parseKind() (export.Kind, error) {
	kind := export.Kind(f.kind)
	switch {
	case f.kind == "" && filepath.Ext(f.out) == ".md":
		return export.Markdown, nil
	case f.kind == "" && slices.Contains([]string{".html", ".htm"}, filepath.Ext(f.out)):
		return export.HTML, nil
	case f.kind == "":
		return export.JSONL, nil
	case !slices.Contains([]export.Kind{export.JSONL, export.Markdown, export.HTML}, kind):
		return kind, usageError{fmt.Errorf("--as is jsonl, md or html, not %q", f.kind)}
	}
	return kind, nil
}

// parseRedact parses --redact, a list of classes of findings.
func parseRedact(text string) (map[string]bool, error) {
	classes := map[string]bool{}
	for word := range strings.SplitSeq(text, ",") {
		switch word {
		case "none":
			if text != word {
				return nil, usageError{errors.New("--redact none cannot be combined with others")}
			}
		case "all":
			for _, c := range export.Classes() {
				classes[c] = true
			}
		case redact.ClassKeys, redact.ClassPersonal:
			classes[word] = true
		default:
			return nil, usageError{fmt.Errorf("--redact is none, keys, personal or all, not %q", text)}
		}
	}
	return classes, nil
}

// parseWithout parses --without.
func parseWithout(text string) (w export.Omissions, err error) {
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
