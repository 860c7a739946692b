package filediff

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// maxComparedBytes limits the text of an edit that is compared. A larger edit has no diff.
const maxComparedBytes = 256 << 10

// CallArgs holds the arguments of calls that change a file, under the names that agents use.
type CallArgs struct {
	Path      string     `json:"path"`
	FilePath  string     `json:"file_path"`
	Notebook  string     `json:"notebook_path"`
	Content   string     `json:"content"`
	OldText   string     `json:"oldText"`
	NewText   string     `json:"newText"`
	OldString string     `json:"old_string"`
	NewString string     `json:"new_string"`
	Edits     []TextEdit `json:"edits"`
}

// TextEdit is a replacement in a file.
type TextEdit struct {
	OldText   string `json:"oldText"`
	NewText   string `json:"newText"`
	OldString string `json:"old_string"`
	NewString string `json:"new_string"`
}

// File returns the path of the file.
func (a *CallArgs) File() string { return cmp.Or(a.Path, a.FilePath, a.Notebook) }

// ListEdits returns the replacements.
func (a *CallArgs) ListEdits() []TextEdit {
	list := a.Edits
	if one := (TextEdit{a.OldText, a.NewText, a.OldString, a.NewString}); one != (TextEdit{}) {
		list = append([]TextEdit{one}, list...)
	}
	return list
}

func (e TextEdit) oldText() string { return cmp.Or(e.OldText, e.OldString) }
func (e TextEdit) newText() string { return cmp.Or(e.NewText, e.NewString) }

// DiffTexts compares the texts of replacements. Their place in the file is not known, so the
// lines have no numbers.
func DiffTexts(edits []TextEdit) []Line {
	var out []Line
	for i, e := range edits {
		if len(e.oldText())+len(e.newText()) > maxComparedBytes {
			return nil
		}
		if len(edits) > 1 {
			out = append(out, Line{Sign: Gap, Text: "edit " + strconv.Itoa(i+1) + " of " + strconv.Itoa(len(edits))})
		}
		for _, l := range Parse(udiff.Unified("", "", withLineEnd(e.oldText()), withLineEnd(e.newText()))) {
			l.Old, l.New = 0, 0
			out = append(out, l)
		}
	}
	return out
}

func withLineEnd(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}
