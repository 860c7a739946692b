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
