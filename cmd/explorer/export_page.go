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

// exported opens what is exported: a session, or what a page of export --as html
// holds. done removes what was unpacked for it.
func (p *program) exported(ctx context.Context, path string) (s *store.Session, done func(), err error) {
	if !isPage(path) {
		s, err = p.open(ctx, path)
		return s, func() {}, err
	}
	dir, err := os.MkdirTemp("", "session-page-")
	if err != nil {
		return nil, nil, err
	}
	done = func() { _ = os.RemoveAll(dir) }
	file, err := unpackTo(path, func(name string) string { return filepath.Join(dir, name) })
	if err == nil {
		s, err = p.open(ctx, file)
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	return s, done, nil
}

// isPage reports whether a file begins like a page.
func isPage(path string) bool {
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
	return export.IsPage(head)
}

// unpackTo writes the session file of a page to what where returns for its name. What
// is no session file gets no name.
func unpackTo(page string, where func(name string) string) (path string, err error) {
	held, err := readPage(page)
	if err != nil {
		return "", err
	}
	path = where(held.Name)
	if err := newFile(path, held.Write); err != nil {
		return "", named(page, err)
	}
	return path, nil
}

// readPage finds the session file in a page, and looks at how it begins.
func readPage(page string) (*export.Held, error) {
	f, _, err := store.OpenRegular(page)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	held, err := export.ReadPage(f)
	if err != nil {
		return nil, named(page, err)
	}
	head, err := held.Head()
	if err != nil {
		return nil, named(page, err)
	}
	if !slices.ContainsFunc(format.All, func(f *session.Format) bool { return f.Sniff(head) }) {
		return nil, named(page, fmt.Errorf("%w: what this page holds is no session file", session.ErrNoSession))
	}
	return held, nil
}

// turnsBack reports whether the flags ask for no more than the session file as it
// stands in a page: what was replaced in it was when the page was made.
func (f *exportFlags) turnsBack(cmd *cobra.Command, o export.Options) bool {
	changed := cmd.Flags().Changed
	return o.As == export.JSONL && !changed("entry") && !changed("scope") && !changed("without") && !changed("redact")
}

// turnBack writes the session file of a page, byte for byte.
func (p *program) turnBack(ctx context.Context, page string, f *exportFlags) error {
	if f.out == "-" {
		held, err := readPage(page)
		if err != nil {
			return err
		}
		return held.Write(p.rawOut())
	}
	path, err := unpackTo(page, func(name string) string {
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
	s, err := p.open(ctx, path)
	if err != nil { // it is none after all, or nobody waits for it any more
		return errors.Join(err, os.Remove(path))
	}
	r := export.Result{Bytes: info.Size(), Redacted: []export.Count{}}
	s.Read(func(t *session.Tree, _ store.Rev) { r.Entries = t.Len() })
	return p.toldExport(path, r)
}
