package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"sessiontree/internal/session"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
)

// library makes a library over roots.
func (p *program) library(roots ...string) (*store.Library, error) {
	state, err := p.stateDir()
	if err != nil && !errors.Is(err, errNoHome) { // without a home, what cannot stand in a file is refused
		return nil, err
	}
	return store.New(store.Config{Formats: format.All, Roots: roots, Home: p.home, State: state, ReadOnly: p.readOnly})
}

// open reads one session file.
func (p *program) open(ctx context.Context, path string) (*store.Session, error) {
	switch info, err := os.Stat(path); {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, reason(err))
	case info.IsDir():
		return p.openDir(ctx, path)
	}
	lib, err := p.library(path)
	if err != nil {
		return nil, err
	}
	s, err := lib.Open(ctx, path)
	if err != nil {
		return nil, named(path, err)
	}
	return s, nil
}

// openDir reads all sessions of a directory, where they hang together.
func (p *program) openDir(ctx context.Context, path string) (*store.Session, error) {
	lib, err := p.library(path)
	if err != nil {
		return nil, err
	}
	s, err := lib.OpenDir(ctx, path)
	if errors.Is(err, session.ErrNoSession) {
		return nil, fmt.Errorf("%s is a directory; explorer list %s lists its sessions", path, path)
	}
	return s, err
}

// named puts path before a message that does not name it yet.
func named(path string, err error) error {
	if strings.Contains(err.Error(), filepath.Base(path)) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// reason takes the path out of a file error whose message names it already.
func reason(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// leafFlag reads --leaf: an id, "none" for before the first entry, or not given
// for the session's own leaf.
func leafFlag(t *session.Tree, leaf string, given bool) (session.Pos, error) {
	switch {
	case !given:
		return t.Leaf(), nil
	case leaf == "none":
		return session.NoPos, nil
	}
	return entryFlag(t, leaf)
}

// entryFlag finds an entry by its id or by what only its id begins with.
func entryFlag(t *session.Tree, id string) (session.Pos, error) {
	const shortest = 4 // of what may stand for an id: less is likelier a slip
	found := t.Find(id)
	if found != session.NoPos {
		return found, nil
	}
	var others []string
	for p := range session.Pos(t.Len()) {
		switch e := t.At(p); {
		case len(id) < shortest || !strings.HasPrefix(e.ID, id):
		case found == session.NoPos:
			found = p
		case len(others) < mostCandidates && e.ID != t.At(found).ID && !slices.Contains(others, e.ID):
			others = append(others, e.ID)
		}
	}
	if len(others) > 0 {
		return session.NoPos, fmt.Errorf("%w: more than one entry begins with %s: %s", session.ErrInvalid, id, candidates(t, found, others))
	}
	if found == session.NoPos {
		return found, fmt.Errorf("entry %q: %w", id, session.ErrNotFound)
	}
	return found, nil
}

// mostCandidates is how many entries are named beside the first when an id is not
// enough.
const mostCandidates = 5

// candidates lists entries of which one may be meant.
func candidates(t *session.Tree, first session.Pos, others []string) string {
	list := append([]string{t.At(first).ID}, others...)
	if len(list) > mostCandidates {
		list[mostCandidates] = "…"
	}
	return strings.Join(list, ", ")
}

// entryID is the whole id of the entry that was named.
func entryID(s *store.Session, named string) (id string, err error) {
	s.Read(func(t *session.Tree, _ store.Rev) {
		var p session.Pos
		if p, err = entryFlag(t, named); err == nil {
			id = t.At(p).ID
		}
	})
	return id, err
}

// openAt opens the session and finds the entry that a change is about.
func (p *program) openAt(ctx context.Context, args []string) (*store.Session, string, error) {
	s, err := p.open(ctx, args[0])
	if err != nil {
		return nil, "", err
	}
	entry, err := entryID(s, args[1])
	return s, entry, err
}

// sessionJSON is the "session" of every answer.
type sessionJSON struct {
	Key           string   `json:"key"`
	Format        string   `json:"format"`
	Version       int      `json:"version"`
	ID            *string  `json:"id"`
	Cwd           string   `json:"cwd"`
	Name          *string  `json:"name"`
	ParentSession *string  `json:"parentSession"`
	Files         []string `json:"files"`
	Leaf          *string  `json:"leaf"`
	Entries       int      `json:"entries"`
}

func describe(s *store.Session, t *session.Tree) sessionJSON {
	h := t.Header()
	id := &h.ID
	if s.Whole() {
		id = nil
	}
	return sessionJSON{Key: s.Key(), Format: h.Format, Version: h.Version, ID: id, Cwd: h.Cwd, Name: orNull(h.Name),
		ParentSession: orNull(h.Parent), Files: s.Files(), Leaf: idOrNull(t, t.Leaf()), Entries: t.Len()}
}

type noteJSON struct {
	Code  string  `json:"code"`
	File  string  `json:"file"`
	Line  int     `json:"line"`
	Entry *string `json:"entry"`
	Text  string  `json:"text"`
}

func notesJSON(s *store.Session) []noteJSON {
	notes, files := []noteJSON{}, s.Files()
	for _, n := range s.Notes() {
		notes = append(notes, noteJSON{n.Code, files[n.File], n.Line, orNull(n.Entry), n.Text})
	}
	return notes
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// idOrNull is the id of p; an empty id is one too.
func idOrNull(t *session.Tree, p session.Pos) *string {
	if p == session.NoPos {
		return nil
	}
	id := t.At(p).ID
	return &id
}

func ids(t *session.Tree, ps []session.Pos) []string {
	list := make([]string, len(ps))
	for i, p := range ps {
		list[i] = t.At(p).ID
	}
	return list
}

// printJSON writes one document.
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

// escapeControls returns JSON in which no character steers a terminal: those that the
// encoder leaves as they are can stand in strings only.
func escapeControls(text []byte) []byte {
	if !bytes.ContainsFunc(text, steers) {
		return text
	}
	out := make([]byte, 0, len(text)+64)
	for _, r := range string(text) {
		if steers(r) {
			out = fmt.Appendf(out, "\\u%04x", r)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}
