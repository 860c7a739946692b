package session

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// RowText returns the text of p's row in the outline layout in pi's words, and in those
// of pi 1.5 for types without words in pi 0.58.3.
func (t *Tree) RowText(p Pos) string {
	e := t.At(p)
	switch e.Kind {
	case KindUser:
		return "user: " + e.Preview
	case KindAssistant:
		return "assistant: " + e.answerText()
	case KindToolResult:
		if call, at := t.callShownLast(p); at != NoPos {
			return "[" + call.Name + ": " + call.Arg + "]"
		}
		return "[" + cmp.Or(e.ToolName(), "tool") + "]"
	case KindShell:
		return "[bash]: " + e.Preview
	case KindSystem, KindMessage:
		return "[" + e.Role + "]"
	case KindCustomMessage:
		return "[" + e.CustomType() + "]: " + e.Preview
	case KindBranchSummary:
		return "[branch summary]: " + e.Preview
	}
	return e.settingText()
}

// settingText returns the row text of entries that are not messages.
func (e *Entry) settingText() string {
	switch e.Kind {
	case KindCompaction:
		return "[compaction: " + strconv.FormatInt(int64(math.Floor(float64(e.Tokens())/1000+0.5)), 10) + "k tokens]"
	case KindModel:
		return "[model: " + e.ModelID() + "]"
	case KindThinking:
		return "[thinking: " + e.ThinkingLevel() + "]"
	case KindCustom:
		return "[custom: " + e.CustomType() + "]"
	case KindLabel:
		if !e.HasFlag(FlagOn) {
			return "[label: (cleared)]"
		}
		return "[label: " + e.Preview + "]"
	case KindName:
		if e.SessionName() == "" {
			return "[title: empty]"
		}
		return "[title: " + e.SessionName() + "]"
	case KindContextEdit:
		return fmt.Sprintf("[context %s: %s]", e.Name, e.Target())
	}
	if e.Name == "" {
		return "[" + e.Role + "]"
	}
	return "[" + e.Role + ": " + e.Name + "]"
}

func (e *Entry) answerText() string {
	switch {
	case e.HasFlag(FlagText):
		return e.Preview
	case e.StopReason() == "aborted":
		return "(aborted)"
	case e.ErrorText() != "":
		return e.ErrorText()
	case len(e.Calls()) > 0 && e.Calls()[0].Outcome != nil: // no other row shows them
		return e.callsText()
	}
	return "(no content)"
}

// callsText lists the tool calls of an answer with their outcomes.
func (e *Entry) callsText() string {
	var b strings.Builder
	for i := range e.Calls() {
		c := &e.Calls()[i]
		fmt.Fprintf(&b, " [%s: %s] %s", c.Name, c.Arg, c.OutcomeText())
	}
	return b.String()[1:]
}

// HomePath returns a path with the home directory replaced by "~"; home may be "".
func HomePath(path, home string) string {
	if rest, ok := strings.CutPrefix(path, home); ok && home != "" && (rest == "" || rest[0] == '/') {
		return "~" + rest
	}
	return path
}
