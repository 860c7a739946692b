package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/user"
	"strings"
	"unicode/utf8"

	"sessiontree/internal/cli/statedir"
	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/redact"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/web/view"
)

// program holds the state shared by all verbs.
type program struct {
	out, err io.Writer
	home     string
	state    statedir.Location
	readOnly bool
	prices   string // file with prices, "" for the embedded ones
	// summarizer is the command that writes summaries, "" for the configured one, if any.
	summarizer  string
	json        bool
	doneMessage string   // what the verb has completed, as the beginning of an error message
	args        []string // the command line
	status      int      // exit status of a verb that succeeded
	progress    terminal.ProgressLine
}

// printError prints an error on one line. It omits the kind of error if the rest of the
// message implies it.
func (p *program) printError(err error) {
	text := rowtext.OneLine(err.Error())
	for _, kind := range []error{session.ErrInvalid, session.ErrNotFound} {
		text = strings.TrimPrefix(text, kind.Error()+": ")
	}
	fmt.Fprintln(p.err, "explorer: "+text)
}

// printJSON prints one JSON document.
func (p *program) printJSON(v any) error {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	if err := out.Encode(v); err != nil {
		return err
	}
	_, err := p.out.Write(escapeControls(b.Bytes()))
	return err
}

// escapeControls escapes the control characters that the JSON encoder does not. They can
// occur only in strings.
func escapeControls(text []byte) []byte {
	if !bytes.ContainsFunc(text, terminal.IsControl) {
		return text
	}
	out := make([]byte, 0, len(text)+64)
	for _, r := range string(text) {
		if terminal.IsControl(r) {
			out = fmt.Appendf(out, "\\u%04x", r)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

// newRedactor returns a redactor that knows the user's home directory, user name and host
// name.
func (p *program) newRedactor() *redact.Rules {
	o := redact.Options{Home: p.home}
	if u, err := user.Current(); err == nil {
		o.User = u.Username
	}
	if host, err := os.Hostname(); err == nil {
		o.Host = host
	}
	return redact.New(o)
}

// newExportProgress returns a function that shows the progress of an export to a file. It
// returns nil if stderr is no terminal.
func (p *program) newExportProgress(out string) func(done, total int) {
	if out == "-" {
		return nil
	}
	return p.progress.Start(p.err)
}

// newViewConfig returns the view's configuration with the titles and glyphs of the
// formats.
func newViewConfig(home string) view.Config {
	titles, glyphs := map[string]string{}, map[string]string{}
	for _, f := range format.All {
		titles[f.Name], glyphs[f.Name] = f.Title, f.Glyph
	}
	return view.Config{
		Home:        home,
		FormatTitle: func(name string) string { return titles[name] },
		FormatGlyph: func(name string) string { return glyphs[name] },
	}
}
