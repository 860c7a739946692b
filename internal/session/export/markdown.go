package export

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// pageSteps is how many entries are read at a time.
const pageSteps = 100

// writer tells steps as Markdown, a page at a time.
type writer struct {
	bytes.Buffer
	*cleaner
	speaker string // who spoke last
}

// markdown writes the export. What a tool answered is told with its call.
func (j *Job) markdown(ctx context.Context, out io.Writer, c *cleaner) error {
	w := &writer{cleaner: c}
	j.head(w)
	for from := 0; from < len(j.order); {
		to := min(from+pageSteps, len(j.order))
		for to < len(j.order) && j.order[to].follows() {
			to++
		}
		if err := j.page(ctx, w, j.order[from:to]); err != nil {
			return err
		}
		if _, err := w.WriteTo(out); err != nil {
			return err
		}
		from = to
		j.progress(from)
	}
	_, err := w.WriteTo(out)
	return err
}

// follows reports whether the step may belong to the answer before it.
func (s *step) follows() bool {
	return s.branch.of == 0 && (s.kind == session.KindToolResult || s.kind.Bookkeeping())
}

// head says what the document is.
func (j *Job) head(w *writer) {
	j.s.Read(func(t *session.Tree, _ store.Rev) {
		h := t.Header()
		name := h.Name
		if name == "" {
			name = "Session " + h.ID
		}
		fmt.Fprintf(w, "# %s\n\n", plain(w.text(name)))
		what := "the whole session"
		if at, err := j.o.Part.entry(t); err == nil && at != session.NoPos && j.o.Part.Scope != Tree {
			what = map[Scope]string{Path: "the path to ", Subtree: "the part below "}[j.o.Part.Scope] + t.At(at).ID
		}
		fmt.Fprintf(w, "%s, %s: %s", plain(j.s.Format().Title), plain(what), counting(j.total, "entry", "entries"))
		if h.Cwd != "" {
			fmt.Fprintf(w, ", in %s", plain(w.text(h.Cwd)))
		}
		w.WriteString("\n\n")
	})
}

