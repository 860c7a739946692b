package filediff

import (
	"sessiontree/internal/session"
)

// File is a file that edits of a path changed.
type File struct {
	Path  string // absolute if the directory of the session is known
	New   bool   // the first edit wrote a file that nothing before it named
	Edits []FileEdit
	Net
}

// FileEdit is one of the edits of a file.
type FileEdit struct {
	Call
	Edit
}

// JoinFiles returns the files that calls of one path change, in the order of their first edits.
// The calls are in the order of their results. Those that change no file, or whose edits were
// not read, are ignored.
func JoinFiles(t *session.Tree, calls []Call, edits *Edits) []File {
	var files []File
	known := map[string]int{}
	for i := range calls {
		e, ok := edits.byCall[calls[i].key()]
		if !ok {
			continue
		}
		at, ok := known[e.file]
		if !ok {
			at = len(files)
			known[e.file] = at
			files = append(files, File{Path: e.file, New: e.Lines == nil})
		}
		files[at].Edits = append(files[at].Edits, FileEdit{calls[i], e.Edit})
	}
	if len(files) > 0 {
		unmarkNamedFiles(t, files, calls[len(calls)-1].Result)
	}
	for i := range files {
		files[i].Net = joinFileEdits(files[i].Edits)
	}
	return files
}

func joinFileEdits(edits []FileEdit) Net {
	plain := make([]Edit, len(edits))
	for i := range edits {
		plain[i] = edits[i].Edit
	}
	return Join(plain)
}

// unmarkNamedFiles clears New of the files that a call before their first edit names. end is the
// last entry of the path of all edits.
func unmarkNamedFiles(t *session.Tree, files []File, end session.Pos) {
	first := map[string]*session.ToolCall{} // the first call on the path that names a file
	for i := range files {
		if files[i].New {
			first[files[i].Edits[0].Tool(t).Arg] = nil
		}
	}
	if len(first) == 0 {
		return
	}
	for p := end; p != session.NoPos; p = t.Parent(p) {
		calls := t.At(p).Calls()
		for i := len(calls) - 1; i >= 0; i-- {
			for _, name := range []string{calls[i].Arg, CutLineRange(calls[i].Arg)} {
				if _, isNew := first[name]; isNew {
					first[name] = &calls[i]
				}
			}
		}
	}
	for i := range files {
		if f := &files[i]; f.New {
			call := f.Edits[0].Tool(t)
			f.New = first[call.Arg] == nil || first[call.Arg] == call
		}
	}
}
