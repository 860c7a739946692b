package filediff

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"sessiontree/internal/session"
)

// maxEditBytes limits the text of edits that are held in memory at a time.
const maxEditBytes = 64 << 20

// Bodies returns the body of an entry, nil if it cannot be read.
type Bodies func(session.Pos) *session.Body

// Edits are the edits of calls, without the bodies that they were read from. The zero value is
// empty. The text of edits above a limit in sum is not held: it cannot be told what they
// changed.
type Edits struct {
	Home   string // directory that "~" in paths is, "" if unknown
	Limit  int    // bytes of text that are held; 0 = maxEditBytes
	Left   int    // number of edits whose text is not held
	byCall map[callKey]namedEdit
	size   int
}

// namedEdit is an edit of a file.
type namedEdit struct {
	file string
	Edit
}

// Read reads the edits of calls from their bodies. It ignores calls that change no file.
func (e *Edits) Read(t *session.Tree, calls []Call, bodies Bodies) {
	for i := range calls {
		if !calls[i].ChangesFile(t) {
			continue
		}
		name, edit := readEdit(calls[i].Tool(t), &calls[i], bodies)
		if name == "" {
			continue
		}
		if size := edit.size(); e.size+size > cmp.Or(e.Limit, maxEditBytes) {
			edit = Edit{Lines: []Line{}}
			e.Left++
		} else {
			e.size += size
		}
		if e.byCall == nil {
			e.byCall = map[callKey]namedEdit{}
		}
		e.byCall[calls[i].key()] = namedEdit{CleanPath(t.Header().Cwd, e.Home, name), edit}
	}
}

// Size returns roughly how many bytes of memory the edits use.
func (e *Edits) Size() int { return e.size }

// Find returns the edit of a call and the path of its file.
func (e *Edits) Find(c *Call) (file string, edit Edit, ok bool) {
	found, ok := e.byCall[c.key()]
	return found.file, found.Edit, ok
}

// size returns roughly how many bytes of memory an edit uses.
func (e *Edit) size() int {
	const perLine = 48
	n := len(e.Content)
	for i := range e.Lines {
		n += perLine + len(e.Lines[i].Text)
	}
	return n
}

// Positions returns the entries that hold calls, each once.
func Positions(calls []Call) (all []session.Pos) {
	for i := range calls {
		all = append(all, calls[i].At, calls[i].Result)
	}
	slices.Sort(all)
	return slices.Compact(all)
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

// SplitLines returns the lines of a text without their ends.
func SplitLines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		lines = append(lines, strings.TrimRight(line, "\r\n"))
	}
	return lines
}
