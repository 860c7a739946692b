package path

import (
	"encoding/json"
	"errors"
	"strconv"

	"sessiontree/internal/session/filediff"
)

// toolArgs holds the arguments of known tools, under the names that agents use.
type toolArgs struct {
	filediff.CallArgs

	Command string          `json:"command"`
	Code    string          `json:"code"`
	Offset  json.RawMessage `json:"offset"`
	Limit   json.RawMessage `json:"limit"`
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
