package filediff

import (
	"encoding/json"
	"errors"
	"path"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/toolkind"
)

// Call is a finished call of a tool on a path.
type Call struct {
	At     session.Pos // the answer
	N      int         // index among the calls of the answer
	Result session.Pos // the result, or At if the answer records it
	Failed bool
}

// Tool returns the call as the tree has it.
func (c *Call) Tool(t *session.Tree) *session.ToolCall { return &t.At(c.At).Calls()[c.N] }

// ChangesFile reports whether the call changed a file.
func (c *Call) ChangesFile(t *session.Tree) bool {
	return !c.Failed && toolkind.ChangesFiles(c.Tool(t).Name)
}

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

// Bodies returns the body of an entry, nil if it cannot be read.
type Bodies func(session.Pos) *session.Body

// JoinFiles returns the files that calls of one path change, in the order of their first edits.
// The calls are in the order of their results. Those that change no file are ignored.
func JoinFiles(t *session.Tree, calls []Call, bodies Bodies) []File {
	var files []File
	known := map[string]int{}
	for i := range calls {
		if !calls[i].ChangesFile(t) {
			continue
		}
		name, edit := readEdit(calls[i].Tool(t), &calls[i], bodies)
		if name == "" {
			continue
		}
		name = cleanPath(t.Header().Cwd, name)
		at, ok := known[name]
		if !ok {
			at = len(files)
			known[name] = at
			files = append(files, File{Path: name, New: edit.Lines == nil})
		}
		files[at].Edits = append(files[at].Edits, FileEdit{calls[i], edit})
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

// readEdit returns the file that a call changes, and the change: the recorded diff, else what
// follows from the arguments.
func readEdit(tool *session.ToolCall, c *Call, bodies Bodies) (file string, e Edit) {
	body := bodies(c.At)
	if body == nil {
		return "", Edit{}
	}
	block := FindCall(body, tool.ID, c.N)
	if block == nil {
		return "", Edit{}
	}
	var args CallArgs
	var wrongType *json.UnmarshalTypeError
	if err := json.Unmarshal(block.Args, &args); err != nil && !errors.As(err, &wrongType) {
		return "", Edit{}
	}
	of := "" // the block of a result that is an entry of its own
	if c.Result == c.At {
		of = tool.ID
	}
	if result := bodies(c.Result); result != nil {
		e.Lines = recordedDiff(result, of)
	}
	if e.Lines == nil {
		e.Lines = DiffTexts(args.ListEdits())
	}
	e.Content = args.Content
	if e.Lines == nil && args.Content == "" {
		e.Lines = []Line{} // it cannot be told what the call changed
	}
	return args.File(), e
}

// FindCall returns the block of the n-th call of an answer, which has an id, or nil.
func FindCall(body *session.Body, id string, n int) *session.Block {
	for i := range body.Blocks {
		b := &body.Blocks[i]
		if b.Kind != session.BlockToolCall {
			continue
		}
		if n == 0 || id != "" && b.ID == id {
			return b
		}
		n--
	}
	return nil
}

func recordedDiff(body *session.Body, of string) []Line {
	for i := range body.Blocks {
		if b := &body.Blocks[i]; b.Kind == session.BlockDiff && b.ID == of {
			return Parse(b.Text)
		}
	}
	return nil
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
			for _, name := range []string{calls[i].Arg, cutLineRange(calls[i].Arg)} {
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

// cutLineRange returns the argument of a call without the lines that a read names: "x.go" of
// "x.go:10-20".
func cutLineRange(arg string) string {
	file := strings.TrimRight(arg, "0123456789-")
	if len(file) == len(arg) || !strings.HasSuffix(file, ":") {
		return arg
	}
	return strings.TrimSuffix(file, ":")
}

// cleanPath returns the path of a file in a directory.
func cleanPath(dir, file string) string {
	if dir != "" && !path.IsAbs(file) && !strings.HasPrefix(file, "~") && !strings.Contains(file, `\`) {
		file = path.Join(dir, file)
	}
	return path.Clean(file)
}
