package view

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/web/components"
)

// maxRowRunes limits the text of a row.
const maxRowRunes = 200

// rowText is the text of a row with its classes.
type rowText struct {
	class, node  string
	tool         string // in monospace before the text
	text         string
	meta, status string
}

func noteRowText(text string) rowText { return rowText{class: "note", node: "note", text: text} }

// buildRowText returns the text of an entry's row in the spine layout.
func buildRowText(t *session.Tree, p session.Pos, e *session.Entry) rowText {
	text := oneLine(rowtext.Cut(e.Preview, maxRowRunes))
	switch e.Kind {
	case session.KindUser:
		return rowText{class: "user", node: "user", text: promptText(e, text)}
	case session.KindAssistant:
		return answerRowText(e, text)
	case session.KindToolResult:
		return resultRowText(t, p, e, text)
	case session.KindShell:
		return rowText{class: "shell", node: "user", tool: shellPromptSign(e), text: text, status: oneLine(e.Status())}
	case session.KindCompaction:
		return rowText{class: "pack", node: "pack", text: compactionRowText(e), meta: compactionTokens(e.Tokens(), tokensAfterCompaction(t, p))}
	case session.KindBranchSummary:
		return summaryRowText(t, p, e, text)
	case session.KindSystem:
		return noteRowText("System prompt")
	case session.KindMessage:
		return noteRowText(joinColon(roleName(e.Role), text))
	case session.KindCustomMessage:
		w := noteRowText(joinColon(oneLine(e.Name), stripMarkdown(text)))
		if e.HasFlag(session.FlagHidden) {
			w.meta = "hidden"
		}
		return w
	}
	return noteRowText(bookkeepingText(t, e))
}

func promptText(e *session.Entry, text string) string {
	switch {
	case text != "":
		return text
	case e.HasFlag(session.FlagImages):
		return "(image)"
	}
	return "(no text)"
}

// markdownSigns removes Markdown signs that are only noise in a row.
var markdownSigns = strings.NewReplacer("`", "", "**", "")

// stripMarkdown returns the text of a row without Markdown signs.
func stripMarkdown(text string) string {
	if words := strings.TrimLeft(markdownSigns.Replace(text), "#> "); words != "" {
		return words
	}
	return text
}

func answerRowText(e *session.Entry, text string) rowText {
	text = stripMarkdown(text)
	w := rowText{class: "asst", node: "asst", text: text}
	if e.HasFlag(session.FlagError) {
		w.status = "failed"
		if e.StopReason() == "aborted" {
			w.status = "aborted"
		}
	}
	if text != "" {
		return w
	}
	switch {
	case e.ErrorText() != "":
		w.text = oneLine(e.ErrorText())
	case e.StopReason() == "aborted":
		w.text, w.status = "(aborted)", ""
	case len(e.Calls()) > 0:
		w.text = components.Pluralize(len(e.Calls()), "tool call", "tool calls")
	case e.HasFlag(session.FlagThinking):
		w.text = "(thinking only)"
	default:
		w.text = "(no content)"
	}
	return w
}

func resultRowText(t *session.Tree, p session.Pos, e *session.Entry, text string) rowText {
	w := rowText{class: "tool", node: "tool", tool: escapeInvisible(e.Name), text: text, status: oneLine(e.Status())}
	if c, at := t.CallOf(p); at != session.NoPos {
		w.tool, w.text = escapeInvisible(c.Name), callText(t, c)
	}
	if w.tool == "" {
		w.tool = "tool"
	}
	switch {
	case !e.HasFlag(session.FlagError):
		w.meta, w.status = w.status, ""
	case w.status == "":
		w.status = "failed"
	}
	return w
}

// callText describes a call. It omits a leading "cd" to the working directory, which agents
// often add.
func callText(t *session.Tree, c *session.ToolCall) string {
	text := c.CommandLine
	if text == "" {
		text = c.Arg
	}
	if there, rest, ok := strings.Cut(text, " && "); ok && rest != "" && there == "cd "+t.Header().Cwd {
		text = rest
	}
	return oneLine(text)
}

// tokensReach limits how far after a compaction its first answer is searched.
const tokensReach = 256

// entryText returns an entry in one line of plain text.
func entryText(t *session.Tree, p session.Pos) string {
	w := buildRowText(t, p, t.At(p))
	if w.tool != "" {
		return w.tool + " " + w.text
	}
	return w.text
}

// branchTitle returns the title of the branch that begins at head.
func branchTitle(t *session.Tree, head session.Pos) string {
	title, entry := t.BranchTitle(head)
	if title != "" {
		return oneLine(rowtext.Cut(title, maxRowRunes))
	}
	return entryText(t, entry)
}

// roleName formats "fileMention" and "file_mention" as "File mention".
func roleName(role string) string {
	var b strings.Builder
	for i, r := range strings.ReplaceAll(oneLine(role), "_", " ") {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return upperFirst(b.String())
}

func upperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

func joinColon(name, text string) string {
	if text == "" {
		return name
	}
	return name + ": " + text
}
