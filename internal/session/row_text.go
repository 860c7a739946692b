package session

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// RowText is the text of entry p's row in the outline layout, as pi words it,
// and as much as pi 1.5 says of types that pi 0.58.3 leaves without words.
func (t *Tree) RowText(p Pos) string {
	e := t.At(p)
	switch e.Kind {
	case KindUser:
		return "user: " + e.Preview
	case KindAssistant:
		return "assistant: " + e.answerText()
	case KindToolResult:
		return t.resultText(p)
	case KindShell:
		return "[bash]: " + e.Preview
	case KindSystem, KindMessage:
		return "[" + e.Role + "]"
	case KindCustomMessage:
		return "[" + e.Name + "]: " + e.Preview
	case KindBranchSummary:
		return "[branch summary]: " + e.Preview
	}
	return e.settingText()
}

// settingText words the entries that are no messages.
func (e *Entry) settingText() string {
	switch e.Kind {
	case KindCompaction:
		return "[compaction: " + strconv.FormatInt(int64(math.Floor(float64(e.Tokens())/1000+0.5)), 10) + "k tokens]"
	case KindModel:
		return "[model: " + e.Name + "]"
	case KindThinking:
		return "[thinking: " + e.Name + "]"
	case KindCustom:
		return "[custom: " + e.Name + "]"
	case KindLabel:
		if !e.HasFlag(FlagOn) {
			return "[label: (cleared)]"
		}
		return "[label: " + e.Preview + "]"
	case KindName:
		if e.Name == "" {
			return "[title: empty]"
		}
		return "[title: " + e.Name + "]"
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
	case len(e.Calls()) > 0 && e.Calls()[0].Outcome != nil: // no other row tells of them
		return e.callsText()
	}
	return "(no content)"
}

// callsText lists the tool calls of an answer with what came of them.
func (e *Entry) callsText() string {
	var b strings.Builder
	for i := range e.Calls() {
		c := &e.Calls()[i]
		fmt.Fprintf(&b, " [%s: %s] %s", c.Name, c.Arg, c.OutcomeText())
	}
	return b.String()[1:]
}

func (t *Tree) resultText(p Pos) string {
	e := t.At(p)
	if call, ok := t.findCallOfResult(p); ok {
		return "[" + call.Name + ": " + call.Arg + "]"
	}
	if e.Name == "" {
		return "[tool]"
	}
	return "[" + e.Name + "]"
}

// HomePath shows a path with the home directory as "~"; home "" is not known.
func HomePath(path, home string) string {
	if rest, ok := strings.CutPrefix(path, home); ok && home != "" && (rest == "" || rest[0] == '/') {
		return "~" + rest
	}
	return path
}
