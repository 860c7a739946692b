package pi

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// Custom types of the lines that the explorer writes. They are state of an
// extension to the agents, which never send it to a model.
const (
	branchMarkType = "session-explorer.branch" // keeps a branch without words
	repairMarkType = "session-explorer.repair" // makes another writer's entry the leaf again
	copyMarkType   = "session-explorer.copy"   // says where the lines below it were copied from
)

// changeEncoder makes the lines of one change.
type changeEncoder struct {
	*dialect
	tree     *session.Tree
	source   session.LineReader
	newIDs   idGenerator
	now      []byte
	parentID []byte // id, as JSON, of the entry that the next line hangs on
	lines    []session.Line
}

// encodeChange makes the lines that a change appends. Of a file in an old version only
// a branch is answered, for people to look at: its entries have no ids yet that a
// line could name.
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

// encodeLabel hangs the label on the last entry, wherever its target stands: in these
// formats the last line is where the agent stands.
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

var lineBreaks = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

func (w *changeEncoder) encodeName(name string) error {
	if err := w.setParent(w.tree.Leaf()); err != nil {
		return err
	}
	if w.titleInHeader {
		return w.encodeTitle(cleanTitle(name))
	}
	name = strings.TrimFunc(lineBreaks.Replace(name), jsonl.IsSpace)
	w.writeEntry("session_info", keyValue{"name", quoteJSON(name)})
	return nil
}

// encodeTitle writes the entry that tells of a title, and the slot that holds it. In this
// order a crash between leaves the old title, as it does when the agent renames.
func (w *changeEncoder) encodeTitle(title string) error {
	if !w.tree.Header().HasTitleSlot {
		return fmt.Errorf("%w: %s", session.ErrInvalid, noTitleSlot)
	}
	payload := []keyValue{{"title", quoteJSON(title)}, {"source", quoteJSON("user")}}
	if was, _ := w.tree.RecordedNameAndLabels(); was != "" {
		payload = append(payload, keyValue{"previousTitle", quoteJSON(was)})
	}
	w.writeEntry("title_change", payload...)
	source := "user"
	if title == "" { // the agent may find one again
		source = ""
	}
	w.lines = append(w.lines, session.Line{Text: titleSlot(title, source, w.now), ReplacesSlot: true})
	return nil
}

// cleanTitle is a title as oh-my-pi keeps it: on one line, single blanks in it.
func cleanTitle(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	for strings.Contains(s, "  ") {
		s = strings.ReplaceAll(s, "  ", " ")
	}
	return strings.TrimFunc(s, jsonl.IsSpace)
}

// encodeBranch moves the leaf to where Plan says. Three kinds of lines keep it there: a
// summary, a label, or, where neither is wanted, a line of ours. A label without
// a summary stands under the new position but names the entry that was chosen.
func (w *changeEncoder) encodeBranch(c session.Change) error {
	target := session.NoPos
	if c.Entry != "" {
		p, err := w.findEntry(c.Entry)
		if err != nil {
			return err
		}
		target = p
	}
	plan := w.tree.PlanBranch(target, w.tree.Leaf())
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

// encodeBranchSummary writes what is said of the branch left behind, and the label, which
// then is the summary's. fromId is the entry that was left, as pi 1.5 has it;
// older versions wrote where the summary hangs, and none reads it.
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

// moveLeaf makes an entry the leaf by a neutral line under it.
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

// writeLabel writes a label of the entry with that id; "" clears it, for which pi
// leaves the key out.
func (w *changeEncoder) writeLabel(target []byte, text string) {
	payload := []keyValue{{"targetId", target}}
	if text != "" {
		payload = append(payload, keyValue{"label", quoteJSON(text)})
	}
	w.writeEntry("label", payload...)
}

// writeEntry writes an entry with its keys in the order in which pi writes them.
func (w *changeEncoder) writeEntry(typ string, payload ...keyValue) {
	w.writePlaced(func(place []keyValue) []byte {
		return composeObject(slices.Concat([]keyValue{{"type", quoteJSON(typ)}}, place, payload)...)
	})
}

// writeMarker writes a line of ours, in pi's order for them, which is another one.
func (w *changeEncoder) writeMarker(mark string, data ...keyValue) {
	w.writePlaced(func(place []keyValue) []byte {
		head := []keyValue{{"type", quoteJSON("custom")}, {"customType", quoteJSON(mark)}}
		if len(data) > 0 {
			head = append(head, keyValue{"data", composeObject(data...)})
		}
		return composeObject(append(head, place...)...)
	})
}

// writePlaced takes a line made for its place in the tree, and hangs the next one on it.
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

// setParent hangs the next line on the entry at p.
func (w *changeEncoder) setParent(p session.Pos) (err error) {
	w.parentID = jsonNull
	if p != session.NoPos {
		w.parentID, err = w.recordedIDAt(p)
	}
	return err
}

// recordedIDAt is the id of the entry at p as its line has it: an id that is a number, or
// holds half a character, must be named in the same way.
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

// recordedID is the id of a line as it stands there, nil when it has none.
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
