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
	branchMark = "session-explorer.branch" // keeps a branch without words
	repairMark = "session-explorer.repair" // makes another writer's entry the leaf again
	copyMark   = "session-explorer.copy"   // says where the lines below it were copied from
)

// encoder makes the lines of one change.
type encoder struct {
	*dialect
	tree  *session.Tree
	src   session.Source
	fresh fresh
	now   []byte
	above []byte // id, as JSON, of the entry that the next line hangs on
	lines []session.Line
}

// encode makes the lines that a change appends. Of a file in an old version only
// a branch is answered, for people to look at: its entries have no ids yet that a
// line could name.
func (d *dialect) encode(t *session.Tree, c session.Change, src session.Source, m session.Mint) ([]session.Line, error) {
	w := &encoder{dialect: d, tree: t, src: src, now: quoted(iso(m.Now)), above: null}
	w.fresh = fresh{mint: m, taken: func(id string) bool { return t.Find(id) != session.NoPos }}
	if t.Header().Migrated && c.Op != session.OpBranch {
		return nil, fmt.Errorf("%w: %s", session.ErrInvalid, migrateFirst)
	}
	if err := w.change(c); err != nil {
		return nil, err
	}
	return w.lines, nil
}

func (w *encoder) change(c session.Change) error {
	switch c.Op {
	case session.OpLabel:
		return w.relabel(c)
	case session.OpName:
		return w.rename(c.Text)
	case session.OpBranch:
		return w.branch(c)
	case session.OpSwitch:
		return w.stay(c.Entry, branchMark)
	case session.OpRepair:
		return w.stay(c.Entry, repairMark)
	case session.OpCopy:
		return w.copies(c.Copies)
	}
	return fmt.Errorf("%w: no change %d", session.ErrInvalid, c.Op)
}

// relabel hangs the label on the last entry, wherever its target stands: in these
// formats the last line is where the agent stands.
func (w *encoder) relabel(c session.Change) error {
	target, err := w.find(c.Entry)
	if err != nil {
		return err
	}
	id, err := w.ref(target)
	if err != nil {
		return err
	}
	if err := w.under(w.tree.Leaf()); err != nil {
		return err
	}
	w.label(id, c.Text)
	return nil
}

var lineBreaks = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

func (w *encoder) rename(name string) error {
	if err := w.under(w.tree.Leaf()); err != nil {
		return err
	}
	if w.titled {
		return w.retitle(cleanTitle(name))
	}
	name = strings.TrimFunc(lineBreaks.Replace(name), jsonl.IsSpace)
	w.add("session_info", pair{"name", quoted(name)})
	return nil
}

