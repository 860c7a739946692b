package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"sessiontree/internal/cli/terminal"
	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/store"
)

// openExportSource opens the session to export: that of a session file, or that embedded
// in an HTML export. done removes the temporary copy.
func openExportSource(ctx context.Context, p *program, path string) (s *store.Session, done func(), err error) {
	if !isHTMLFile(path) {
		s, err = p.openSession(ctx, path)
		return s, func() {}, err
	}
	dir, err := os.MkdirTemp("", "session-page-")
	if err != nil {
		return nil, nil, err
	}
	done = func() { _ = os.RemoveAll(dir) }
	file, err := extractSessionFile(path, func(name string) string { return filepath.Join(dir, name) })
	if err == nil {
		s, err = p.openSession(ctx, file)
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	return s, done, nil
}

// isHTMLFile reports whether a file looks like HTML.
func isHTMLFile(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, _, err := safefile.OpenRegular(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head, _ := bufio.NewReader(f).Peek(64) // opening the file later reports the error
	return export.IsHTML(head)
}

// extractSessionFile writes the session file of an HTML export to the path that where
// returns for its name. It calls where only if the content is a session file.
func extractSessionFile(page string, where func(name string) string) (path string, err error) {
	embedded, err := readHTMLFile(page)
	if err != nil {
		return "", err
	}
	path = where(embedded.Name)
	if err := writeNewFile(path, embedded.Write); err != nil {
		return "", addPathToError(page, err)
	}
	return path, nil
}

// readHTMLFile finds the session file in an HTML export and checks that its format is
// known.
func readHTMLFile(page string) (*export.EmbeddedFile, error) {
	f, _, err := safefile.OpenRegular(page)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	embedded, err := export.ReadHTML(f)
	if err != nil {
		return nil, addPathToError(page, err)
	}
	head, err := embedded.Head()
	if err != nil {
		return nil, addPathToError(page, err)
	}
	if !slices.ContainsFunc(format.All, func(f *session.Format) bool { return f.Sniff(head) }) {
		return nil, addPathToError(page, fmt.Errorf("%w: this page does not contain a session file", session.ErrNoSession))
	}
	return embedded, nil
}

// wantsEmbeddedFile reports whether the flags select the embedded session file unchanged.
// Redaction was applied when the HTML file was made.
func (f *exportFlags) wantsEmbeddedFile(cmd *cobra.Command, o export.Options) bool {
	changed := cmd.Flags().Changed
	return o.Kind == export.JSONL && !changed("entry") && !changed("scope") && !changed("without") && !changed("redact")
}

// exportEmbeddedFile writes the session file of an HTML export, byte for byte.
func exportEmbeddedFile(ctx context.Context, p *program, page string, f *exportFlags) error {
	if f.out == "-" {
		embedded, err := readHTMLFile(page)
		if err != nil {
			return err
		}
		return embedded.Write(terminal.RawWriter(p.out))
	}
	path, err := extractSessionFile(page, func(name string) string {
		if f.out != "" {
			return f.out
		}
		return name
	})
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	s, err := p.openSession(ctx, path)
	if err != nil { // it is no session, or ctx was canceled
		return errors.Join(err, os.Remove(path))
	}
	r := export.Result{Bytes: info.Size(), Redacted: []export.Count{}}
	s.ReadTree(func(t *session.Tree, _ store.Revision) { r.Entries = t.Len() })
	return printExport(p, path, r)
}
