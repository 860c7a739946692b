package pi

import (
	"sessiontree/internal/session"
)

// migrator rewrites one file. It reads the lines with the decoder that shows old
// files, so that the tree of the new file is the one that was shown.
//
// It differs from pi in one point: entries of version 1 that have ids keep them,
// and their parents. pi gives them new ones and hangs each on the one before, so
// that branches are lost and labels name nothing.
type migrator struct {
	decoder decoder
	fresh   fresh
	names   names
	seen    map[string]bool // ids in the file
	line    int32
	last    []byte // id, as JSON, of the last entry
}

func (d *dialect) newMigrator(m session.Mint) session.Migrator {
	g := &migrator{decoder: decoder{dialect: d}, seen: map[string]bool{}, last: null}
	g.fresh = fresh{mint: m, taken: func(id string) bool { return g.seen[id] }}
	g.names = names{minted: map[string]string{}, recorded: quoted}
	return g
}

// Next answers what stands for a line. Lines that are no JSON object, title slots,
// and all lines of a file that needs no migration stay as they are.
func (g *migrator) Next(line []byte) (out []byte, id string, err error) {
	g.line++
	r, err := scan(line, "")
	if err != nil {
		return line, "", nil
	}
	r.Entry.Span = session.Span{Len: int32(len(line)), Line: g.line}
	e, ok, _ := g.decoder.Next(r)
	old := g.decoder.state == reading && g.decoder.header.Migrated
	switch {
	case old && r.Header != nil:
		out, err = upgradeHeader(line)
		return out, "", err
	case !ok:
		return line, "", nil
	case old:
		return g.entry(line, e, r.Extra)
	}
	g.last = quoted(e.ID)
	return line, e.ID, nil
}

func (g *migrator) entry(line []byte, e session.Entry, x any) (out []byte, id string, err error) {
	id = e.ID
	if x, _ := x.(*extra); x != nil && x.noID {
		id = g.fresh.id()
		g.names.minted[e.ID] = id
	}
	if out, err = upgrade(line, &e, g.decoder.version, g.names); err != nil {
		return nil, "", err
	}
	g.seen[id] = true
	if g.last, err = recordedID(out); err != nil {
		return nil, "", err
	}
	return out, id, nil
}

// Label makes a label's line for the end of the file, each on the one before.
func (g *migrator) Label(target, text string, time int64) session.Line {
	if time == session.NoTime {
		time = g.fresh.mint.Now
	}
	id := g.fresh.id()
	l := session.Line{ID: id, Text: labelLine(quoted(id), g.last, time, quoted(target), text)}
	g.last = quoted(id)
	return l
}

// labelLine makes a label's line with its keys in pi's order.
func labelLine(id, parent []byte, time int64, target []byte, text string) []byte {
	line := []pair{{"type", quoted("label")}, {"id", id}, {"parentId", parent}, {"timestamp", quoted(iso(time))}, {"targetId", target}}
	if text != "" { // else it takes the label away
		line = append(line, pair{"label", quoted(text)})
	}
	return compose(line...)
}
