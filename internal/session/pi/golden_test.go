package pi

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/jsonl"
)

var update = flag.Bool("update", false, "rewrite golden files")

const testdata = "../../../testdata/pi-formats"

// everyType and everyRole are the types and roles of the format's description. Each must occur in
// the test sessions, so that its row and body are in a golden file.
var (
	everyType = []string{
		"message", "thinking_level_change", "model_change", "compaction", "branch_summary", "custom", "custom_message", "label", "session_info",
		"usage", "context_edit",
		"ttsr_injection", "mode_change", "session_init", "title_change", "service_tier_change", "model_usage", "credential_pin", "reset_boundary", "archive",
		"stack_summary", "future_type",
	}
	everyRole = []string{
		"user", "assistant", "toolResult", "bashExecution", "custom", "hookMessage", "branchSummary", "compactionSummary", "system",
		"fileMention", "developer", "pythonExecution", "weird",
	}
)

func TestGoldens(t *testing.T) {
	t.Parallel()
	inputs, err := filepath.Glob(filepath.Join(testdata, "*.jsonl"))
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no test sessions in %s: %v", testdata, err)
	}
	seen := map[string]bool{}
	for _, input := range inputs {
		t.Run(filepath.Base(input), func(t *testing.T) {
			text, err := os.ReadFile(input)
			if err != nil {
				t.Fatal(err)
			}
			note(t, seen, text)
			golden(t, strings.TrimSuffix(input, ".jsonl")+".golden", dump(t, formatOf(t, text), text))
		})
	}
	for _, name := range slices.Concat(everyType, everyRole) {
		if !seen[name] {
			t.Errorf("%s occurs in no test session", name)
		}
	}
}

// note marks the types and roles that occur as recorded.
func note(t *testing.T, seen map[string]bool, text []byte) {
	t.Helper()
	for l := range jsonl.Lines(text) {
		o := jsonl.ObjectFields(value(l.Data))
		seen[o.Text("type")] = true
		seen[jsonl.ObjectFields(o.Get("message")).Text("role")] = true
	}
}

func value(text []byte) jsonl.Value {
	c := jsonl.NewCursor(text)
	return c.Value()
}

func formatOf(t testing.TB, text []byte) *session.Format {
	t.Helper()
	for _, f := range []*session.Format{&OMP, &Format} {
		if f.Sniff(text[:min(len(text), 64<<10)]) {
			return f
		}
	}
	t.Fatal("no format sniffs it")
	return nil
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
func dump(t *testing.T, f *session.Format, text []byte) string {
	t.Helper()
	d := decode(t, f, text)
	tree := session.BuildTree(d.header, d.entries, nil)
	var b strings.Builder
	h := d.header
	fmt.Fprintf(&b, "%s %q version %d cwd %q name %q parent %q time %s rules %+v\n  resume: %s\n",
		h.Format, h.ID, h.Version, h.Cwd, h.Name, h.Parent, clock(h.Time), h.Rules, h.Resume)
	for _, l := range d.bad {
		fmt.Fprintf(&b, "bad line %d\n", l.Num)
	}
	for p := range d.entries {
		e := tree.At(session.Pos(p))
		dumpEntry(&b, e)
		fmt.Fprintf(&b, "  row: %s\n", tree.RowText(session.Pos(p)))
		body, err := f.DecodeBody(text[e.Span.Off : e.Span.Off+int64(e.Span.Len)])
		if err != nil {
			t.Fatalf("line %d: Body: %v", e.Span.Line, err)
		}
		dumpBody(&b, body)
	}
	return b.String()
}

func dumpEntry(b *strings.Builder, e *session.Entry) {
	fmt.Fprintf(b, "\n%d %s %s", e.Span.Line, kindNames[e.Kind], e.Role)
	fmt.Fprintf(b, " id %s", e.ID)
	if e.HasFlag(session.FlagHasParent) {
		fmt.Fprintf(b, " parent %s", e.Parent)
	}
	fmt.Fprintf(b, " at %s", clock(e.Time))
	if e.MessageTime != e.Time {
		fmt.Fprintf(b, " stamp %s", clock(e.MessageTime))
	}
	b.WriteByte('\n')
	for _, field := range []struct{ name, text string }{
		{"preview", e.Preview}, {"name", e.Name}, {"provider", e.Provider()}, {"target", e.Target()},
		{"call", e.CallID()}, {"stop", e.StopReason()}, {"error", e.ErrorText()}, {"status", e.Status()}, {"flags", flagText(e.Flags)},
	} {
		if field.text != "" {
			fmt.Fprintf(b, "  %s: %q\n", field.name, field.text)
		}
	}
	if e.Tokens() != 0 || e.Cost() != 0 || e.Added() != 0 || e.Removed() != 0 {
		fmt.Fprintf(b, "  tokens %d cost %g +%d -%d\n", e.Tokens(), e.Cost(), e.Added(), e.Removed())
	}
	for _, c := range e.Calls() {
		fmt.Fprintf(b, "  call %s: %s %q\n", c.ID, c.Name, c.Arg)
	}
}

func dumpBody(b *strings.Builder, body session.Body) {
	if body.Model != "" || body.Usage != (session.Usage{}) || body.Duration != 0 {
		fmt.Fprintf(b, "  | by %s %s usage %+v %d ms\n", body.Provider, body.Model, body.Usage, body.Duration)
	}
	for _, k := range body.Blocks {
		fmt.Fprintf(b, "  | %s", blockNames[k.Kind])
		if k.Name != "" || k.ID != "" {
			fmt.Fprintf(b, " <%s> %s", k.Name, k.ID)
		}
		if k.Redacted {
			b.WriteString(" redacted")
		}
		if k.Kind == session.BlockImage {
			fmt.Fprintf(b, " %d bytes blob %q", len(k.Data), k.Blob)
		}
		fmt.Fprintf(b, " %q %s\n", k.Text, k.Args)
	}
	if body.Details != nil {
		fmt.Fprintf(b, "  | details %s\n", body.Details)
	}
}

func clock(ms int64) string {
	if ms == session.NoTime {
		return "-"
	}
	return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000")
}

var kindNames = []string{
	"unknown", "user", "assistant", "tool-result", "shell", "system", "message", "custom-message", "compaction", "branch-summary",
	"model", "thinking", "label", "name", "custom", "usage", "context-edit", "reset", "archive", "event",
}

var blockNames = []string{"text", "thinking", "call", "output", "diff", "image", "error", "json", "file"}

func flagText(f session.Flags) string {
	names := []string{"", "error", "hidden", "thinking", "images", "on", "no-context", "branch-mark", "secondary", "text", "checkpoint"}
	var out []string
	for i, name := range names {
		if f&(1<<i) != 0 && name != "" {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}
