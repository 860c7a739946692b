package export_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/redact"
	"sessiontree/internal/session/store"
)

const sampleSession = `{"type":"session","version":3,"id":"01964f3a-2b1c-7d4e-8f00-000000000001","timestamp":"2025-03-01T10:00:00.000Z","cwd":"/home/tester/p"}
{"type":"session_info","id":"n0","parentId":null,"timestamp":"2025-03-01T10:00:00.000Z","name":"Fix *it* <b>"}
{"type":"message","id":"u1","parentId":"n0","timestamp":"2025-03-01T10:00:01.000Z","message":{"role":"user","content":"look at </details> SECRET1"}}
{"type":"message","id":"a1","parentId":"u1","timestamp":"2025-03-01T10:00:02.000Z","message":{"role":"assistant","model":"m","content":[{"type":"thinking","thinking":"hm SECRET2","thinkingSignature":"x"},{"type":"text","text":"I look."},{"type":"toolCall","id":"c1","name":"bash","arguments":{"command":"ls <x> SECRET3"}}]}}
{"type":"message","id":"r1","parentId":"a1","timestamp":"2025-03-01T10:00:03.000Z","message":{"role":"toolResult","toolCallId":"c1","toolName":"bash","isError":false,"content":[{"type":"text","text":"one\n` + "```" + `\n<script>SECRET4"}]}}
{"type":"message","id":"a2","parentId":"r1","timestamp":"2025-03-01T10:00:04.000Z","message":{"role":"assistant","model":"m","content":[{"type":"text","text":"Done."}]}}
{"type":"compaction","id":"k1","parentId":"a2","timestamp":"2025-03-01T10:00:05.000Z","summary":"All of it.","firstKeptEntryId":"a2","tokensBefore":900}
{"type":"message","id":"u2","parentId":"k1","timestamp":"2025-03-01T10:00:06.000Z","message":{"role":"user","content":"left"}}
{"type":"message","id":"u3","parentId":"k1","timestamp":"2025-03-01T10:00:07.000Z","message":{"role":"user","content":"right"}}
{"type":"label","id":"l1","parentId":"u3","timestamp":"2025-03-01T10:00:08.000Z","targetId":"u3","label":"the SECRET5 end"}
`

// knownSecrets is a redactor for the secrets of these tests.
type knownSecrets struct{}

func (knownSecrets) RedactText(text string, classes map[string]bool) (string, map[string]int) {
	if n := strings.Count(text, "SECRET"); n > 0 && classes["keys"] {
		return strings.ReplaceAll(text, "SECRET", "[key]"), map[string]int{"key": n}
	}
	return text, nil
}

func (s knownSecrets) RedactJSON(line []byte, classes map[string]bool) ([]byte, bool, map[string]int, error) {
	out, counts := s.RedactText(string(line), classes)
	return []byte(out), counts != nil, counts, nil
}

func (s knownSecrets) FindValues(line []byte) ([]redact.Value, error) {
	if n := bytes.Count(line, []byte("SECRET")); n > 0 {
		return []redact.Value{{Class: "keys", Kind: "key", ID: "value:1", Excerpt: "S••", Count: n}}, nil
	}
	return nil, nil
}

func exportSample(t *testing.T, o export.Options) (name, text string, r export.Result) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(sampleSession), 0o600); err != nil {
		t.Fatal(err)
	}
	job, err := export.Prepare(t.Context(), openFile(t, path), o)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	r, err = job.Write(t.Context(), &b)
	if err != nil {
		t.Fatal(err)
	}
	return job.DownloadName(), b.String(), r
}

func TestMarkdown(t *testing.T) {
	name, got, r := exportSample(t, export.Options{Part: export.Part{Scope: export.Tree}, Kind: export.Markdown, Redactor: knownSecrets{}, Classes: map[string]bool{"keys": true}})
	want := `# Fix \*it\* \<b\>

pi, the whole session: 9 entries, in /home/tester/p

### You, 2025\-03\-01 10:00 UTC

look at &lt;/details> [key]1

`
	want = strings.ReplaceAll(want, `2025\-03\-01`, "2025-03-01") + "### Answer m, 2025-03-01 10:00 UTC\n\nI look.\n\n" +
		"<details><summary>bash: ls &lt;x&gt; [key]3</summary>\n\n```\nls <x> [key]3\n```\n````\none\n```\n<script>[key]4\n````\n\n\n</details>\n\n" +
		"Done.\n\n---\n\n<details><summary>Compacted from 900 tokens</summary>\n\nAll of it.\n\n</details>\n\n---\n\n" +
		"**Branch point 1:** 2 branches continue from here.\n\n## Branch 1 of 2 at branch point 1\n\n### You, 2025-03-01 10:00 UTC\n\nleft\n\n" +
		"## Branch 2 of 2 at branch point 1\n\n### You, 2025-03-01 10:00 UTC\n\n**Label: the \\[key\\]5 end**\n\nright\n\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if name != "fix-it-b.md" {
		t.Errorf("named %s", name)
	}
	if diff := cmp.Diff([]export.Count{{Kind: "key", Count: 4}}, r.Redacted); diff != "" {
		t.Error(diff)
	}
}

