package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/safefile"
	"sessiontree/internal/session/store"
)

// read returns what a new process finds in the directory of path. RemoveLeftovers must
// know every file that agents ignore.
func (f *faulty) read(path string) string {
	f.t.Helper()
	dir := filepath.Dir(path)
	files, err := os.ReadDir(dir)
	if err != nil {
		f.t.Fatal(err)
	}
	lib := libraryWith(f.t, store.Config{Roots: []string{dir}, StateDir: filepath.Join(filepath.Dir(dir), "state")})
	var all []string
	for _, file := range files {
		switch at := filepath.Join(dir, file.Name()); {
		case safefile.IsTempName(file.Name()):
		case filepath.Ext(at) == ".jsonl":
			all = append(all, tell(openSession(f.t, lib, at)))
		default:
			all = append(all, file.Name()+":\n"+content(f.t, at))
		}
	}
	slices.Sort(all) // new files have names made by chance
	return strings.Join(all, "\n")
}

// tell lists what a session says, without ids and times that are made by chance.
func tell(s *store.Session) string {
	var out strings.Builder
	s.ReadTree(func(tree *session.Tree, _ store.Revision) {
		fmt.Fprintf(&out, "session %q, %s, version %d, leaf %d\n", tree.Header().Name, tree.Header().Format, tree.Header().Version, tree.Leaf())
		for p := range session.Pos(tree.Len()) {
			l, _ := tree.Label(p)
			fmt.Fprintf(&out, "%d below %d: %v %q, label %q\n", p, tree.Parent(p), tree.At(p).Kind, tree.At(p).Preview, l.Text)
		}
	})
	for _, n := range s.Notes() {
		fmt.Fprintf(&out, "note %s at line %d\n", n.Code, n.Line)
	}
	return out.String()
}
