package export

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"

	"sessiontree/internal/session"
	"sessiontree/internal/session/store"
)

// stepsPerRead is the number of entries that are read at a time.
const stepsPerRead = 100

// markdownWriter renders steps as Markdown.
type markdownWriter struct {
	bytes.Buffer
	*countingRedactor
	speaker string // author of the last message
}

// writeMarkdown writes the export as Markdown. A tool result follows its call.
func (j *Job) writeMarkdown(ctx context.Context, out io.Writer, c *countingRedactor) error {
	w := &markdownWriter{countingRedactor: c}
	j.writeDocumentHead(w)
	for from := 0; from < len(j.order); {
		to := min(from+stepsPerRead, len(j.order))
		for to < len(j.order) && j.order[to].isContinuation() {
			to++
		}
		if err := j.writeSteps(ctx, w, j.order[from:to]); err != nil {
			return err
		}
		if _, err := w.WriteTo(out); err != nil {
			return err
		}
		from = to
		j.reportProgress(from)
	}
	_, err := w.WriteTo(out)
	return err
}

// isContinuation reports whether the step may belong to the answer before it.
func (s *markdownStep) isContinuation() bool {
	return s.branch.of == 0 && (s.kind == session.KindToolResult || s.kind.IsBookkeeping())
}

// writeDocumentHead writes the title and the description of the document.
func (j *Job) writeDocumentHead(w *markdownWriter) {
	j.s.ReadTree(func(t *session.Tree, _ store.Revision) {
		h := t.Header()
		name := h.Name
		if name == "" {
			name = "Session " + h.ID
		}
		fmt.Fprintf(w, "# %s\n\n", escapeInline(w.redactText(name)))
		what := "the whole session"
		if at, err := j.o.Part.findEntry(t); err == nil && at != session.NoPos && j.o.Part.Scope != Tree {
			what = map[Scope]string{Path: "the path to ", Subtree: "the part below "}[j.o.Part.Scope] + t.At(at).ID
		}
		fmt.Fprintf(w, "%s, %s: %s", escapeInline(j.s.Format().Title), escapeInline(what), pluralize(j.total, "entry", "entries"))
		if h.Cwd != "" {
			fmt.Fprintf(w, ", in %s", escapeInline(w.redactText(h.Cwd)))
		}
		w.WriteString("\n\n")
	})
}

func pluralize(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// loadedStep is a step with its content.
type loadedStep struct {
	markdownStep
	entry *session.Entry
	label string
	body  session.Body
}

// writeSteps renders some steps.
func (j *Job) writeSteps(ctx context.Context, w *markdownWriter, steps []markdownStep) error {
	all, err := j.loadSteps(ctx, steps)
	if err != nil {
		return err
	}
	for i := 0; i < len(all); {
		n := 1
		if all[i].kind == session.KindAssistant && all[i].branchPoint == 0 {
			for i+n < len(all) && all[i+n].isContinuation() && all[i+n-1].branchPoint == 0 {
				n++
			}
		}
		w.writeGroup(all[i : i+n])
		i += n
	}
	return nil
}

func (j *Job) loadSteps(ctx context.Context, steps []markdownStep) ([]loadedStep, error) {
	ps := make([]session.Pos, len(steps))
	for i := range steps {
		ps[i] = steps[i].pos
	}
	bodies := make([]session.Body, len(ps))
	err := j.s.ReadRawLines(ctx, ps, func(i int, line []byte) error {
		line, err := j.stripLine(line)
		if err == nil {
			bodies[i], err = j.s.Format().DecodeBody(line)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	all := make([]loadedStep, len(steps))
	j.s.ReadTree(func(t *session.Tree, rev store.Revision) {
		if rev.Epoch != j.epoch {
			err = fmt.Errorf("%w: the export ended", session.ErrStale)
			return
		}
		for i, s := range steps {
			all[i] = loadedStep{markdownStep: s, entry: t.At(s.pos), body: bodies[i]}
			if l, ok := t.Label(s.pos); ok {
				all[i].label = l.Text
			}
		}
	})
	return all, err
}
