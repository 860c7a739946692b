package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"sessiontree/internal/session"
)

// call tells a tool's call, with what came of it.
func (w *writer) call(b session.Block, result *told) {
	args, arg := w.arguments(b.Args)
	body, status := args, ""
	if result != nil {
		body += w.output(result.body)
		if status = result.entry.Status; status == "" && result.entry.Has(session.FlagError) {
			status = "failed"
		}
	}
	head := b.Name
	if arg != "" {
		head += ": " + arg
	}
	w.folded(head, status, body)
}

// folded is what a reader opens. status is a word or two.
func (w *writer) folded(head, status, body string) {
	head = cut(oneLine(w.text(printable(head))), 200)
	if status != "" {
		head += " · " + status
	}
	fmt.Fprintf(w, "<details><summary>%s</summary>\n\n%s\n</details>\n\n", tag(head), body)
}

// command is what was run by the user.
func (w *writer) command(body session.Body) string {
	for _, b := range body.Blocks {
		if b.Kind == session.BlockToolCall {
			args, _ := w.arguments(b.Args)
			return args
		}
	}
	return ""
}

// output is what a tool answered, in short.
func (w *writer) output(body session.Body) string {
	var all strings.Builder
	for _, b := range body.Blocks {
		switch b.Kind {
		case session.BlockText, session.BlockOutput, session.BlockError, session.BlockFile:
			if strings.TrimSpace(b.Text) != "" {
				all.WriteString(code("", w.short(b.Text)) + "\n")
			}
		case session.BlockDiff:
			all.WriteString(code("diff", w.short(b.Text)) + "\n")
		case session.BlockImage:
			fmt.Fprintf(&all, "*(image %s)*\n\n", plain(b.Name))
		}
	}
	return all.String()
}

// arguments are a call's, as JSON or, when there is a text that tells most, as that
// text; arg is its first line.
func (w *writer) arguments(raw json.RawMessage) (body, arg string) {
	if len(raw) == 0 {
		return "", ""
	}
	var named map[string]any
	if json.Unmarshal(raw, &named) != nil {
		return code("", w.short(string(raw))), ""
	}
	for _, key := range []string{"command", "cmd", "path", "file_path", "filePath", "pattern", "query", "url", "code", "description"} {
		text, ok := named[key].(string)
		if !ok || strings.TrimSpace(text) == "" {
			continue
		}
		arg = cut(oneLine(w.cleanOnly(printable(text))), 120)
		if len(named) == 1 {
			return code("", w.short(text)), arg
		}
		break
	}
	if line, err := w.json(raw); err == nil {
		raw = line
	} else {
		raw = []byte(w.text(string(raw)))
	}
	var pretty bytes.Buffer
	if json.Indent(&pretty, raw, "", "  ") == nil {
		raw = pretty.Bytes()
	}
	return code("json", shortened(string(raw))), arg
}

// cleanOnly cleans a text that is counted elsewhere.
func (w *writer) cleanOnly(s string) string {
	if w.redactor == nil {
		return s
	}
	out, _ := w.redactor.Replace(s, w.classes)
	return out
}

// short cleans a text and leaves its middle out when it is long.
func (w *writer) short(s string) string { return shortened(w.text(printable(s))) }

const (
	mostLines = 40
	mostBytes = 4 << 10
)

func shortened(s string) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	if n := len(lines) - mostLines; n > 0 {
		lines = append(append(lines[:mostLines/2:mostLines/2], fmt.Sprintf("… %s left out …", counting(n, "line", "lines"))), lines[len(lines)-mostLines/2:]...)
	}
	s = strings.Join(lines, "\n")
	if n := len(s) - mostBytes; n > 0 {
		s = strings.ToValidUTF8(s[:mostBytes/2], "") + fmt.Sprintf("\n… %d bytes left out …\n", n) + strings.ToValidUTF8(s[len(s)-mostBytes/2:], "")
	}
	return s
}

// cut is s with at most n characters.
func cut(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
