package sessiontest

import (
	"bytes"
	"slices"
	"testing"

	"sessiontree/internal/session"
)

// allOmissions are the combinations of omissions to test.
var allOmissions = []session.Omissions{{}, {Output: true}, {Thinking: true}, {Images: true}, {Output: true, Thinking: true, Images: true}}

// checkStrip checks the omissions from a line: what is omitted is not shown any more,
// omitting it again changes nothing, and a line without it stays the same.
func checkStrip(t *testing.T, f *session.Format, e session.Entry, line []byte) {
	t.Helper()
	was, err := f.DecodeBody(line)
	if err != nil {
		return
	}
	for _, w := range allOmissions {
		before := bytes.Clone(line)
		out, err := f.Export.Strip(line, w)
		if err != nil || !bytes.Equal(line, before) {
			t.Errorf("line %d without %+v: %v, or the line itself is changed", e.Span.Line, w, err)
			continue
		}
		is, err := f.DecodeBody(out)
		if err != nil {
			t.Errorf("line %d without %+v: %v", e.Span.Line, w, err)
		}
		if slices.ContainsFunc(is.Blocks, func(b session.Block) bool { return isUnomitted(b, w) }) {
			t.Errorf("line %d: without %+v it is still\n%s", e.Span.Line, w, out)
		}
		shown := slices.ContainsFunc(was.Blocks, func(b session.Block) bool { return isUnomitted(b, w) || b.Kind == session.BlockJSON }) || len(was.Details) > 0
		marked := slices.ContainsFunc(is.Blocks, func(b session.Block) bool { return b.Text == session.OmittedText })
		if !shown && !marked && !bytes.Equal(out, line) {
			t.Errorf("line %d: without %+v it became\n%s", e.Span.Line, w, out)
		}
		if again, err := f.Export.Strip(out, w); err != nil || !bytes.Equal(again, out) {
			t.Errorf("line %d: without %+v twice: %v\n%s\n%s", e.Span.Line, w, err, out, again)
		}
		if r, err := f.ScanLine(out, ""); err != nil || r.Entry.ID != e.ID && r.Entry.ID != "" || r.Entry.Kind != e.Kind && e.Kind != session.KindName {
			t.Errorf("line %d: without %+v it is read as %q, %d (%v)", e.Span.Line, w, r.Entry.ID, r.Entry.Kind, err)
		}
	}
}

// isUnomitted reports whether a block should have been omitted.
func isUnomitted(b session.Block, w session.Omissions) bool {
	switch b.Kind {
	case session.BlockThinking:
		return w.Thinking
	case session.BlockImage:
		return w.Images
	case session.BlockOutput, session.BlockDiff, session.BlockFile:
		return w.Output && b.Text != session.OmittedText && b.Text != "" && b.Text != session.OmittedImageText
	}
	return false
}
