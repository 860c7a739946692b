package path

import (
	"cmp"
	"encoding/json"
	"errors"
	"strconv"
)

// toolArgs holds the arguments of known tools, under the names that agents use.
type toolArgs struct {
	Path      string          `json:"path"`
	FilePath  string          `json:"file_path"`
	Command   string          `json:"command"`
	Code      string          `json:"code"`
	Content   string          `json:"content"`
	OldText   string          `json:"oldText"`
	NewText   string          `json:"newText"`
	OldString string          `json:"old_string"`
	NewString string          `json:"new_string"`
	Edits     []textEdit      `json:"edits"`
	Offset    json.RawMessage `json:"offset"`
	Limit     json.RawMessage `json:"limit"`
}

// textEdit is a replacement in a file.
type textEdit struct {
	OldText   string `json:"oldText"`
	NewText   string `json:"newText"`
	OldString string `json:"old_string"`
	NewString string `json:"new_string"`
}

// parseToolArgs parses known arguments. It leaves fields of unexpected types empty.
func parseToolArgs(raw json.RawMessage) toolArgs {
	var a toolArgs
	var wrongType *json.UnmarshalTypeError
	if err := json.Unmarshal(raw, &a); err != nil && !errors.As(err, &wrongType) {
		return toolArgs{}
	}
	return a
}

func (a *toolArgs) filePath() string { return cmp.Or(a.Path, a.FilePath) }

// lineRange returns which lines of a file were read: "424–444".
func (a *toolArgs) lineRange() string {
	from, hasFrom := parseJSONInt(a.Offset)
	n, hasN := parseJSONInt(a.Limit)
	if !hasFrom {
		from = 1
	}
	switch {
	case hasN:
		return strconv.Itoa(from) + "–" + strconv.Itoa(from+n-1)
	case hasFrom:
		return "from " + strconv.Itoa(from)
	}
	return ""
}

func parseJSONInt(raw json.RawMessage) (int, bool) {
	var n float64
	if len(raw) == 0 || raw[0] == 'n' || json.Unmarshal(raw, &n) != nil || n < 0 || n > 1e12 {
		return 0, false
	}
	return int(n), true
}

// listEdits returns the edits in a call's arguments.
func (a *toolArgs) listEdits() []textEdit {
	list := a.Edits
	if one := (textEdit{a.OldText, a.NewText, a.OldString, a.NewString}); one != (textEdit{}) {
		list = append([]textEdit{one}, list...)
	}
	return list
}

func (e textEdit) oldText() string { return cmp.Or(e.OldText, e.OldString) }
func (e textEdit) newText() string { return cmp.Or(e.NewText, e.NewString) }
