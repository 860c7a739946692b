package claude

import (
	"fmt"
	"testing"

	"sessiontree/internal/session"
)

// linear returns a session as the agent writes it: prompts, answers of several blocks, calls and
// their results.
func linear(n int) (entries []session.Entry) {
	d := newTestFile()
	for i := range n {
		entries = append(entries, d.decode(lineAt(i, i-1), i+1))
	}
	return entries
}

// testFile decodes the lines of one file as the store does.
type testFile struct {
	decoder
	order int64
}

func newTestFile() *testFile { return &testFile{order: session.NoTime} }

func (f *testFile) decode(line string, number int) session.Entry {
	r, err := scanLine([]byte(line), "")
	if err != nil {
		panic(err)
	}
	r.Entry.Span.Line = int32(number)
	e, _, _ := f.DecodeRecord(r)
	f.order = e.SetSortTime(f.order)
	return e
}

func idAt(i int) string { return fmt.Sprintf("%08x-0000-4000-8000-000000000000", i) }

// lineAt returns line i with line up as its parent.
func lineAt(i, up int) string {
	parent := "null"
	if up >= 0 {
		parent = fmt.Sprintf("%q", idAt(up))
	}
	head := fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"uuid":"%s","timestamp":"2026-01-01T%02d:%02d:%02d.%03dZ","sessionId":"s","cwd":"/p","version":"2.1.100"`,
		parent, idAt(i), i/3_600_000%24, i/60_000%60, i/1000%60, i%1000)
	switch i % 10 {
	case 0:
		return head + `,"type":"user","message":{"role":"user","content":"a prompt"}}`
	case 2, 5, 8:
		return head + fmt.Sprintf(`,"type":"assistant","message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"ls"}}]}}`, i, i)
	case 3, 6, 9:
		return head + fmt.Sprintf(`,"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"out"}]}}`, i-1)
	}
	return head + fmt.Sprintf(`,"type":"assistant","message":{"id":"m%d","role":"assistant","content":[{"type":"text","text":"an answer"}]}}`, i)
}

// BenchmarkAppend appends one line to a session of 50,000 lines: one that continues the thread, and
// one that forks near its end, as the results of parallel calls do.
func BenchmarkAppend(b *testing.B) {
	const n = 50_000
	for _, c := range []struct {
		name string
		up   int // lines above the new one
	}{{"tail", 1}, {"fork", 3}} {
		b.Run(c.name, func(b *testing.B) {
			t := session.BuildArranged(session.Header{}, [][]session.Entry{linear(n)}, nil, func(g []*session.Entry) session.Arrangement {
				return arrangeGroup(session.FileGroup{Names: []string{"s.jsonl"}}, g)
			})
			d := newTestFile()
			i := n
			for b.Loop() {
				e := d.decode(lineAt(i, i-c.up), i+1)
				t.AppendEntries(session.Header{}, []session.Entry{e}, nil)
				i++
			}
		})
	}
}

// BenchmarkArrangeGroup arranges a session of 50,000 lines, as when it is opened.
func BenchmarkArrangeGroup(b *testing.B) {
	entries := linear(50_000)
	given := make([]*session.Entry, len(entries))
	for i := range entries {
		given[i] = &entries[i]
	}
	for b.Loop() {
		arrangeGroup(session.FileGroup{Names: []string{"s.jsonl"}}, given)
	}
}
