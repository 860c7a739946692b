package wave

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
	"sessiontree/internal/session/outline"
)

var update = flag.Bool("update", false, "rewrite golden files")

const forms = "../../../testdata/wave/forms"

// every lists the block types and roles of the format's description. Each must occur in the test
// sessions, so that its record, row and body are in a golden file.
var every = []string{
	"text", "tool", "image", "bang", "compact", "reasoning", "file_history", "error", "task_notification", "info", "hologram",
	"user", "assistant", "system", "metadata", "checkpoint",
}

func TestGoldens(t *testing.T) {
	t.Parallel()
	inputs, err := filepath.Glob(filepath.Join(forms, "*.jsonl"))
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no test sessions: %v", err)
	}
	seen := map[string]bool{}
	for _, input := range inputs {
		t.Run(filepath.Base(input), func(t *testing.T) {
			text, err := os.ReadFile(input)
			if err != nil {
				t.Fatal(err)
			}
			for l := range jsonl.Lines(text) {
				var r line
				if r.readLine(l.Data) == nil {
					seen[r.role.Text()], seen[r.typ.Text()] = true, true
					for i := range r.blocks {
						seen[r.blocks[i].typ.Text()] = true
					}
				}
			}
			golden(t, strings.TrimSuffix(input, ".jsonl")+".golden", dump(t, text))
		})
	}
	for _, name := range every {
		if !seen[name] {
			t.Errorf("%s occurs in no test session", name)
		}
	}
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", path, diff)
	}
}

// dump returns the tree, its rows and the bodies as text.
func dump(t *testing.T, text []byte) string {
	t.Helper()
	d := decode(text, 0)
	tree := plant(session.FileGroup{Names: []string{"s.jsonl"}}, d)
	var b strings.Builder
	h := tree.Header()
	fmt.Fprintf(&b, "%s version %d cwd %q branch %q time %d\n", h.Format, h.Version, h.Cwd, h.GitBranch, h.Time)
	for p := range session.Pos(tree.Len()) {
		e := tree.At(p)
		dumpEntry(&b, e)
		body, err := decodeBody(text[e.Span.Off : e.Span.Off+int64(e.Span.Len)])
		if err != nil {
			t.Fatal(err)
		}
		dumpBody(&b, &body)
	}
	b.WriteString("\n" + outline.Dump(tree))
	return b.String()
}

func dumpEntry(b *strings.Builder, e *session.Entry) {
	fmt.Fprintf(b, "%d %s kind %d %s flags %b time %d\n  preview %q name %q stop %q error %q status %q tokens %d target %q\n",
		e.Span.Line, e.ID, e.Kind, e.Role, e.Flags, e.Time, e.Preview, e.Name, e.StopReason(), e.ErrorText(), e.Status(), e.Tokens(), e.Target())
	for _, c := range e.Calls() {
		fmt.Fprintf(b, "  call %s %s %q %q %+v\n", c.ID, c.Name, c.Arg, c.CommandLine, *c.Outcome)
	}
}

func dumpBody(b *strings.Builder, body *session.Body) {
	if body.Usage != (session.Usage{}) {
		fmt.Fprintf(b, "  usage %+v %s\n", body.Usage, body.Model)
	}
	for _, k := range body.Blocks {
		fmt.Fprintf(b, "  block %d %q %q of %q args %s data %d\n", k.Kind, k.Name, k.Text, k.ID, k.Args, len(k.Data))
		if k.Sent != nil {
			fmt.Fprintf(b, "    sent %q\n", *k.Sent)
		}
	}
}

// decoded is the content of one file.
type decoded struct {
	header  session.Header
	valid   bool
	entries []session.Entry
	notes   []session.Note
}

// decode reads a file as the store does.
func decode(text []byte, file int32) (d decoded) {
	dec := Format.NewDecoder()
	for l := range jsonl.Lines(text) {
		r, err := scanLine(l.Data, "/home/dev")
		if err != nil {
			dec.SkipBadLine(session.Span{}, err.Error())
			continue
		}
		r.Entry.Span = session.Span{Off: l.Off, Len: int32(len(l.Data)), Line: l.Num, File: file}
		e, ok, notes := dec.DecodeRecord(r)
		d.notes = append(d.notes, notes...)
		if ok {
			d.entries = append(d.entries, e)
		}
	}
	d.header, d.valid = dec.Header()
	return d
}

// plant arranges decoded files as a tree.
func plant(u session.FileGroup, files ...decoded) *session.Tree {
	var parts [][]session.Entry
	var notes []session.Note
	for _, f := range files {
		parts, notes = append(parts, f.entries), append(notes, f.notes...)
	}
	return session.BuildArranged(files[0].header, parts, notes, func(given []*session.Entry) session.Arrangement { return arrangeSession(u, given) })
}
