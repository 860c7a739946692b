package pi

import (
	"fmt"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// encodeCopies writes one line that says where the others come from, and under it each
// entry again, with an id, a parent and a time of its own and else byte for byte
// what was recorded.
//
// Messages and summaries of branches can be copied. Of a compaction the copy would
// keep entries that do not stand above it any more, and settings and system prompts
// belong where they are. Models accept a tool's result only after the answer that
// called the tool, and such an answer only with all results: an answer therefore
// takes the results with it that are recorded below it, a result whose answer is
// not copied is refused, and so is an answer one of whose calls was never answered.
func (w *changeEncoder) encodeCopies(ids []string) error {
	all, err := w.selectCopies(ids)
	if err != nil {
		return err
	}
	if err := w.setParent(w.tree.Leaf()); err != nil {
		return err
	}
	from := make([]string, len(all))
	for i, p := range all {
		from[i] = w.tree.At(p).ID
	}
	w.writeMarker(copyMarkType, keyValue{"from", quoteJSONList(from)})
	for _, p := range all {
		if err := w.copyEntry(p); err != nil {
			return err
		}
	}
	return nil
}

// copyEntry writes the entry at p again.
func (w *changeEncoder) copyEntry(p session.Pos) error {
	line, err := w.source(p)
	if err != nil {
		return err
	}
	w.writePlaced(func(place []keyValue) []byte {
		for _, at := range place {
			if err == nil {
				line, err = jsonl.SetKey(line, at.value, at.key)
			}
		}
		return line
	})
	return err
}

// selectCopies lists what is copied for these ids, each entry once, in order.
func (w *changeEncoder) selectCopies(ids []string) ([]session.Pos, error) {
	asked := make([]session.Pos, 0, len(ids))
	listed, answered := map[session.Pos]bool{}, map[string]bool{}
	for _, id := range ids {
		p, err := w.findEntry(id)
		if err != nil {
			return nil, err
		}
		if !listed[p] {
			listed[p] = true
			answered[w.tree.At(p).CallID()] = true
			asked = append(asked, p)
		}
	}
	var all []session.Pos
	open := map[string]bool{} // calls that wait for their result
	for _, p := range asked {
		if err := w.checkCopyable(p, open); err != nil {
			return nil, err
		}
		all = append(all, p)
		for _, result := range w.findResults(p) {
			if call := w.tree.At(result).CallID(); !answered[call] {
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

// checkCopyable reports why the entry at p cannot be copied after the entries before it,
// which left calls open.
func (w *changeEncoder) checkCopyable(p session.Pos, open map[string]bool) error {
	e := w.tree.At(p)
	switch {
	case !e.Kind.IsCopyable():
		return fmt.Errorf("%w: only messages and summaries can be copied, and this is a line of another kind (%s)", session.ErrInvalid, e.Role)
	case e.Kind == session.KindToolResult:
		if !open[e.CallID()] {
			return fmt.Errorf("%w: a tool's result can only be copied with the answer that called the tool: choose the answer", session.ErrInvalid)
		}
		delete(open, e.CallID())
	case len(open) > 0:
		return errOpenCalls
	}
	for _, id := range w.requiredCalls(p) {
		open[id] = true
	}
	return nil
}

// requiredCalls lists the calls of the answer at p that must be answered. Agents send no
// answer to a model that broke off.
func (w *changeEncoder) requiredCalls(p session.Pos) (ids []string) {
	e := w.tree.At(p)
	if e.Kind != session.KindAssistant || e.StopReason() == "aborted" || e.StopReason() == "error" {
		return nil
	}
	for i := range e.Calls() {
		ids = append(ids, e.Calls()[i].ID)
	}
	return ids
}

// findResults lists the first result of each call of the answer at p among those that
// stand below it, before the conversation goes on.
func (w *changeEncoder) findResults(p session.Pos) (found []session.Pos) {
	wanted := w.requiredCalls(p)
	todo := []session.Pos{p}
	for len(todo) > 0 && len(wanted) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		e := w.tree.At(at)
		if i := slices.Index(wanted, e.CallID()); e.Kind == session.KindToolResult && i >= 0 {
			found, wanted = append(found, at), slices.Delete(wanted, i, i+1)
		}
		if at == p || e.Kind == session.KindToolResult || e.Kind.IsBookkeeping() {
			kids := slices.Clone(w.tree.Children(at))
			slices.Reverse(kids)
			todo = append(todo, kids...)
		}
	}
	return found
}
