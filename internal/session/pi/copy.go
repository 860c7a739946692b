package pi

import (
	"fmt"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// copies writes one line that says where the others come from, and under it each
// entry again, with an id, a parent and a time of its own and else byte for byte
// what was recorded.
//
// Messages and summaries of branches can be copied. Of a compaction the copy would
// keep entries that do not stand above it any more, and settings and system prompts
// belong where they are. Models accept a tool's result only after the answer that
// called the tool, and such an answer only with all results: an answer therefore
// takes the results with it that are recorded below it, a result whose answer is
// not copied is refused, and so is an answer one of whose calls was never answered.
func (w *encoder) copies(ids []string) error {
	all, err := w.toCopy(ids)
	if err != nil {
		return err
	}
	if err := w.under(w.tree.Leaf()); err != nil {
		return err
	}
	from := make([]string, len(all))
	for i, p := range all {
		from[i] = w.tree.At(p).ID
	}
	w.custom(copyMark, pair{"from", texts(from)})
	for _, p := range all {
		if err := w.copy(p); err != nil {
			return err
		}
	}
	return nil
}

// copy writes the entry at p again.
func (w *encoder) copy(p session.Pos) error {
	line, err := w.src(p)
	if err != nil {
		return err
	}
	w.write(func(place []pair) []byte {
		for _, at := range place {
			if err == nil {
				line, err = jsonl.Set(line, at.value, at.key)
			}
		}
		return line
	})
	return err
}

// toCopy lists what is copied for these ids, each entry once, in order.
func (w *encoder) toCopy(ids []string) ([]session.Pos, error) {
	asked := make([]session.Pos, 0, len(ids))
	listed, answered := map[session.Pos]bool{}, map[string]bool{}
	for _, id := range ids {
		p, err := w.find(id)
		if err != nil {
			return nil, err
		}
		if !listed[p] {
			listed[p] = true
			answered[w.tree.At(p).Call] = true
			asked = append(asked, p)
		}
	}
	var all []session.Pos
	open := map[string]bool{} // calls that wait for their result
	for _, p := range asked {
		if err := w.follows(p, open); err != nil {
			return nil, err
		}
		all = append(all, p)
		for _, result := range w.results(p) {
			if call := w.tree.At(result).Call; !answered[call] {
				delete(open, call)
				all = append(all, result)
			}
		}
	}
	switch {
	case len(all) == 0:
		return nil, fmt.Errorf("%w: nothing was chosen to be copied", session.ErrInvalid)
	case len(open) > 0:
		return nil, errOpenCalls
	}
	return all, nil
}

var errOpenCalls = fmt.Errorf("%w: an answer whose tool calls have no result cannot be copied", session.ErrInvalid)

// follows reports why the entry at p cannot be copied after the entries before it,
// which left calls open.
func (w *encoder) follows(p session.Pos, open map[string]bool) error {
	e := w.tree.At(p)
	switch {
	case !e.Kind.Copies():
		return fmt.Errorf("%w: only messages and summaries can be copied, and this is a line of another kind (%s)", session.ErrInvalid, e.Role)
	case e.Kind == session.KindToolResult:
		if !open[e.Call] {
			return fmt.Errorf("%w: a tool's result can only be copied with the answer that called the tool: choose the answer", session.ErrInvalid)
		}
		delete(open, e.Call)
	case len(open) > 0:
		return errOpenCalls
	}
	for _, id := range w.calls(p) {
		open[id] = true
	}
	return nil
}

// calls lists the calls of the answer at p that must be answered. Agents send no
// answer to a model that broke off.
func (w *encoder) calls(p session.Pos) (ids []string) {
	e := w.tree.At(p)
	if e.Kind != session.KindAssistant || e.Stop == "aborted" || e.Stop == "error" {
		return nil
	}
	for i := range e.Calls {
		ids = append(ids, e.Calls[i].ID)
	}
	return ids
}

// results lists the first result of each call of the answer at p among those that
// stand below it, before the conversation goes on.
func (w *encoder) results(p session.Pos) (found []session.Pos) {
	wanted := w.calls(p)
	todo := []session.Pos{p}
	for len(todo) > 0 && len(wanted) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		e := w.tree.At(at)
		if i := slices.Index(wanted, e.Call); e.Kind == session.KindToolResult && i >= 0 {
			found, wanted = append(found, at), slices.Delete(wanted, i, i+1)
		}
		if at == p || e.Kind == session.KindToolResult || e.Kind.Bookkeeping() {
			kids := slices.Clone(w.tree.Children(at))
			slices.Reverse(kids)
			todo = append(todo, kids...)
		}
	}
	return found
}
