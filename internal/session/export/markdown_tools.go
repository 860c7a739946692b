package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
)

// writeCall renders a tool call with its result.
func (w *markdownWriter) writeCall(b session.Block, result *loadedStep) {
	args, arg := w.formatArguments(b.Args)
	body, status := args, ""
	if result != nil {
		body += w.toolOutput(result.body)
		if status = result.entry.Status(); status == "" && result.entry.HasFlag(session.FlagError) {
			status = "failed"
		}
	}
	head := b.Name
	if arg != "" {
		head += ": " + arg
	}
	w.writeDetails(head, status, body)
}

// writeDetails writes a collapsed section. status is a word or two.
func (w *markdownWriter) writeDetails(head, status, body string) {
	head = rowtext.Cut(singleLine(w.redactText(removeControls(head))), 199)
	if status != "" {
		head += " · " + status
	}
	fmt.Fprintf(w, "<details><summary>%s</summary>\n\n%s\n</details>\n\n", escapeHTMLLine(head), body)
}

// shellCommand renders the command that the user ran.
func (w *markdownWriter) shellCommand(body session.Body) string {
	for _, b := range body.Blocks {
		if b.Kind == session.BlockToolCall {
			args, _ := w.formatArguments(b.Args)
			return args
		}
	}
	return ""
}

// toolOutput renders the shortened output of a tool.
func (w *markdownWriter) toolOutput(body session.Body) string {
	var all strings.Builder
	for _, b := range body.Blocks {
		switch b.Kind {
		case session.BlockText, session.BlockOutput, session.BlockError, session.BlockFile:
			if strings.TrimSpace(b.Text) != "" {
				all.WriteString(codeFence("", w.shortenOutput(b.Text)) + "\n")
			}
		case session.BlockDiff:
			all.WriteString(codeFence("diff", w.shortenOutput(b.Text)) + "\n")
		case session.BlockImage:
			fmt.Fprintf(&all, "*(image %s)*\n\n", escapeInline(b.Name))
		}
	}
	return all.String()
}

// formatArguments renders the arguments of a call: as JSON, or if there is only one
// descriptive text, as that text. arg is its first line.
func (w *markdownWriter) formatArguments(raw json.RawMessage) (body, arg string) {
	if len(raw) == 0 {
		return "", ""
	}
	var named map[string]any
	if json.Unmarshal(raw, &named) != nil {
		return codeFence("", w.shortenOutput(string(raw))), ""
	}
	for _, key := range []string{"command", "cmd", "path", "file_path", "filePath", "pattern", "query", "url", "code", "description"} {
		text, ok := named[key].(string)
		if !ok || strings.TrimSpace(text) == "" {
			continue
		}
		arg = rowtext.Cut(singleLine(w.redactUncounted(removeControls(text))), 119)
		if len(named) == 1 {
			return codeFence("", w.shortenOutput(text)), arg
		}
		break
	}
	if line, err := w.redactJSON(raw); err == nil {
		raw = line
	} else {
		raw = []byte(w.redactText(string(raw)))
	}
	var pretty bytes.Buffer
	if json.Indent(&pretty, raw, "", "  ") == nil {
		raw = pretty.Bytes()
	}
	return codeFence("json", omitMiddle(string(raw))), arg
}

// redactUncounted redacts a text whose values are counted elsewhere.
func (w *markdownWriter) redactUncounted(s string) string {
	if w.redactor == nil {
		return s
	}
	out, _ := w.redactor.RedactText(s, w.classes)
	return out
}

// shortenOutput redacts a text and omits the middle of a long one.
func (w *markdownWriter) shortenOutput(s string) string {
	return omitMiddle(w.redactText(removeControls(s)))
}

const (
	maxOutputLines = 40
	maxOutputBytes = 4 << 10
)

func omitMiddle(s string) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	if n := len(lines) - maxOutputLines; n > 0 {
		lines = append(append(lines[:maxOutputLines/2:maxOutputLines/2], fmt.Sprintf("… %s left out …", pluralize(n, "line", "lines"))), lines[len(lines)-maxOutputLines/2:]...)
	}
	s = strings.Join(lines, "\n")
	if n := len(s) - maxOutputBytes; n > 0 {
		s = strings.ToValidUTF8(s[:maxOutputBytes/2], "") + fmt.Sprintf("\n… %d bytes left out …\n", n) + strings.ToValidUTF8(s[len(s)-maxOutputBytes/2:], "")
	}
	return s
}
