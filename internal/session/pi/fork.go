package pi

import (
	"fmt"
	"slices"

	"sessiontree/internal/session"
)

// fork makes a new session of the path to leaf, leaf included, as pi's
// createBranchedSession does since version 1.5. The agent opens only what has an
// answer.
func (d *dialect) fork(t *session.Tree, leaf session.Pos, from string, src session.Source, m session.Mint) (session.NewFile, error) {
	part := session.Part{Keep: t.Path(leaf), Top: leaf, Leaf: leaf}
	if c := oneFile(t, &part); c != nil {
		file, err := d.fork(c.tree, part.Leaf, from, c.elsewhere(src), m)
		if err == nil {
			c.back(&file)
		}
		return file, err
	}
	path := t.Path(leaf)
	answered := func(p session.Pos) bool { return t.At(p).Kind == session.KindAssistant }
	if !slices.ContainsFunc(path, answered) {
		return session.NewFile{}, fmt.Errorf("%w: there is no answer on the path yet, and the agent opens only sessions with one. Begin a new session there with the prompt", session.ErrInvalid)
	}
	w := d.newForker(t, path, src, m)
	file, err := w.file(path, from, m)
	if err != nil {
		return session.NewFile{}, err
	}
	file.Finish(w.fresh.id)
	return file, nil
}
