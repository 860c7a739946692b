package filediff

import (
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

// AppendCalls appends the finished calls that the entry at p records: the one whose result it
// is, or those of an answer that has their outcomes.
func AppendCalls(calls []Call, t *session.Tree, p session.Pos) []Call {
	for n, failed := range t.At(p).FinishedCalls() {
		if n >= 0 {
			calls = append(calls, Call{At: p, N: n, Result: p, Failed: failed})
			continue
		}
		called, at := t.CallOf(p)
		if at == session.NoPos {
			continue
		}
		all := t.At(at).Calls()
		for i := range all {
			if &all[i] == called {
				calls = append(calls, Call{At: at, N: i, Result: p, Failed: failed})
			}
		}
	}
	return calls
}

// Tool returns the call as the tree has it.
func (c *Call) Tool(t *session.Tree) *session.ToolCall { return &t.At(c.At).Calls()[c.N] }

// ChangesFile reports whether the call changed a file.
func (c *Call) ChangesFile(t *session.Tree) bool {
	return !c.Failed && toolkind.ChangesFiles(c.Tool(t).Name)
}

// callKey identifies a call in a session.
type callKey struct {
	at, result session.Pos
	n          int
}

func (c *Call) key() callKey { return callKey{c.At, c.Result, c.N} }

// CutLineRange returns the argument of a call without the lines that a read names: "x.go" of
// "x.go:10-20".
func CutLineRange(arg string) string {
	file := strings.TrimRight(arg, "0123456789-")
	if len(file) == len(arg) || !strings.HasSuffix(file, ":") {
		return arg
	}
	return strings.TrimSuffix(file, ":")
}

// CleanPath returns the path of a file that a session in a directory names. "~" is the directory
// home, if that is known.
func CleanPath(dir, home, file string) string {
	if rest, ok := strings.CutPrefix(file, "~"); ok && home != "" && (rest == "" || rest[0] == '/') {
		file = home + rest
	}
	if dir != "" && !path.IsAbs(file) && !strings.HasPrefix(file, "~") && !strings.Contains(file, `\`) {
		file = path.Join(dir, file)
	}
	return path.Clean(file)
}
