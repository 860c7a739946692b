package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
)

// openExportSource opens what is exported: a session, or what a page of export --as html
// holds. done removes what was unpacked for it.
func (p *program) openExportSource(ctx context.Context, path string) (s *store.Session, done func(), err error) {
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

// isHTMLFile reports whether a file begins like a page.
func isHTMLFile(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, _, err := store.OpenRegular(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head, _ := bufio.NewReader(f).Peek(64) // a file that cannot be read is no page; opening it says why
	return export.IsHTML(head)
}

// extractSessionFile writes the session file of a page to what where returns for its name. What
// is no session file gets no name.
func extractSessionFile(page string, where func(name string) string) (path string, err error) {
	held, err := readHTMLFile(page)
	if err != nil {
		return "", err
	}
	path = where(held.Name)
	if err := writeNewFile(path, held.Write); err != nil {
		return "", prefixPath(page, err)
	}
	return path, nil
}

// readHTMLFile finds the session file in a page, and looks at how it begins.
func readHTMLFile(page string) (*export.EmbeddedFile, error) {
	f, _, err := store.OpenRegular(page)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	held, err := export.ReadHTML(f)
	if err != nil {
		return nil, prefixPath(page, err)
	}
	head, err := held.Head()
	if err != nil {
		return nil, prefixPath(page, err)
	}
	if !slices.ContainsFunc(format.All, func(f *session.Format) bool { return f.Sniff(head) }) {
		return nil, prefixPath(page, fmt.Errorf("%w: this page does not contain a session file", session.ErrNoSession))
	}
	return held, nil
}

// wantsEmbeddedFile reports whether the flags ask for no more than the session file as it
// stands in a page: what was replaced in it was when the page was made.
func (f *exportFlags) wantsEmbeddedFile(cmd *cobra.Command, o export.Options) bool {
	changed := cmd.Flags().Changed
	return o.Kind == export.JSONL && !changed("entry") && !changed("scope") && !changed("without") && !changed("redact")
}

// exportEmbeddedFile writes the session file of a page, byte for byte.
func (p *program) exportEmbeddedFile(ctx context.Context, page string, f *exportFlags) error {
	if f.out == "-" {
		held, err := readHTMLFile(page)
		if err != nil {
			return err
		}
		return held.Write(p.rawOutput())
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
	if err != nil { // it is none after all, or nobody waits for it any more
		return errors.Join(err, os.Remove(path))
	}
	r := export.Result{Bytes: info.Size(), Redacted: []export.Count{}}
	s.ReadTree(func(t *session.Tree, _ store.Revision) { r.Entries = t.Len() })
	return p.printExport(path, r)
}
