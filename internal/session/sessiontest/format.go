package sessiontest

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/outline"
)

// RunFormat checks the requirements of every format on one session file. Each line is
// an entry, a header, ignored or bad. A record does not share the bytes of its line.
// Every entry has a body. Truncated lines do no harm. A file read in pieces gives the
// same tree as at once.
func RunFormat(t *testing.T, f *session.Format, file []byte) {
	t.Helper()
	whole := decodeFile(t, f, file)
	if want, got := outline.Dump(whole.wholeTree()), outline.Dump(decodeFile(t, f, file).wholeTree()); want != got {
		t.Errorf("two readings differ:\n%s\n%s", want, got)
	}
	for _, e := range whole.entries {
		line := bytes.Clone(file[e.Span.Off : e.Span.Off+int64(e.Span.Len)])
		if _, err := f.DecodeBody(line); err != nil {
			t.Errorf("line %d: Body: %v", e.Span.Line, err)
		}
		checkStrip(t, f, e, line)
		checkListedLine(t, f, line)
		for cut := 0; cut < len(line); cut += 1 + len(line)/50 {
			_, _ = f.ScanLine(line[:cut], "") // must not panic
			_, _ = f.DecodeBody(line[:cut])
		}
	}
	whole.checkPieces(t)
}

// checkListedLine checks that a line scanned for a list only lacks the previews of tool results.
func checkListedLine(t *testing.T, f *session.Format, line []byte) {
	t.Helper()
	if f.ScanListedLine == nil {
		return
	}
	want, err := f.ScanLine(line, "/home/tester")
	if want.Entry.Kind == session.KindToolResult {
		want.Entry.Preview = ""
	}
	got, listedErr := f.ScanListedLine(line, "/home/tester")
	if !reflect.DeepEqual(got, want) || listedErr != nil != (err != nil) {
		t.Errorf("for a list %s is %+v, %v, want %+v, %v", line, got, listedErr, want, err)
	}
}

// decodedFile is the output of a decoder for a file.
type decodedFile struct {
	format  *session.Format
	header  session.Header
	entries []session.Entry
	notes   []session.Note
}

func (r decodedFile) wholeTree() *session.Tree {
	return r.buildDecoded(append([]session.Entry(nil), r.entries...))
}

func (r decodedFile) buildDecoded(entries []session.Entry) *session.Tree {
	if !r.format.ArrangesEveryFile() {
		return session.BuildTree(r.header, entries, r.notes)
	}
	unit := session.FileGroup{Names: []string{"a.jsonl"}}
	return session.BuildArranged(r.header, [][]session.Entry{entries}, r.notes, func(given []*session.Entry) session.Arrangement {
		return r.format.Graph.Arrange(unit, given)
	})
}

// checkPieces appends the entries one by one and compares the tree with that of all at
// once.
func (r decodedFile) checkPieces(t *testing.T) {
	t.Helper()
	tree := r.buildDecoded(nil)
	for _, e := range r.entries {
		tree.AppendEntries(r.header, []session.Entry{e}, nil)
	}
	if want, got := outline.Dump(r.wholeTree()), outline.Dump(tree); want != got {
		t.Errorf("at once:\n%s\nline by line:\n%s", want, got)
	}
}

func decodeFile(t *testing.T, f *session.Format, file []byte) (r decodedFile) {
	t.Helper()
	r.format = f
	decoder := f.NewDecoder()
	if f.SplitRecords != nil {
		r.decodeWholeValue(t, decoder, file)
		return r
	}
	off := int64(0)
	for i, line := range bytes.Split(file, []byte("\n")) {
		span := session.Span{Off: off, Len: int32(len(line)), Line: int32(i + 1)}
		off += int64(len(line)) + 1
		line = bytes.TrimSpace(bytes.Clone(line))
		if len(line) == 0 {
			continue
		}
		r.decodeTestLine(t, f, decoder, line, span)
	}
	r.header, _ = decoder.Header()
	return r
}

// decodeWholeValue decodes a file that is one JSON value.
func (r *decodedFile) decodeWholeValue(t *testing.T, decoder session.Decoder, file []byte) {
	t.Helper()
	head, records, err := r.format.SplitRecords(file)
	if err != nil {
		t.Fatal(err)
	}
	decoder.DecodeRecord(session.Record{Header: head})
	for _, span := range records {
		r.decodeTestLine(t, r.format, decoder, bytes.Clone(file[span.Off:span.Off+int64(span.Len)]), span)
	}
	r.header, _ = decoder.Header()
}

func (r *decodedFile) decodeTestLine(t *testing.T, f *session.Format, decoder session.Decoder, line []byte, span session.Span) {
	t.Helper()
	record, err := f.ScanLine(line, "/home/tester")
	if err != nil {
		decoder.SkipBadLine(span, err.Error())
		return
	}
	before := fmt.Sprintf("%+v", record.Entry)
	for i := range line {
		line[i] = '#'
	}
	if after := fmt.Sprintf("%+v", record.Entry); before != after {
		t.Errorf("line %d: the record shares the bytes of its line: %s became %s", span.Line, before, after)
	}
	record.Entry.Span = span
	e, ok, notes := decoder.DecodeRecord(record)
	r.notes = append(r.notes, notes...)
	if ok {
		r.entries = append(r.entries, e)
	}
}
