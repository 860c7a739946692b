package claude

import (
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// toolResult makes an entry of what a tool returned.
func (l *line) toolResult(e *session.Entry, x *facts, r *block) {
	e.Kind, e.Call = session.KindToolResult, l.texts.Text(r.answers)
	for i := range l.message.blocks {
		if b := &l.message.blocks[i]; b.typ.Is("tool_result") {
			x.results = append(x.results, l.texts.Text(b.answers))
			if b.failed.Kind() == 't' {
				e.Flags |= session.FlagError
				e.Status = "failed"
			}
		}
	}
	text := r.content
	if text.Kind() == '[' {
		for _, part := range jsonl.Elements(text) {
			o := jsonl.Fields(part)
			switch {
			case o.Get("type").Is("image"):
				e.Flags |= session.FlagImages
			case o.Get("type").Is("text") && e.Preview == "":
				e.Preview = short(o.Get("text"), maxPreview)
			}
		}
	} else {
		e.Preview = short(text, maxPreview)
	}
	l.outcome(e)
	e.Added, e.Removed = patched(l.result.patch)
	if e.Preview != "" {
		e.Flags |= session.FlagText
	}
}

// refusals are how Claude Code tells the model that the user said no.
var refusals = []string{"The user doesn't want to proceed", "The user doesn't want to take this action", "[Request interrupted by user"}

// outcome words how a tool ended, and takes the words for it out of the text.
func (l *line) outcome(e *session.Entry) {
	e.Preview = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(e.Preview, "<tool_use_error>"), "</tool_use_error>"))
	if l.result.async {
		e.Status = "in background"
	}
	if !e.Has(session.FlagError) {
		return
	}
	code, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(e.Preview, "Error: "), "Exit code "), " ")
	switch n, ok := l.result.code.Number(); {
	case ok && n != 0:
		e.Status = "exit " + string(jsonl.AppendNumber(nil, n))
	case strings.Contains(e.Preview, "Exit code ") && code != "" && strings.Trim(code, "0123456789") == "":
		e.Status, e.Preview = "exit "+code, rest
	case slices.ContainsFunc(refusals, func(r string) bool { return strings.HasPrefix(e.Preview, r) }):
		e.Status = "rejected"
	}
}

// patched counts the lines that a structured patch adds and removes.
func patched(v jsonl.Value) (added, removed int32) {
	for _, hunk := range jsonl.Elements(v) {
		for _, l := range jsonl.Elements(jsonl.Fields(hunk).Get("lines")) {
			switch b := l.Bytes(); {
			case len(b) == 0:
			case b[0] == '+':
				added++
			case b[0] == '-':
				removed++
			}
		}
	}
	return added, removed
}
