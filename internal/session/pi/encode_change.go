package pi

import (
	"fmt"
	"slices"
	"strings"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// Custom types of the lines that the explorer writes. To the agents they are the state of an
// extension, which they never send to a model.
const (
	branchMarkType = "session-explorer.branch" // keeps a branch without a message
	repairMarkType = "session-explorer.repair" // makes an entry the leaf again after another writer
	copyMarkType   = "session-explorer.copy"   // names the sources of the copies below it
)

// changeEncoder encodes the lines of one change.
type changeEncoder struct {
	*dialect
	tree     *session.Tree
	source   session.LineReader
	newIDs   idGenerator
	now      []byte
	parentID []byte // id, as JSON, of the parent of the next line
	lines    []session.Line
}

// encodeChange encodes a change as lines to append. For a file in an old version it only encodes a
// branch, as a preview, because a line cannot name entries without ids.
func (d *dialect) encodeChange(t *session.Tree, c session.Change, src session.LineReader, m session.IDSource) ([]session.Line, error) {
	w := &changeEncoder{dialect: d, tree: t, source: src, now: quoteJSON(formatISO(m.Now)), parentID: jsonNull}
	w.newIDs = idGenerator{ids: m, taken: func(id string) bool { return t.FindID(id) != session.NoPos }}
	if t.Header().Migrated && c.Op != session.OpBranch {
		return nil, fmt.Errorf("%w: %s", session.ErrInvalid, migrateFirst)
	}
	if err := w.encodeOp(c); err != nil {
		return nil, err
	}
	return w.lines, nil
}

func (w *changeEncoder) encodeOp(c session.Change) error {
	switch c.Op {
	case session.OpLabel:
		return w.encodeLabel(c)
	case session.OpName:
		return w.encodeName(c.Text)
	case session.OpBranch:
		return w.encodeBranch(c)
	case session.OpSwitch:
		return w.moveLeaf(c.Entry, branchMarkType)
	case session.OpRepair:
		return w.moveLeaf(c.Entry, repairMarkType)
	case session.OpCopy:
		return w.encodeCopies(c.CopyIDs)
	}
	return fmt.Errorf("%w: no change %d", session.ErrInvalid, c.Op)
}

// encodeLabel writes the label below the last entry, wherever its target is, because the last line
// is the leaf in these formats.
func (w *changeEncoder) encodeLabel(c session.Change) error {
	target, err := w.findEntry(c.Entry)
	if err != nil {
		return err
	}
	id, err := w.recordedIDAt(target)
	if err != nil {
		return err
	}
	if err := w.setParent(w.tree.Leaf()); err != nil {
		return err
	}
	w.writeLabel(id, c.Text)
	return nil
}

// encodeBranch moves the leaf to the position that PlanBranch returns. The new leaf is a summary, a
// label or, if neither is wanted, a marker line. A label without a summary is a child of the new
// position but names the chosen entry.
func (w *changeEncoder) encodeBranch(c session.Change) error {
	target := session.NoPos
	if c.Entry != "" {
		p, err := w.findEntry(c.Entry)
		if err != nil {
			return err
		}
		target = p
	}
	plan := session.PlanBranch(w.tree, target, w.tree.Leaf())
	if plan.IsNoop {
		return nil
	}
	if err := w.setParent(plan.NewLeaf); err != nil {
		return err
	}
	switch {
	case c.Summary != nil:
		return w.encodeBranchSummary(plan, c)
	case c.Label == "":
		w.writeMarker(branchMarkType)
		return nil
	case target == session.NoPos:
		return fmt.Errorf("%w: before the first entry there is nothing to label", session.ErrInvalid)
	}
	id, err := w.recordedIDAt(target)
	if err != nil {
		return err
	}
	w.writeLabel(id, c.Label)
	return nil
}

// encodeBranchSummary writes a summary of the abandoned branch, and the label, which then names the
// summary. fromId is the old leaf, as in pi 1.5; older versions wrote the parent of the summary,
// and no version reads it.
func (w *changeEncoder) encodeBranchSummary(plan session.BranchPlan, c session.Change) error {
	s := c.Summary
	if strings.TrimFunc(s.Text, jsonl.IsSpace) == "" {
		return fmt.Errorf("%w: the summary is empty", session.ErrInvalid)
	}
	from := "root"
	if plan.OldLeaf != session.NoPos {
		from = w.tree.At(plan.OldLeaf).ID
	}
	payload := []keyValue{
		{"fromId", quoteJSON(from)}, {"summary", quoteJSON(s.Text)},
		{"details", composeObject(keyValue{"readFiles", quoteJSONList(s.Read)}, keyValue{"modifiedFiles", quoteJSONList(s.Modified)})},
	}
	if s.Program {
		payload = append(payload, keyValue{w.programKey, []byte("true")})
	}
	w.writeEntry("branch_summary", payload...)
	if c.Label != "" {
		w.writeLabel(w.parentID, c.Label)
	}
	return nil
}

// moveLeaf makes an entry the leaf by a marker line below it.
func (w *changeEncoder) moveLeaf(id, mark string) error {
	p, err := w.findEntry(id)
	if err != nil || p == w.tree.Leaf() {
		return err
	}
	if err := w.setParent(p); err != nil {
		return err
	}
	w.writeMarker(mark)
	return nil
}

// writeLabel writes a label of the entry with id target. An empty text clears the label; pi omits
// the key then.
func (w *changeEncoder) writeLabel(target []byte, text string) {
	payload := []keyValue{{"targetId", target}}
	if text != "" {
		payload = append(payload, keyValue{"label", quoteJSON(text)})
	}
	w.writeEntry("label", payload...)
}

// writeEntry writes an entry with its keys in pi's order.
func (w *changeEncoder) writeEntry(typ string, payload ...keyValue) {
	w.writePlaced(func(place []keyValue) []byte {
		return composeObject(slices.Concat([]keyValue{{"type", quoteJSON(typ)}}, place, payload)...)
	})
}

// writeMarker writes a marker line, with its keys in pi's order for custom entries.
func (w *changeEncoder) writeMarker(mark string, data ...keyValue) {
	w.writePlaced(func(place []keyValue) []byte {
		head := []keyValue{{"type", quoteJSON("custom")}, {"customType", quoteJSON(mark)}}
		if len(data) > 0 {
			head = append(head, keyValue{"data", composeObject(data...)})
		}
		return composeObject(append(head, place...)...)
	})
}

// writePlaced writes a line with its id, parent and time, which line receives. The next line
// becomes its child.
func (w *changeEncoder) writePlaced(line func(place []keyValue) []byte) {
	id := w.newIDs.newID()
	name := quoteJSON(id)
	text := line([]keyValue{{"id", name}, {"parentId", w.parentID}, {"timestamp", w.now}})
	w.lines = append(w.lines, session.Line{ID: id, Text: text})
	w.parentID = name
}

func (w *changeEncoder) findEntry(id string) (session.Pos, error) { return findByID(w.tree, id) }

func findByID(t *session.Tree, id string) (session.Pos, error) {
	p := t.FindID(id)
	if p == session.NoPos {
		return p, fmt.Errorf("%w: there is no entry %s", session.ErrNotFound, id)
	}
	return p, nil
}

// setParent makes the entry at p the parent of the next line.
func (w *changeEncoder) setParent(p session.Pos) (err error) {
	w.parentID = jsonNull
	if p != session.NoPos {
		w.parentID, err = w.recordedIDAt(p)
	}
	return err
}

// recordedIDAt returns the id of the entry at p as recorded. An id that is a number or holds half a
// character must be written in the same way.
func (w *changeEncoder) recordedIDAt(p session.Pos) ([]byte, error) {
	e := w.tree.At(p)
	if w.tree.Header().Migrated {
		return quoteJSON(e.ID), nil
	}
	line, err := w.source(p)
	if err != nil {
		return nil, err
	}
	id, err := recordedID(line)
	if err == nil && id == nil {
		err = fmt.Errorf("%w: line %d records no id, so that no other line can name it", session.ErrInvalid, e.Span.Line)
	}
	return id, err
}

// recordedID returns the recorded id of a line, nil if it has none.
func recordedID(line []byte) ([]byte, error) {
	c := jsonl.NewCursor(line)
	var id jsonl.Value
	for ok := c.EnterObject(); ok; ok = c.More() {
		if string(c.Key()) == "id" {
			id = c.Value()
		} else {
			c.Skip()
		}
	}
	if err := c.End(); err != nil || !isID(id) {
		return nil, err
	}
	return slices.Clone(id.Raw), nil
}
