package view

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sessiontree/internal/session"
)

// rowRunes is how much of a text a row carries.
const rowRunes = 200

// wording is how a row shows an entry.
type wording struct {
	class, node  string
	tool         string // in mono before the text
	text         string
	meta, status string
}

func note(text string) wording { return wording{class: "note", node: "note", text: text} }

// rowWords words the row of an entry in the spine layout.
func rowWords(t *session.Tree, p session.Pos, e *session.Entry) wording {
	text := oneLine(cutRunes(e.Preview, rowRunes))
	switch e.Kind {
	case session.KindUser:
		return wording{class: "user", node: "user", text: promptText(e, text)}
	case session.KindAssistant:
		return answerWords(e, text)
	case session.KindToolResult:
		return resultWords(t, p, e, text)
	case session.KindShell:
		return wording{class: "shell", node: "user", tool: shellSign(e), text: text, status: oneLine(e.Status)}
	case session.KindCompaction:
		return wording{class: "pack", node: "pack", text: compactedHow(e), meta: packTokens(e.Tokens, tokensAfter(t, p))}
	case session.KindBranchSummary:
		return summaryWords(t, p, e, text)
	case session.KindSystem:
		return note("System prompt")
	case session.KindMessage:
		return note(colon(roleName(e.Role), text))
	case session.KindCustomMessage:
		w := note(colon(oneLine(e.Name), plainWords(text)))
		if e.Has(session.FlagHidden) {
			w.meta = "hidden"
		}
		return w
	}
	return note(bookkeepingText(t, e))
}

func promptText(e *session.Entry, text string) string {
	switch {
	case text != "":
		return text
	case e.Has(session.FlagImages):
		return "(image)"
	}
	return "(no text)"
}

// marks are the signs of Markdown that would only be noise in a row.
var marks = strings.NewReplacer("`", "", "**", "")

// plainWords is the beginning of a Markdown text without its signs.
func plainWords(text string) string {
	if words := strings.TrimLeft(marks.Replace(text), "#> "); words != "" {
		return words
	}
	return text
}

func answerWords(e *session.Entry, text string) wording {
	text = plainWords(text)
	w := wording{class: "asst", node: "asst", text: text}
	if e.Has(session.FlagError) {
		w.status = "failed"
		if e.Stop == "aborted" {
			w.status = "aborted"
		}
	}
	if text != "" {
		return w
	}
	switch {
	case e.Error != "":
		w.text = oneLine(e.Error)
	case e.Stop == "aborted":
		w.text, w.status = "(aborted)", ""
	case len(e.Calls) > 0:
		w.text = plural(len(e.Calls), "tool call", "tool calls")
	case e.Has(session.FlagThinking):
		w.text = "(thinking only)"
	default:
		w.text = "(no content)"
	}
	return w
}

func resultWords(t *session.Tree, p session.Pos, e *session.Entry, text string) wording {
	w := wording{class: "tool", node: "tool", tool: visible(e.Name), text: text, status: oneLine(e.Status)}
	if c, ok := callOf(t, p); ok {
		w.tool, w.text = visible(c.Name), callText(t, &c)
	}
	if w.tool == "" {
		w.tool = "tool"
	}
	switch {
	case !e.Has(session.FlagError):
		w.meta, w.status = w.status, ""
	case w.status == "":
		w.status = "failed"
	}
	return w
}

// callText is what a call was about. Agents begin commands by going where they
// are already; that says nothing.
func callText(t *session.Tree, c *session.ToolCall) string {
	text := c.Line
	if text == "" {
		text = c.Arg
	}
	if there, rest, ok := strings.Cut(text, " && "); ok && rest != "" && there == "cd "+t.Header().Cwd {
		text = rest
	}
	return oneLine(text)
}

// callReach is how many entries a result may stand from its call.
const callReach = 256