func counting(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// told is a step with what it takes to tell it.
type told struct {
	step
	entry *session.Entry
	label string
	body  session.Body
}

// page tells some steps.
func (j *Job) page(ctx context.Context, w *writer, steps []step) error {
	all, err := j.read(ctx, steps)
	if err != nil {
		return err
	}
	for i := 0; i < len(all); {
		n := 1
		if all[i].kind == session.KindAssistant && all[i].point == 0 {
			for i+n < len(all) && all[i+n].follows() && all[i+n-1].point == 0 {
				n++
			}
		}
		w.group(all[i : i+n])
		i += n
	}
	return nil
}

func (j *Job) read(ctx context.Context, steps []step) ([]told, error) {
	ps := make([]session.Pos, len(steps))
	for i := range steps {
		ps[i] = steps[i].at
	}
	bodies := make([]session.Body, len(ps))
	err := j.s.Recorded(ctx, ps, func(i int, line []byte) error {
		line, err := j.strip(line)
		if err == nil {
			bodies[i], err = j.s.Format().Body(line)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	all := make([]told, len(steps))
	j.s.Read(func(t *session.Tree, rev store.Rev) {
		if rev.Epoch != j.epoch {
			err = fmt.Errorf("%w: the export ended", session.ErrStale)
			return
		}
		for i, s := range steps {
			all[i] = told{step: s, entry: t.At(s.at), body: bodies[i]}
			if l, ok := t.Label(s.at); ok {
				all[i].label = l.Text
			}
		}
	})
	return all, err
}

// group tells an entry, and the results of its calls folded under them.
func (w *writer) group(all []told) {
	results, had := map[string]*told{}, map[*told]bool{}
	for i := range all[1:] {
		if r := &all[1+i]; r.kind == session.KindToolResult && results[r.call] == nil {
			results[r.call] = r
		}
	}
	for i := range all {
		x := &all[i]
		if had[x] {
			w.marks(x)
			continue
		}
		w.begin(x)
		for _, b := range x.body.Blocks {
			if b.Kind != session.BlockToolCall || x.kind == session.KindShell {
				continue
			}
			if r := results[b.ID]; r != nil {
				had[r] = true
			}
		}
		w.entry(x, results)
		w.end(x)
	}
}

// begin says which branch begins.
func (w *writer) begin(x *told) {
	if b := x.branch; b.of > 0 {
		fmt.Fprintf(w, "## Branch %d of %d at branch point %d\n\n", b.n, b.of, b.point)
		w.speaker = ""
	}
}

// marks tells the label of an entry that has no place of its own.
func (w *writer) marks(x *told) {
	if x.label != "" {
		fmt.Fprintf(w, "**Label: %s**\n\n", plain(w.text(x.label)))
	}
	w.end(x)
}

// end names the branch point that an entry is.
func (w *writer) end(x *told) {
	if x.point > 0 {
		fmt.Fprintf(w, "**Branch point %d:** %d branches go on from here.\n\n", x.point, x.branches)
	}
	if x.others > 0 {
		fmt.Fprintf(w, "*%s from here %s not part of this export.*\n\n", counting(x.others, "more branch", "more branches"), map[bool]string{true: "is", false: "are"}[x.others == 1])
	}
}

// says begins what somebody said, unless they go on.
func (w *writer) says(x *told, who string) {
	if w.speaker != who || x.label != "" || who == you {
		w.WriteString("### " + plain(who))
		if x.entry.Time != session.NoTime {
			w.WriteString(", " + time.UnixMilli(x.entry.Time).UTC().Format("2006-01-02 15:04 UTC"))
		}
		w.WriteString("\n\n")
	}
	if w.speaker = who; x.label != "" {
		fmt.Fprintf(w, "**Label: %s**\n\n", plain(w.text(x.label)))
	}
}

const you = "You"

// entry tells what an entry says. Settings and state are left out.
func (w *writer) entry(x *told, results map[string]*told) {
	e := x.entry
	switch {
	case x.kind == session.KindUser:
		w.says(x, you)
		w.blocks(x, results)
	case x.kind == session.KindAssistant:
		w.says(x, strings.TrimSpace("Answer "+e.Name))
		w.blocks(x, results)
	case x.kind == session.KindToolResult:
		w.marks(&told{label: x.label})
		w.folded("Result of "+e.Name, e.Status, w.output(x.body))
	case x.kind == session.KindShell:
		w.says(x, you)
		w.folded("Command", e.Status, w.command(x.body)+w.output(x.body))
	case x.kind == session.KindCompaction, x.kind == session.KindBranchSummary:
		w.summary(x)
	case x.kind == session.KindSystem:
		w.marks(&told{label: x.label})
		w.folded("System prompt", "", w.prose(x.body))
	case e.Has(session.FlagHidden), x.kind.Bookkeeping():
		w.marks(&told{label: x.label})
	default:
		w.says(x, strings.TrimSpace(e.Role+" "+e.Name))
		w.blocks(x, results)
	}
}

// summary tells a compaction, or the summary of a branch that was left.
func (w *writer) summary(x *told) {
	head := "Compacted"
	if x.kind == session.KindBranchSummary {
		head = "Summary of a branch that was left"
	} else if n := x.entry.Tokens; n > 0 {
		head += fmt.Sprintf(" from %d tokens", n)
	}
	w.speaker = ""
	fmt.Fprintf(w, "---\n\n")
	w.marks(&told{label: x.label})
	w.folded(head, "", w.prose(x.body))
	w.WriteString("---\n\n")
}

// blocks tells a body in order. Thinking is left out.
func (w *writer) blocks(x *told, results map[string]*told) {
	for _, b := range x.body.Blocks {
		switch b.Kind {
		case session.BlockText:
			w.WriteString(w.markdown(b) + "\n\n")
		case session.BlockToolCall:
			w.call(b, results[b.ID])
		case session.BlockImage:
			fmt.Fprintf(w, "*(image %s)*\n\n", plain(b.Name))
		case session.BlockError:
			fmt.Fprintf(w, "**Error:** %s\n\n", plain(w.text(printable(b.Text))))
		case session.BlockFile, session.BlockAside:
			w.folded(b.Name, "", code("", w.short(b.Text)))
		case session.BlockOutput, session.BlockDiff:
			w.folded("Output", "", w.output(session.Body{Blocks: []session.Block{b}}))
		}
	}
}

// markdown is a text that is Markdown itself.
func (w *writer) markdown(b session.Block) string {
	md := harmless(w.text(printable(b.Text)))
	if b.Name != "" {
		md = "**" + plain(b.Name) + "**\n\n" + md
	}
	return md
}

// prose is the texts of a body.
func (w *writer) prose(body session.Body) string {
	var all []string
	for _, b := range body.Blocks {
		if b.Kind == session.BlockText {
			all = append(all, w.markdown(b))
		}
	}
	return strings.Join(all, "\n\n") + "\n"
}

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
