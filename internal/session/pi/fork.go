package pi

import (
	"fmt"
	"slices"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// forkPath makes a new session of the path to leaf, inclusive, as pi's createBranchedSession does
// since version 1.5. The agent opens only sessions with an answer.
func (d *dialect) forkPath(t *session.Tree, leaf session.Pos, from string, src session.LineReader, m session.IDSource) (session.NewFile, error) {
	part := session.Selection{Keep: t.Path(leaf), Top: leaf, Leaf: leaf}
	if c := singleFilePart(t, &part); c != nil {
		file, err := d.forkPath(c.tree, part.Leaf, from, c.sourceInFile(src), m)
		if err == nil {
			c.restorePositions(&file)
		}
		return file, err
	}
	path := t.Path(leaf)
	answered := func(p session.Pos) bool { return t.At(p).Kind == session.KindAssistant }
	if !slices.ContainsFunc(path, answered) {
		return session.NewFile{}, fmt.Errorf("%w: there is no answer on the path yet, and the agent opens only sessions with one. Begin a new session there with the prompt", session.ErrInvalid)
	}
	w := d.newEntryCopier(t, path, src, m)
	file, err := w.buildFile(path, from, m)
	if err != nil {
		return session.NewFile{}, err
	}
	file.AppendTrailerLabels(w.newIDs.newID)
	return file, nil
}

// encodeCopies writes one line that names the sources, and below it a copy of each entry with a new
// id, parent and time. All other bytes are as recorded.
//
// Messages and branch summaries can be copied. A copied compaction would keep entries that are not
// its ancestors, and settings and system prompts depend on their place. Models accept a tool result
// only after the answer that called the tool, and such an answer only with all results. Therefore
// an answer is copied with the results recorded below it. A result without its answer is refused,
// and so is an answer with a call that has no result.
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

// copyEntry writes a copy of the entry at p.
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

// selectCopies lists the entries to copy for ids, each once, in order.
func (w *changeEncoder) selectCopies(ids []string) ([]session.Pos, error) {
	chosen := make([]session.Pos, 0, len(ids))
	listed, answered := map[session.Pos]bool{}, map[string]bool{}
	for _, id := range ids {
		p, err := w.findEntry(id)
		if err != nil {
			return nil, err
		}
		if !listed[p] {
			listed[p] = true
			answered[w.tree.At(p).CallID()] = true
			chosen = append(chosen, p)
		}
	}
	var all []session.Pos
	open := map[string]bool{} // calls without a result so far
	for _, p := range chosen {
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

// checkCopyable returns an error if the entry at p cannot be copied after the entries before it.
// open is the set of their calls without a result.
func (w *changeEncoder) checkCopyable(p session.Pos, open map[string]bool) error {
	e := w.tree.At(p)
	switch {
	case !e.Kind.IsCopyable():
		return fmt.Errorf("%w: only messages and summaries can be copied, not a line of type %s", session.ErrInvalid, e.Role)
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

// requiredCalls lists the calls of the answer at p that need results. An aborted or failed answer
// needs none, because agents do not send it to the model.
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

// findResults lists the first result of each call of the answer at p among its descendants, up to
// the next message of the conversation.
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