// callOf finds the call that a result answers, among its ancestors.
func callOf(t *session.Tree, p session.Pos) (session.ToolCall, bool) {
	id := t.At(p).Call
	for range callReach {
		if p = t.Parent(p); p == session.NoPos || id == "" {
			break
		}
		calls := t.At(p).Calls
		for i := range calls {
			if calls[i].ID == id {
				return calls[i], true
			}
		}
	}
	return session.ToolCall{}, false
}

// summaryWords names the branch left behind; where that is not known, the summary
// speaks for itself.
func summaryWords(t *session.Tree, p session.Pos, e *session.Entry, text string) wording {
	w := wording{class: "sum", node: "sum", text: colon("Branch summary", plainWords(afterPreamble(text)))}
	if text == "" {
		w.meta = "empty"
	}
	tip := t.Find(e.Target)
	if tip == session.NoPos {
		return w
	}
	if prompt, _, ok := leftBehind(t, p, tip); ok && t.At(prompt).Kind == session.KindUser {
		w.text = "Branch summary: " + oneLine(cutRunes(t.At(prompt).Preview, rowRunes))
	}
	return w
}

// afterPreamble is what a summary says. Before it agents say for the model what
// it is, and so all rows would begin alike.
func afterPreamble(text string) string {
	const longest = 90
	for _, end := range []string{"Summary of that exploration:", "Summary of that branch:"} {
		before, said, ok := strings.Cut(text, end)
		if said = strings.TrimSpace(said); ok && len(before) < longest && said != "" {
			return said
		}
	}
	return text
}

func shellSign(e *session.Entry) string {
	switch e.Name {
	case "", "bash":
		return "$"
	case "command":
		return "›"
	}
	return oneLine(e.Name)
}

// compactedHow says that something was compacted, and whether by hand.
func compactedHow(e *session.Entry) string {
	if e.Status == "" {
		return "Compacted"
	}
	return "Compacted, " + oneLine(e.Status)
}

// compactionText names a compaction among others.
func compactionText(e *session.Entry) string {
	text := "Compacted"
	for _, part := range []string{packTokens(e.Tokens, 0), oneLine(e.Status)} {
		if part != "" {
			text += ", " + part
		}
	}
	return text
}

// packTokens words what a compaction saved.
func packTokens(before, after int64) string {
	switch {
	case before > 0 && after > 0:
		return tokens(before) + " → " + tokens(after) + " tokens"
	case before > 0:
		return tokens(before) + " tokens"
	}
	return ""
}

// tokensAfter is what the first answer after a compaction counted, 0 unknown.
func tokensAfter(t *session.Tree, p session.Pos) int64 {
	for range callReach {
		c := t.Children(p)
		if len(c) == 0 {
			return 0
		}
		p = c[len(c)-1]
		if e := t.At(p); e.Kind == session.KindAssistant && e.Tokens > 0 {
			return e.Tokens
		} else if e.Kind == session.KindCompaction {
			return 0
		}
	}
	return 0
}

// entryText is an entry in one line of plain words.
func entryText(t *session.Tree, p session.Pos) string {
	w := rowWords(t, p, t.At(p))
	if w.tool != "" {
		return w.tool + " " + w.text
	}
	return w.text
}

// branchText names a branch as its stub does: by its first prompt or worded
// answer, else its head.
func branchText(t *session.Tree, head session.Pos) string {
	p := head
	for range callReach {
		if e := t.At(p); e.Kind == session.KindUser || e.Kind == session.KindAssistant && e.Has(session.FlagText) {
			return entryText(t, p)
		}
		c := t.Children(p)
		if len(c) == 0 {
			break
		}
		p = c[len(c)-1]
	}
	return entryText(t, head)
}

// roleName writes "fileMention" and "file_mention" as "File mention".
func roleName(role string) string {
	var b strings.Builder
	for i, r := range strings.ReplaceAll(oneLine(role), "_", " ") {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return ucFirst(b.String())
}

func ucFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

func colon(name, text string) string {
	if text == "" {
		return name
	}
	return name + ": " + text
}

func orWord(s, word string) string {
	if s == "" {
		return word
	}
	return s
}
