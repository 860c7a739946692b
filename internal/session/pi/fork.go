package pi

import (
	"fmt"
	"slices"

	"sessiontree/internal/session"
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
