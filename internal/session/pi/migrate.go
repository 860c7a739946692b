package pi

import (
	"fmt"
	"slices"
	"strconv"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// migrator rewrites one file. It uses the decoder that displays old files, so that the new file has
// the same tree.
//
// It differs from pi in one point: entries of version 1 that have ids keep them and their parents.
// pi replaces them and makes each entry a child of the one before, which loses branches and the
// targets of labels.
type migrator struct {
	decoder decoder
	fresh   idGenerator
	names   idTable
	seen    map[string]bool // ids in the file
	line    int32
	last    []byte // id, as JSON, of the last entry
}

func (d *dialect) newMigrator(m session.IDSource) session.Migrator {
	g := &migrator{decoder: decoder{dialect: d}, seen: map[string]bool{}, last: jsonNull}
	g.fresh = idGenerator{ids: m, taken: func(id string) bool { return g.seen[id] }}
	g.names = idTable{minted: map[string]string{}, recorded: quoteJSON}
	return g
}

// MigrateLine returns the new form of a line. Lines that are no JSON object, title slots, and all
// lines of a current file stay unchanged.
func (g *migrator) MigrateLine(line []byte) (out []byte, id string, err error) {
	g.line++
	r, err := scanLine(line, "")
	if err != nil {
		return line, "", nil
	}
	r.Entry.Span = session.Span{Len: int32(len(line)), Line: g.line}
	e, ok, _ := g.decoder.DecodeRecord(r)
	old := g.decoder.state == headerRead && g.decoder.header.Migrated
	switch {
	case old && r.Header != nil:
		out, err = upgradeHeader(line)
		return out, "", err
	case !ok:
		return line, "", nil
	case old:
		return g.migrateLine(line, e, r.Extra)
	}
	g.last = quoteJSON(e.ID)
	return line, e.ID, nil
}

func (g *migrator) migrateLine(line []byte, e session.Entry, x any) (out []byte, id string, err error) {
	id = e.ID
	if x, _ := x.(*recordFacts); x != nil && x.noID {
		id = g.fresh.newID()
		g.names.minted[e.ID] = id
	}
	if out, err = upgradeLine(line, &e, g.decoder.version, g.names); err != nil {
		return nil, "", err
	}
	g.seen[id] = true
	if g.last, err = recordedID(out); err != nil {
		return nil, "", err
	}
	return out, id, nil
}

// EncodeLabel returns a label line for the end of the file. Each is a child of the line before.
func (g *migrator) EncodeLabel(target, text string, time int64) session.Line {
	if time == session.NoTime {
		time = g.fresh.ids.Now
	}
	id := g.fresh.newID()
	l := session.Line{ID: id, Text: labelLine(quoteJSON(id), g.last, time, quoteJSON(target), text)}
	g.last = quoteJSON(id)
	return l
}

// labelLine returns a label line with its keys in pi's order.
func labelLine(id, parent []byte, time int64, target []byte, text string) []byte {
	line := []keyValue{{"type", quoteJSON("label")}, {"id", id}, {"parentId", parent}, {"timestamp", quoteJSON(formatISO(time))}, {"targetId", target}}
	if text != "" { // otherwise it removes the label
		line = append(line, keyValue{"label", quoteJSON(text)})
	}
	return composeObject(line...)
}

// upgradeLine returns an entry's line of an old version in the current one. It makes the changes of
// pi's migration in the same way, with new keys at the end. All other bytes stay the same.
func upgradeLine(line []byte, e *session.Entry, version float64, n idTable) ([]byte, error) {
	line, err := convertDraftKeys(line)
	if err != nil {
		return nil, err
	}
	if line, err = setLineIDs(line, e, n); err != nil {
		return nil, err
	}
	o := jsonl.ObjectFields(jsonl.Value{Raw: line})
	if index := o.Get("firstKeptEntryIndex"); version < 2 && e.Kind == session.KindCompaction && isJSONNumber(index) {
		line, err = jsonl.DeleteKey(line, "firstKeptEntryIndex")
	}
	if err == nil && o.Get("type").Is("message") && jsonl.ObjectFields(o.Get("message")).Get("role").Is("hookMessage") {
		line, err = jsonl.SetKey(line, quoteJSON("custom"), "message", "role")
	}
	return line, err
}

func isJSONNumber(v jsonl.Value) bool { return v.Kind() == 0 && len(v.Raw) > 0 }

// draftKeys are the keys of the draft that named entries by uuid, and their replacements.
var draftKeys = [][2]string{
	{"uuid", "id"}, {"parentUuid", "parentId"}, {"firstKeptEntryUuid", "firstKeptEntryId"},
	{"fromUuid", "fromId"}, {"targetUuid", "targetId"},
}

func convertDraftKeys(line []byte) ([]byte, error) {
	o := jsonl.ObjectFields(jsonl.Value{Raw: line})
	var err error
	for _, key := range draftKeys {
		if err == nil && len(o.Get(key[0]).Raw) > 0 {
			line, err = jsonl.RenameKey(line, key[0], key[1])
		}
	}
	if err == nil && o.Get("type").Is("stack_summary") {
		line, err = jsonl.SetKey(line, quoteJSON("branch_summary"), "type")
	}
	return line, err
}

// upgradeHeader returns a header line in the current version. In the draft the header was also an
// entry and could have two ids.
func upgradeHeader(line []byte) ([]byte, error) {
	line, err := jsonl.RenameKey(line, "uuid", "id")
	for _, key := range []string{"uuid", "parentUuid"} {
		if err == nil {
			line, err = jsonl.DeleteKey(line, key)
		}
	}
	if err != nil {
		return nil, err
	}
	return jsonl.SetKey(line, strconv.AppendInt(nil, currentVersion, 10), "version")
}

// idTable maps the ids of a tree to the ids in lines.
type idTable struct {
	minted   map[string]string      // new ids for entries without a recorded one
	recorded func(id string) []byte // any other id, as JSON
}

func (n idTable) quotedID(id string) []byte {
	if made, ok := n.minted[id]; ok {
		return quoteJSON(made)
	}
	return n.recorded(id)
}

// isUnchanged reports whether v, a recorded id, still names the entry id.
func (n idTable) isUnchanged(v jsonl.Value, id string) bool {
	_, made := n.minted[id]
	return !made && isNameable(v) && idText(v) == id
}

func isNameable(v jsonl.Value) bool { return len(v.Raw) > 0 && isID(v) }

// idText returns a recorded id as the tree holds it.
func idText(v jsonl.Value) string {
	if v.IsString() {
		return string(shortID(jsonl.AppendID(nil, v)))
	}
	n, _ := v.Number()
	return string(jsonl.AppendNumber(nil, n))
}

// setLineIDs returns an entry's line with the id, the parent and the first kept entry of e. Values
// that are already the same keep their bytes.
func setLineIDs(line []byte, e *session.Entry, n idTable) ([]byte, error) {
	o := jsonl.ObjectFields(jsonl.Value{Raw: line})
	var edits []keyValue
	if !n.isUnchanged(o.Get("id"), e.ID) {
		edits = append(edits, keyValue{"id", n.quotedID(e.ID)})
	}
	switch parent := o.Get("parentId"); {
	case !e.HasFlag(session.FlagHasParent):
		if parent.Kind() != 'n' {
			edits = append(edits, keyValue{"parentId", jsonNull})
		}
	case !n.isUnchanged(parent, e.Parent):
		edits = append(edits, keyValue{"parentId", n.quotedID(e.Parent)})
	}
	if _, made := n.minted[e.Target()]; made && (e.Kind == session.KindLabel || e.Kind == session.KindContextEdit || e.Kind == session.KindArchive) {
		edits = append(edits, keyValue{"targetId", n.quotedID(e.Target())})
	}
	if e.FirstKeptID() != "" && !n.isUnchanged(o.Get("firstKeptEntryId"), e.FirstKeptID()) {
		edits = append(edits, keyValue{"firstKeptEntryId", n.quotedID(e.FirstKeptID())})
	}
	for _, edit := range edits {
		var err error
		if line, err = jsonl.SetKey(line, edit.value, edit.key); err != nil {
			return nil, fmt.Errorf("line %d: %w", e.Span.Line, err)
		}
	}
	return slices.Clip(line), nil
}