func TestMarkdown_Path(t *testing.T) {
	_, got, _ := exportSample(t, export.Options{Part: export.Part{Entry: "u3", Scope: export.Path}, Kind: export.Markdown})
	if !strings.Contains(got, "*1 more branch from here is not part of this export.*") || strings.Contains(got, "left\n") {
		t.Error(got)
	}
}

// Omitted content is in no kind of export, and it is not scanned.
func TestOmitted(t *testing.T) {
	part := export.Part{Entry: "a1", To: "u2", Scope: export.Subtree}
	o := export.Options{Part: part, Kind: export.JSONL, Omit: export.Omissions{Output: true, Thinking: true}}
	_, got, _ := exportSample(t, o)
	for _, gone := range []string{"SECRET2", "SECRET4", "thinkingSignature", "right"} {
		if strings.Contains(got, gone) {
			t.Errorf("%s stays:\n%s", gone, got)
		}
	}
	for _, line := range []int{1, 2, 5, 6} { // omitted content is not in it
		if want := strings.SplitAfter(sampleSession, "\n")[line]; !strings.Contains(got, want) {
			t.Errorf("%s is not as recorded:\n%s", want, got)
		}
	}
	o.Kind = export.Markdown
	if _, got, _ = exportSample(t, o); strings.Contains(got, "SECRET4") || !strings.Contains(got, "SECRET3") || !strings.Contains(got, session.OmittedText) {
		t.Error(got)
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(sampleSession), 0o600); err != nil {
		t.Fatal(err)
	}
	o.Redactor = knownSecrets{}
	f, err := o.FindSensitive(t.Context(), openFile(t, path))
	if err != nil {
		t.Fatal(err)
	}
	want := []export.Finding{{Value: redact.Value{Class: "keys", Kind: "key", ID: "value:1", Excerpt: "S••", Count: 2}, Entry: "u1"}}
	if diff := cmp.Diff(want, f.Items); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// No sensitive value is in a file, its name or its labels.
func TestRedacted(t *testing.T) {
	for _, scope := range []export.Scope{export.Path, export.Subtree, export.Tree} {
		for _, as := range []export.Kind{export.JSONL, export.Markdown} {
			name, got, r := exportSample(t, export.Options{Part: export.Part{Entry: "u3", Scope: scope}, Kind: as, Redactor: knownSecrets{}, Classes: map[string]bool{"keys": true}})
			if strings.Contains(got+name, "SECRET") || strings.Contains(name, "secret") || len(r.Redacted) != 1 {
				t.Errorf("%s %s: %s\n%s", scope, as, name, got)
			}
		}
	}
}

func TestUntouched(t *testing.T) {
	_, got, r := exportSample(t, export.Options{Part: export.Part{Scope: export.Tree}, Kind: export.JSONL, Redactor: knownSecrets{}, Classes: map[string]bool{"personal": true}})
	for _, line := range strings.SplitAfter(sampleSession, "\n")[1:9] {
		if !strings.Contains(got, line) {
			t.Errorf("%s is not as recorded", line)
		}
	}
	if len(r.Redacted) != 0 {
		t.Errorf("%v", r.Redacted)
	}
}

func TestFindings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(sampleSession), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := export.Options{Part: export.Part{Entry: "a1", Scope: export.Path}, Redactor: knownSecrets{}}.FindSensitive(t.Context(), openFile(t, path))
	if err != nil {
		t.Fatal(err)
	}
	want := export.Findings{Items: []export.Finding{
		{Value: redact.Value{Class: "keys", Kind: "key", ID: "value:1", Excerpt: "S••", Count: 3}, Entry: "u1"},
	}, Checked: 3, Total: 3}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRefused(t *testing.T) {
	s := openFile(t, testdata+"pi/linear/input.jsonl")
	for _, c := range []struct {
		o    export.Options
		want error
	}{
		{export.Options{Part: export.Part{Entry: "no such", Scope: export.Path}, Kind: export.JSONL}, session.ErrNotFound},
		{export.Options{Part: export.Part{Entry: "no such", Scope: export.Path}, Kind: export.Markdown}, session.ErrNotFound},
		{export.Options{Part: export.Part{Scope: export.Tree, To: leafID(s)}, Kind: export.JSONL}, session.ErrInvalid},
		{export.Options{Part: export.Part{Scope: export.Subtree, To: "no such"}, Kind: export.JSONL}, session.ErrNotFound},
		{export.Options{Part: export.Part{Scope: export.Subtree, Entry: leafID(s), To: firstID(s)}, Kind: export.Markdown}, session.ErrInvalid},
		{export.Options{Part: export.Part{Scope: "half"}, Kind: export.Markdown}, session.ErrInvalid},
		{export.Options{Part: export.Part{Scope: export.Tree}, Kind: "pdf"}, session.ErrInvalid},
	} {
		if _, err := export.Prepare(t.Context(), s, c.o); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
}

func leafID(s *store.Session) string { return readTree(s).At(readTree(s).Leaf()).ID }

func firstID(s *store.Session) string { return readTree(s).At(0).ID }

func TestCancelled(t *testing.T) {
	s := openFile(t, testdata+"pi/linear/input.jsonl")
	for _, as := range []export.Kind{export.JSONL, export.Markdown} {
		job, err := export.Prepare(t.Context(), s, export.Options{Part: export.Part{Scope: export.Tree}, Kind: as})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := job.Write(ctx, &bytes.Buffer{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", as, err)
		}
	}
}