// retitle writes the entry that tells of a title, and the slot that holds it. In this
// order a crash between leaves the old title, as it does when the agent renames.
func (w *encoder) retitle(title string) error {
	if !w.tree.Header().Slot {
		return fmt.Errorf("%w: %s", session.ErrInvalid, noSlot)
	}
	payload := []pair{{"title", quoted(title)}, {"source", quoted("user")}}
	if was, _ := w.tree.Recorded(); was != "" {
		payload = append(payload, pair{"previousTitle", quoted(was)})
	}
	w.add("title_change", payload...)
	source := "user"
	if title == "" { // the agent may find one again
		source = ""
	}
	w.lines = append(w.lines, session.Line{Text: titleSlot(title, source, w.now), Head: true})
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

// branch moves the leaf to where Plan says. Three kinds of lines keep it there: a
// summary, a label, or, where neither is wanted, a line of ours. A label without
// a summary stands under the new position but names the entry that was chosen.
func (w *encoder) branch(c session.Change) error {
	target := session.NoPos
	if c.Entry != "" {
		p, err := w.find(c.Entry)
		if err != nil {
			return err
		}
		target = p
	}
	plan := w.tree.Plan(target, w.tree.Leaf())
	if plan.Noop {
		return nil
	}
	if err := w.under(plan.NewLeaf); err != nil {
		return err
	}
	switch {
	case c.Summary != nil:
		return w.summarize(plan, c)
	case c.Label == "":
		w.custom(branchMark)
		return nil
	case target == session.NoPos:
		return fmt.Errorf("%w: before the first entry there is nothing to label", session.ErrInvalid)
	}
	id, err := w.ref(target)
	if err != nil {
		return err
	}
	w.label(id, c.Label)
	return nil
}

// summarize writes what is said of the branch left behind, and the label, which
// then is the summary's. fromId is the entry that was left, as pi 1.5 has it;
// older versions wrote where the summary hangs, and none reads it.
func (w *encoder) summarize(plan session.Plan, c session.Change) error {
	s := c.Summary
	if strings.TrimFunc(s.Text, jsonl.IsSpace) == "" {
		return fmt.Errorf("%w: the summary is empty", session.ErrInvalid)
	}
	from := "root"
	if plan.OldLeaf != session.NoPos {
		from = w.tree.At(plan.OldLeaf).ID
	}
	payload := []pair{
		{"fromId", quoted(from)}, {"summary", quoted(s.Text)},
		{"details", compose(pair{"readFiles", texts(s.Read)}, pair{"modifiedFiles", texts(s.Modified)})},
	}
	if s.Program {
		payload = append(payload, pair{w.program, []byte("true")})
	}
	w.add("branch_summary", payload...)
	if c.Label != "" {
		w.label(w.above, c.Label)
	}
	return nil
}

// stay makes an entry the leaf by a neutral line under it.
func (w *encoder) stay(id, mark string) error {
	p, err := w.find(id)
	if err != nil || p == w.tree.Leaf() {
		return err
	}
	if err := w.under(p); err != nil {
		return err
	}
	w.custom(mark)
	return nil
}

// label writes a label of the entry with that id; "" clears it, for which pi
// leaves the key out.
func (w *encoder) label(target []byte, text string) {
	payload := []pair{{"targetId", target}}
	if text != "" {
		payload = append(payload, pair{"label", quoted(text)})
	}
	w.add("label", payload...)
}

// add writes an entry with its keys in the order in which pi writes them.
func (w *encoder) add(typ string, payload ...pair) {
	w.write(func(place []pair) []byte {
		return compose(slices.Concat([]pair{{"type", quoted(typ)}}, place, payload)...)
	})
}

// custom writes a line of ours, in pi's order for them, which is another one.
func (w *encoder) custom(mark string, data ...pair) {
	w.write(func(place []pair) []byte {
		head := []pair{{"type", quoted("custom")}, {"customType", quoted(mark)}}
		if len(data) > 0 {
			head = append(head, pair{"data", compose(data...)})
		}
		return compose(append(head, place...)...)
	})
}

// write takes a line made for its place in the tree, and hangs the next one on it.
func (w *encoder) write(line func(place []pair) []byte) {
	id := w.fresh.id()
	name := quoted(id)
	text := line([]pair{{"id", name}, {"parentId", w.above}, {"timestamp", w.now}})
	w.lines = append(w.lines, session.Line{ID: id, Text: text})
	w.above = name
}

func (w *encoder) find(id string) (session.Pos, error) { return find(w.tree, id) }

func find(t *session.Tree, id string) (session.Pos, error) {
	p := t.Find(id)
	if p == session.NoPos {
		return p, fmt.Errorf("%w: there is no entry %s", session.ErrNotFound, id)
	}
	return p, nil
}

// under hangs the next line on the entry at p.
func (w *encoder) under(p session.Pos) (err error) {
	w.above = null
	if p != session.NoPos {
		w.above, err = w.ref(p)
	}
	return err
}

// ref is the id of the entry at p as its line has it: an id that is a number, or
// holds half a character, must be named in the same way.
func (w *encoder) ref(p session.Pos) ([]byte, error) {
	e := w.tree.At(p)
	if w.tree.Header().Migrated {
		return quoted(e.ID), nil
	}
	line, err := w.src(p)
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
	c := jsonl.Open(line)
	var id jsonl.Value
	for ok := c.Enter(); ok; ok = c.More() {
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
