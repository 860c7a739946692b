package pi

import (
	"fmt"
	"slices"
	"strconv"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// upgrade answers an entry's line of an old version in the current one. What pi
// changes when it migrates is changed in the way in which pi does it, new keys at
// the end; all other bytes stay.
func upgrade(line []byte, e *session.Entry, version float64, n names) ([]byte, error) {
	line, err := undraft(line)
	if err != nil {
		return nil, err
	}
	if line, err = settle(line, e, n); err != nil {
		return nil, err
	}
	o := jsonl.Fields(jsonl.Value{Raw: line})
	if index := o.Get("firstKeptEntryIndex"); version < 2 && e.Kind == session.KindCompaction && isNumber(index) {
		line, err = jsonl.Delete(line, "firstKeptEntryIndex")
	}
	if err == nil && o.Get("type").Is("message") && jsonl.Fields(o.Get("message")).Get("role").Is("hookMessage") {
		line, err = jsonl.Set(line, quoted("custom"), "message", "role")
	}
	return line, err
}

func isNumber(v jsonl.Value) bool { return v.Kind() == 0 && len(v.Raw) > 0 }

// draftKeys are the keys of the draft that named entries by uuid, and what became
// of them.
var draftKeys = [][2]string{
	{"uuid", "id"}, {"parentUuid", "parentId"}, {"firstKeptEntryUuid", "firstKeptEntryId"},
	{"fromUuid", "fromId"}, {"targetUuid", "targetId"},
}

func undraft(line []byte) ([]byte, error) {
	o := jsonl.Fields(jsonl.Value{Raw: line})
	var err error
	for _, key := range draftKeys {
		if err == nil && len(o.Get(key[0]).Raw) > 0 {
			line, err = jsonl.Rename(line, key[0], key[1])
		}
	}
	if err == nil && o.Get("type").Is("stack_summary") {
		line, err = jsonl.Set(line, quoted("branch_summary"), "type")
	}
	return line, err
}

// upgradeHeader answers a header's line in the current version. In the draft it
// was an entry as well, and could have two ids.
func upgradeHeader(line []byte) ([]byte, error) {
	line, err := jsonl.Rename(line, "uuid", "id")
	for _, key := range []string{"uuid", "parentUuid"} {
		if err == nil {
			line, err = jsonl.Delete(line, key)
		}
	}
	if err != nil {
		return nil, err
	}
	return jsonl.Set(line, strconv.AppendInt(nil, current, 10), "version")
}

// names knows how lines name the entries that stand under ids in a tree.
type names struct {
	minted   map[string]string      // new ids, for those that reading makes up
	recorded func(id string) []byte // any other id, as JSON
}

func (n names) of(id string) []byte {
	if made, ok := n.minted[id]; ok {
		return quoted(made)
	}
	return n.recorded(id)
}

// kept reports whether v, as it stands in a line, goes on naming the entry id.
func (n names) kept(v jsonl.Value, id string) bool {
	_, made := n.minted[id]
	return !made && isNameable(v) && idText(v) == id
}

func isNameable(v jsonl.Value) bool { return len(v.Raw) > 0 && isID(v) }

// idText is an id as the tree has it.
func idText(v jsonl.Value) string {
	if v.IsString() {
		return string(shortID(jsonl.AppendID(nil, v)))
	}
	n, _ := v.Number()
	return string(jsonl.AppendNumber(nil, n))
}

// settle answers an entry's line with the id, the parent and the first kept entry
// that e has. What the line says already stays as it stands there.
func settle(line []byte, e *session.Entry, n names) ([]byte, error) {
	o := jsonl.Fields(jsonl.Value{Raw: line})
	var edits []pair
	if !n.kept(o.Get("id"), e.ID) {
		edits = append(edits, pair{"id", n.of(e.ID)})
	}
	switch parent := o.Get("parentId"); {
	case !e.Has(session.FlagHasParent):
		if parent.Kind() != 'n' {
			edits = append(edits, pair{"parentId", null})
		}
	case !n.kept(parent, e.Parent):
		edits = append(edits, pair{"parentId", n.of(e.Parent)})
	}
	if _, made := n.minted[e.Target]; made && (e.Kind == session.KindLabel || e.Kind == session.KindContextEdit || e.Kind == session.KindArchive) {
		edits = append(edits, pair{"targetId", n.of(e.Target)})
	}
	if e.Kind == session.KindCompaction && e.Target != "" && !n.kept(o.Get("firstKeptEntryId"), e.Target) {
		edits = append(edits, pair{"firstKeptEntryId", n.of(e.Target)})
	}
	for _, edit := range edits {
		var err error
		if line, err = jsonl.Set(line, edit.value, edit.key); err != nil {
			return nil, fmt.Errorf("line %d: %w", e.Span.Line, err)
		}
	}
	return slices.Clip(line), nil
}
