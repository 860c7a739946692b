package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sessiontree/internal/cli/statedir"
	"sessiontree/internal/session"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/keep"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/store"
)

// newLibrary returns a library over roots.
func (p *program) newLibrary(roots ...string) (*store.Library, error) {
	state, err := p.state.Dir()
	if err != nil && !errors.Is(err, statedir.ErrNoHome) { // without a home directory there is no sidecar
		return nil, err
	}
	c := store.Config{Formats: format.All, Roots: roots, Home: p.home, StateDir: state, ReadOnly: p.readOnly}
	if state != "" {
		c.Copies = keep.OpenCopies(state)
	}
	return store.New(c)
}

// statWithCopies returns the info of a file or directory, or of its copy if it was deleted.
func (p *program) statWithCopies(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return info, err
	}
	lib, failed := p.newLibrary(path)
	if failed != nil {
		return nil, failed
	}
	at, failed := lib.Roots().Locate(path)
	if failed != nil {
		return nil, err
	}
	return at.StatPath()
}

// openSession opens one session file.
func (p *program) openSession(ctx context.Context, path string) (*store.Session, error) {
	switch info, err := p.statWithCopies(path); {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, safefile.Reason(err))
	case info.IsDir():
		return p.openSessionDir(ctx, path)
	}
	lib, err := p.newLibrary(path)
	if err != nil {
		return nil, err
	}
	s, err := lib.Open(ctx, path)
	if err != nil {
		return nil, addPathToError(path, err)
	}
	return s, nil
}

// openSessionDir opens all sessions of a directory as one if they are related.
func (p *program) openSessionDir(ctx context.Context, path string) (*store.Session, error) {
	lib, err := p.newLibrary(path)
	if err != nil {
		return nil, err
	}
	s, err := lib.OpenDir(ctx, path)
	if errors.Is(err, session.ErrNoSession) {
		return nil, fmt.Errorf("%s is a directory; explorer list %s lists its sessions", path, path)
	}
	return s, err
}

// checkDirsExist returns an error if one of the directories does not exist, so that a
// typing error does not look like an empty list. Directories with copies of deleted files
// count.
func (p *program) checkDirsExist(dirs []string) error {
	for _, dir := range dirs {
		if _, err := p.statWithCopies(dir); err != nil {
			return fmt.Errorf("%s: %w", dir, safefile.Reason(err))
		}
	}
	return nil
}

// addPathToError adds the path to an error message that does not contain the file name.
func addPathToError(path string, err error) error {
	if strings.Contains(err.Error(), filepath.Base(path)) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// parseLeaf parses --leaf: an id, or "none" for before the first entry. If the flag is
// not given it returns the session's leaf.
func parseLeaf(t *session.Tree, leaf string, given bool) (session.Pos, error) {
	switch {
	case !given:
		return t.Leaf(), nil
	case leaf == "none":
		return session.NoPos, nil
	}
	return findEntry(t, leaf)
}

// findEntry finds an entry by its id or by a unique prefix of it.
func findEntry(t *session.Tree, id string) (session.Pos, error) {
	const shortest = 4 // shortest prefix; a shorter one is likelier a typing error
	found := t.FindID(id)
	if found != session.NoPos {
		return found, nil
	}
	var others []string
	for p := range session.Pos(t.Len()) {
		switch e := t.At(p); {
		case len(id) < shortest || !strings.HasPrefix(e.ID, id):
		case found == session.NoPos:
			found = p
		case len(others) < maxCandidates && e.ID != t.At(found).ID && !slices.Contains(others, e.ID):
			others = append(others, e.ID)
		}
	}
	if len(others) > 0 {
		return session.NoPos, fmt.Errorf("%w: more than one entry begins with %s: %s", session.ErrInvalid, id, formatCandidates(t, found, others))
	}
	if found == session.NoPos {
		return found, fmt.Errorf("entry %q: %w", id, session.ErrNotFound)
	}
	return found, nil
}

// maxCandidates limits how many other entries the error for an ambiguous prefix names.
const maxCandidates = 5

// formatCandidates lists the ids that match an ambiguous prefix.
func formatCandidates(t *session.Tree, first session.Pos, others []string) string {
	list := append([]string{t.At(first).ID}, others...)
	if len(list) > maxCandidates {
		list[maxCandidates] = "…"
	}
	return strings.Join(list, ", ")
}

// resolveEntryID returns the full id of an entry that is given by id or prefix.
func resolveEntryID(s *store.Session, named string) (id string, err error) {
	s.ReadTree(func(t *session.Tree, _ store.Revision) {
		var p session.Pos
		if p, err = findEntry(t, named); err == nil {
			id = t.At(p).ID
		}
	})
	return id, err
}

// openEntry opens the session of the first argument and resolves the entry of the second.
func (p *program) openEntry(ctx context.Context, args []string) (*store.Session, string, error) {
	s, err := p.openSession(ctx, args[0])
	if err != nil {
		return nil, "", err
	}
	entry, err := resolveEntryID(s, args[1])
	return s, entry, err
}

// sessionJSON is the "session" member of the JSON output.
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
	Kept          bool     `json:"kept,omitempty"` // the file was deleted; a copy is read
}

func newSessionJSON(s *store.Session, t *session.Tree) sessionJSON {
	h := t.Header()
	id := &h.ID
	if s.IsWholeDir() {
		id = nil
	}
	return sessionJSON{Key: s.Key(), Format: h.Format, Version: h.Version, ID: id, Cwd: h.Cwd, Name: stringOrNull(h.Name),
		ParentSession: stringOrNull(h.Parent), Files: s.Files(), Leaf: idOrNull(t, t.Leaf()), Entries: t.Len(), Kept: s.IsDeleted()}
}

type noteJSON struct {
	Code  string  `json:"code"`
	File  string  `json:"file"`
	Line  int     `json:"line"`
	Entry *string `json:"entry"`
	Text  string  `json:"text"`
}

func newNotesJSON(s *store.Session) []noteJSON {
	notes, files := []noteJSON{}, s.Files()
	for _, n := range s.Notes() {
		notes = append(notes, noteJSON{n.Code, files[n.File], n.Line, stringOrNull(n.Entry), n.Text})
	}
	return notes
}

func stringOrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// idOrNull returns the id at p, nil for NoPos. The id may be empty.
func idOrNull(t *session.Tree, p session.Pos) *string {
	if p == session.NoPos {
		return nil
	}
	id := t.At(p).ID
	return &id
}

func entryIDs(t *session.Tree, ps []session.Pos) []string {
	list := make([]string, len(ps))
	for i, p := range ps {
		list[i] = t.At(p).ID
	}
	return list
}
