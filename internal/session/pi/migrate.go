package pi

import (
	"sessiontree/internal/session"
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
