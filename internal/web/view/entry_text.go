package view

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/internal/session/toolkind"
	"sessiontree/web/components"
)

// MaxRowRunes limits the text of a row.
const MaxRowRunes = 200

// rowText is the text of a row with its classes.
type rowText struct {
	Class, Node  string
	Tool         string // in monospace before the text
	Text         string
	Meta, Status string
}

func noteRowText(text string) rowText { return rowText{Class: "note", Node: "note", Text: text} }

// BuildRowText returns the text of an entry's row in the spine layout.
func BuildRowText(t *session.Tree, p session.Pos, e *session.Entry) rowText {
	text := OneLine(rowtext.Cut(e.Preview, MaxRowRunes))
	switch e.Kind {
	case session.KindUser:
		return rowText{Class: "user", Node: "user", Text: promptText(e, text)}
	case session.KindAssistant:
		return answerRowText(e, text)
	case session.KindToolResult:
		return resultRowText(t, p, e, text)
	case session.KindShell:
		return rowText{Class: "shell", Node: "user", Tool: shellPromptSign(e), Text: text, Status: OneLine(e.Status())}
	case session.KindCompaction:
		return rowText{Class: "compaction", Node: "compaction", Text: compactionRowText(e), Meta: compactionTokens(e.Tokens(), TokensAfterCompaction(t, p))}
	case session.KindBranchSummary:
		return summaryRowText(t, p, e, text)
	case session.KindSystem:
		return noteRowText("System prompt")
	case session.KindMessage:
		return noteRowText(JoinColon(RoleName(e.Role), text))
	case session.KindCustomMessage:
		w := noteRowText(JoinColon(OneLine(e.CustomType()), stripMarkdown(text)))
		if e.HasFlag(session.FlagHidden) {
			w.Meta = "hidden"
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
	w := rowText{Class: "answer", Node: "answer", Text: text}
	if e.HasFlag(session.FlagError) {
		w.Status = "failed"
		if e.StopReason() == "aborted" {
			w.Status = "aborted"
		}
	}
	if text != "" {
		return w
	}
	switch {
	case e.ErrorText() != "":
		w.Text = OneLine(e.ErrorText())
	case e.StopReason() == "aborted":
		w.Text, w.Status = "(aborted)", ""
	case len(e.Calls()) > 0:
		w.Text = components.Pluralize(len(e.Calls()), "tool call", "tool calls")
	case e.HasFlag(session.FlagThinking):
		w.Text = "(thinking only)"
	default:
		w.Text = "(no content)"
	}
	return w
}

func resultRowText(t *session.Tree, p session.Pos, e *session.Entry, text string) rowText {
	w := rowText{Class: "tool", Node: "tool", Tool: ToolName(e.ToolName()), Text: text, Status: OneLine(e.Status())}
	if c, at := t.CallOf(p); at != session.NoPos {
		w.Tool, w.Text = ToolName(c.Name), CallText(t, c)
	}
	if w.Tool == "" {
		w.Tool = "tool"
	}
	switch {
	case !e.HasFlag(session.FlagError):
		w.Meta, w.Status = w.Status, ""
	case w.Status == "":
		w.Status = "failed"
	}
	return w
}

// ToolName returns the name of a tool as rows show it: of a tool that a server offers, the server and
// the tool.
func ToolName(name string) string {
	if server, tool := toolkind.SplitServer(name); server != "" {
		name = server + " " + tool
	}
	return EscapeInvisible(name)
}

// CallText describes a call. It omits a leading "cd" to the working directory, which agents
// often add.
func CallText(t *session.Tree, c *session.ToolCall) string {
	text := c.CommandLine
	if text == "" {
		text = c.Arg
	}
	if there, rest, ok := strings.Cut(text, " && "); ok && rest != "" && there == "cd "+t.Header().Cwd {
		text = rest
	}
	return OneLine(text)
}

// tokensReach limits how far after a compaction its first answer is searched.
const tokensReach = 256

// EntryText returns an entry in one line of plain text.
func EntryText(t *session.Tree, p session.Pos) string {
	w := BuildRowText(t, p, t.At(p))
	if w.Tool != "" {
		return w.Tool + " " + w.Text
	}
	return w.Text
}

// NearestMessage returns the entry at p or, for settings and labels, the nearest ancestor
// that is neither.
func NearestMessage(t *session.Tree, p session.Pos) session.Pos {
	for p != session.NoPos && t.At(p).Kind.IsBookkeeping() {
		p = t.Parent(p)
	}
	return p
}

// BranchTitle returns the title of the branch that begins at head.
func BranchTitle(t *session.Tree, head session.Pos) string {
	title, entry := t.BranchTitle(head)
	if title != "" {
		return OneLine(rowtext.Cut(title, MaxRowRunes))
	}
	return EntryText(t, entry)
}

// RoleName formats "fileMention" and "file_mention" as "File mention".
func RoleName(role string) string {
	var b strings.Builder
	for i, r := range strings.ReplaceAll(OneLine(role), "_", " ") {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return UpperFirst(b.String())
}

// UpperFirst returns s with its first letter in upper case.
func UpperFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// JoinColon returns "name: text", or the name alone if there is no text.
func JoinColon(name, text string) string {
	if text == "" {
		return name
	}
	return name + ": " + text
}
