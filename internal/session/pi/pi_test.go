package pi

import (
	"os"
	"testing"
	"time"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

// decoded is the result of scanning and decoding a file as the store does.
type decoded struct {
	header  session.Header
	ok      bool
	entries []session.Entry
	bad     []jsonl.Line
	skipped int
	notes   []session.Note
}

const home = "/home/tester"

func decode(t testing.TB, f *session.Format, text []byte) (d decoded) {
	t.Helper()
	dec := f.NewDecoder()
	for l := range jsonl.Lines(text) {
		r, err := f.ScanLine(l.Data, home)
		if err != nil {
			d.bad = append(d.bad, l)
			continue
		}
		r.Entry.Span = session.Span{Off: l.Off, Len: int32(len(l.Data)), Line: l.Num}
		e, ok, notes := dec.DecodeRecord(r)
		d.notes = append(d.notes, notes...)
		if ok {
			d.entries = append(d.entries, e)
		} else {
			d.skipped++
		}
	}
	d.header, d.ok = dec.Header()
	return d
}

func TestDecodeSmallSession(t *testing.T) {
	t.Parallel()
	text := `{"type":"session","version":3,"id":"s","timestamp":"2025-03-01T10:00:00.000Z","cwd":"/home/tester/p"}
{"type":"message","id":"u1","parentId":null,"timestamp":"2025-03-01T10:00:01.000Z","message":{"role":"user","content":[{"type":"text","text":" two\n"},{"type":"text","text":"blocks"}]}}
{"type":"message","id":"a1","parentId":"u1","timestamp":"2025-03-01T10:00:02.000Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"t1","name":"read","arguments":{"path":"/home/tester/a.go","offset":5,"limit":10}}],"usage":{"totalTokens":15,"cost":{"total":0.5}},"stopReason":"toolUse"}}
`
	d := decode(t, &Format, []byte(text))
	if !d.ok || d.header.ID != "s" || len(d.entries) != 2 {
		t.Fatalf("header %+v %v, %d entries", d.header, d.ok, len(d.entries))
	}
	if got := d.entries[0]; got.Preview != "two blocks" || got.Time != 1740823201000 {
		t.Errorf("user entry %+v", got)
	}
	if got := d.entries[1]; got.Parent != "u1" || got.Calls()[0].Arg != "~/a.go:5-14" || got.Cost() != 0.5 || got.Tokens() != 15 {
		t.Errorf("assistant entry %+v", got)
	}
}

func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}
