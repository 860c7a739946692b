package fileedits

import (
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/filediff"
	"sessiontree/internal/session/toolkind"
)

// File is a file that calls of a session name.
type File struct {
	Path string // absolute if the directory of the session is known
	Uses []Use  // one for each branch that names it, in the order of their first calls
}

// Use is what the calls of one branch did with a file.
type Use struct {
	Branch  int             // index of the branch
	Edits   []filediff.Call // that changed the file, in their order
	Failed  []filediff.Call // that failed to change it
	Reads   int
	Added   int // lines, as far as the results record it
	Removed int
}

// Changes reports whether any branch changed the file.
func (f *File) Changes() bool {
	for i := range f.Uses {
		if len(f.Uses[i].Edits) > 0 {
			return true
		}
	}
	return false
}

// List returns the files that finished calls of a session read or change, in the order of their
// first calls in the tree. branchOf has the index of the branch of each entry, and home is the
// directory that "~" is. Shell commands are not seen.
func List(t *session.Tree, home string, branchOf []int32) []File {
	var files []File
	known := map[string]int{}
	var calls []filediff.Call
	for _, p := range t.Preorder(t.Leaf()) {
		calls = filediff.AppendCalls(calls[:0], t, p)
		for i := range calls {
			c := &calls[i]
			path := NamedFile(t, home, c)
			if path == "" {
				continue
			}
			at, ok := known[path]
			if !ok {
				at = len(files)
				known[path] = at
				files = append(files, File{Path: path})
			}
			files[at].useOf(int(branchOf[p])).addCall(t, c)
		}
	}
	return files
}

// NamedFile returns the path of the file that a call reads or changes, "" for calls of other tools.
func NamedFile(t *session.Tree, home string, c *filediff.Call) string {
	tool := c.Tool(t)
	name := tool.Arg
	switch {
	case toolkind.Of(tool.Name) == "read":
		name = filediff.CutLineRange(name)
	case !toolkind.ChangesFiles(tool.Name):
		return ""
	}
	if name == "" || strings.HasPrefix(name, "{") { // arguments without a path
		return ""
	}
	return filediff.CleanPath(t.Header().Cwd, home, name)
}

func (f *File) useOf(branch int) *Use {
	for i := len(f.Uses) - 1; i >= 0; i-- {
		if f.Uses[i].Branch == branch {
			return &f.Uses[i]
		}
	}
	f.Uses = append(f.Uses, Use{Branch: branch})
	return &f.Uses[len(f.Uses)-1]
}

func (u *Use) addCall(t *session.Tree, c *filediff.Call) {
	switch {
	case !toolkind.ChangesFiles(c.Tool(t).Name):
		if !c.Failed {
			u.Reads++
		}
	case c.Failed:
		u.Failed = append(u.Failed, *c)
	default:
		u.Edits = append(u.Edits, *c)
		u.Added += int(t.At(c.Result).Added())
		u.Removed += int(t.At(c.Result).Removed())
	}
}

// IsChange reports whether the branch edited the file, or failed to.
func (u *Use) IsChange() bool { return len(u.Edits)+len(u.Failed) > 0 }
