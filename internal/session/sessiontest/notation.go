// Package sessiontest builds session trees for tests.
package sessiontest

import (
	"fmt"
	"strconv"
	"strings"

	"sessiontree/internal/session"
)

// notationKinds are the words for kinds in the notation.
var notationKinds = map[string]struct {
	kind session.Kind
	role string
}{
	"user": {session.KindUser, "user"}, "asst": {session.KindAssistant, "assistant"}, "tool": {session.KindToolResult, "toolResult"},
	"shell": {session.KindShell, "bashExecution"}, "system": {session.KindSystem, "system"}, "message": {session.KindMessage, "weird"},
	"note": {session.KindCustomMessage, "custom_message"}, "pack": {session.KindCompaction, "compaction"},
	"sum": {session.KindBranchSummary, "branch_summary"}, "model": {session.KindModel, "model_change"},
	"thinking": {session.KindThinking, "thinking_level_change"}, "label": {session.KindLabel, "label"},
	"name": {session.KindName, "session_info"}, "custom": {session.KindCustom, "custom"}, "mark": {session.KindCustom, "custom"},
	"usage": {session.KindUsage, "usage"}, "edit": {session.KindContextEdit, "context_edit"}, "reset": {session.KindReset, "reset_boundary"},
	"archive": {session.KindArchive, "archive"}, "event": {session.KindEvent, "mode_change"}, "unknown": {session.KindUnknown, "future"},
}

// Entries parses a session written one entry a line:
//
//	ID[<PARENT] KIND [KEY=VALUE...] [TEXT]
//
// Without <PARENT the parent is the entry before; "<" alone makes a root. Keys: at
// (seconds, "?" for no time; by default one more than the line before), call, calls
// (ID:TOOL:ARG, comma separated), target, name, stop, tokens, by (provider) and flag.
// Text is the entry's preview. Blank lines are skipped, but counted.
func Entries(notation string) []session.Entry {
	var entries []session.Entry
	last, clock := "", int64(0)
	for i, line := range strings.Split(notation, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		e, err := parseEntry(words, last, clock+1)
		if err != nil {
			panic(fmt.Sprintf("line %d: %q: %v", i+1, line, err))
		}
		e.Span.Line = int32(i + 1)
		if e.Time != session.NoTime {
			clock = e.Time / 1000
		}
		last = e.ID
		entries = append(entries, e)
	}
	return entries
}

// Tree builds the tree of a session in the notation of Entries.
func Tree(notation string) *session.Tree {
	return session.BuildTree(session.Header{}, Entries(notation), nil)
}

func parseEntry(words []string, last string, clock int64) (e session.Entry, err error) {
	if len(words) < 2 {
		return e, fmt.Errorf("a kind is lacking")
	}
	known, ok := notationKinds[words[1]]
	if !ok {
		return e, fmt.Errorf("no kind %q", words[1])
	}
	id, parent, given := strings.Cut(words[0], "<")
	if !given {
		parent = last
	}
	e = session.Entry{ID: id, Parent: parent, Kind: known.kind, Role: known.role, Time: clock * 1000}
	if parent != "" {
		e.Flags |= session.FlagHasParent
	}
	if words[1] == "mark" {
		e.Flags |= session.FlagBranchMark
	}
	rest := words[2:]
	for len(rest) > 0 {
		key, value, ok := strings.Cut(rest[0], "=")
		if !ok {
			break
		}
		if err := setKey(&e, key, value); err != nil {
			return e, err
		}
		rest = rest[1:]
	}
	setText(&e, strings.Join(rest, " "))
	return e, nil
}

// setText sets the text of an entry.
func setText(e *session.Entry, s string) {
	e.Preview = s
	if s != "" {
		e.Flags |= session.FlagText
	}
	switch e.Kind {
	case session.KindLabel:
		if s != "" {
			e.Flags |= session.FlagOn
		}
	case session.KindModel, session.KindThinking, session.KindName, session.KindCustom, session.KindContextEdit, session.KindEvent:
		e.Name, e.Preview = s, ""
	}
}

// notationFlags are the flags that the notation can set, by name.
var notationFlags = map[string]session.Flags{
	"on": session.FlagOn, "error": session.FlagError, "secondary": session.FlagSecondary, "checkpoint": session.FlagSystemMessage,
	"nocontext": session.FlagNoContext, "hidden": session.FlagHidden,
}

func setKey(e *session.Entry, key, value string) (err error) {
	switch key {
	case "at":
		e.Time = session.NoTime
		if value != "?" {
			var seconds int64
			seconds, err = strconv.ParseInt(value, 10, 64)
			e.Time = seconds * 1000
		}
	case "call":
		e.OwnDetails().Call = value
	case "calls":
		for _, c := range strings.Split(value, ",") {
			parts := append(strings.SplitN(c, ":", 3), "", "")
			e.OwnDetails().Calls = append(e.Calls(), session.ToolCall{ID: parts[0], Name: parts[1], Arg: parts[2]})
		}
	case "target":
		e.OwnDetails().Target = value
	case "name":
		e.Name = value
	case "by":
		e.OwnDetails().Provider = value
	case "stop":
		e.OwnDetails().Stop = value
	case "tokens":
		e.OwnDetails().Tokens, err = strconv.ParseInt(value, 10, 64)
	case "flag":
		f, ok := notationFlags[value]
		if !ok {
			return fmt.Errorf("no flag %q", value)
		}
		e.Flags |= f
	default:
		return fmt.Errorf("no key %q", key)
	}
	return err
}

// Dedent removes the tabs at the start of the lines of a raw string.
func Dedent(s string) string {
	lines := strings.Split(strings.Trim(s, "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimLeft(line, "\t")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\t\n") + "\n"
}
