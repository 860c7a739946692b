package export_test

import (
	"bytes"
	"encoding/base64"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/format"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/htmlexport"
)

// openWithSidecar opens a copy of a session in a library with a state directory.
func openWithSidecar(t *testing.T, file string) *store.Session {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "sessions", filepath.Base(file))
	if err := os.CopyFS(filepath.Dir(path), os.DirFS(testdata+filepath.FromSlash(filepath.Dir(file)))); err != nil {
		t.Fatal(err)
	}
	return openWithState(t, path, filepath.Join(dir, "state"))
}

func openWithState(t *testing.T, path, state string) *store.Session {
	t.Helper()
	lib := newLibrary(t, path, state)
	s, err := lib.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newLibrary(t *testing.T, path, state string) *store.Library {
	t.Helper()
	lib, err := store.New(store.Config{Formats: format.All, Roots: []string{filepath.Dir(path)}, StateDir: state, Home: "/home/tester"})
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

func annotate(t *testing.T, s *store.Session, name string, labels map[string]string) {
	t.Helper()
	changes := []session.Change{{Op: session.OpName, Text: name}}
	for id, text := range labels {
		changes = append(changes, session.Change{Op: session.OpLabel, Entry: id, Text: text})
	}
	for _, c := range changes {
		if w, err := s.ApplyChange(t.Context(), c, store.Precondition{}); err != nil || c.Op == session.OpLabel && !w.InSidecar {
			t.Fatalf("%+v: %v, in the file: %t", c, err, !w.InSidecar)
		}
	}
}

func labelTexts(s *store.Session) map[string]string {
	all := map[string]string{}
	for _, l := range readTree(s).Labels() {
		all[readTree(s).At(l.Target).ID] = l.Text
	}
	return all
}

// Annotations in a sidecar are exported: into the file if the format can hold them, else
// into a sidecar if the caller stores one. Otherwise the export reports them as omitted.
func TestSidecarAnnotations(t *testing.T) {
	for _, c := range []struct{ file, label, left string }{
		{"claude/project/22222222-0000-4000-8000-000000000002.jsonl", "a2", "A file of Claude Code has no place for 1 label."},
		{"wave/project/0aa11111-1111-4111-8111-111111111111.jsonl", "msg-00000067-0000-4000-8000-000000000067", "A file of Wave has no place for 1 label and for the name of the session."},
		{"pi/v1-linear/input.jsonl", "L3", ""},
		{"dialects/omp5-session/input.jsonl", "", ""},
	} {
		t.Run(c.file, func(t *testing.T) {
			s := openWithSidecar(t, c.file)
			want := labelTexts(s)
			if c.label != "" {
				want[c.label] = "found it"
				if strings.HasPrefix(c.file, "pi/") { // an old version cannot hold the name
					if _, err := s.ApplyChange(t.Context(), session.Change{Op: session.OpLabel, Entry: c.label, Text: "found it"}, store.Precondition{}); err != nil {
						t.Fatal(err)
					}
				} else {
					annotate(t, s, "Another name", map[string]string{c.label: "found it"})
				}
			} else {
				annotate(t, s, "Another name", nil)
			}
			o := export.Options{Part: export.Part{Scope: export.Tree}, Kind: export.JSONL}
			job, err := export.Prepare(t.Context(), s, o)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(job.Omitted(), c.left) || c.left == "" && job.Omitted() != "" {
				t.Errorf("left %q", job.Omitted())
			}
			again := exportAndOpen(t, s, o)
			if len(want) > 0 && c.label == "L3" { // after the migration it has an id
				if diff := cmp.Diff([]string{"found it"}, mapValues(labelTexts(again))); diff != "" {
					t.Error(diff)
				}
			} else if diff := cmp.Diff(want, labelTexts(again)); diff != "" {
				t.Errorf("labels (-want +got):\n%s", diff)
			}
			if was, is := readTree(s).Header().Name, readTree(again).Header().Name; was != is {
				t.Errorf("%q is called %q", was, is)
			}
			o.Kind = export.Markdown
			if job, err = export.Prepare(t.Context(), s, o); err != nil {
				t.Fatal(err)
			}
			var md strings.Builder
			if _, err := job.Write(t.Context(), &md); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(md.String(), "**Label: found it**") != (c.label != "") || !strings.HasPrefix(md.String(), "# ") {
				t.Error(md.String())
			}
		})
	}
}

func mapValues(m map[string]string) (all []string) {
	for _, v := range m {
		all = append(all, v)
	}
	return all
}

// exportAndOpen exports a session and opens the file with its sidecar annotations.
func exportAndOpen(t *testing.T, s *store.Session, o export.Options) *store.Session {
	t.Helper()
	o.SidecarAnnotations = true
	job, err := export.Prepare(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(job.Omitted(), "no place") {
		t.Errorf("left %q", job.Omitted())
	}
	var b bytes.Buffer
	if _, err := job.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, job.AgentFileName())
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := newLibrary(t, path, filepath.Join(dir, "state")).AddAnnotations(t.Context(), s.Format(), job.SessionID(), job.Annotations()); err != nil {
		t.Fatal(err)
	}
	return openWithState(t, path, filepath.Join(dir, "state"))
}

// Sidecar annotations are redacted like the file.
func TestSidecarAnnotations_Redacted(t *testing.T) {
	s := openWithSidecar(t, "wave/project/0aa11111-1111-4111-8111-111111111111.jsonl")
	annotate(t, s, "SECRET1", map[string]string{"msg-00000067-0000-4000-8000-000000000067": "SECRET2"})
	job, err := export.Prepare(t.Context(), s, export.Options{Part: export.Part{Scope: export.Tree}, Kind: export.JSONL, Redactor: knownSecrets{}, Classes: map[string]bool{"keys": true}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := job.Write(t.Context(), io.Discard); err != nil {
		t.Fatal(err)
	}
	a := job.Annotations()
	if a.Name.Text != "[key]1" || len(a.Labels) != 1 || a.Labels[0].Text != "[key]2" || a.Labels[0].Time == 0 {
		t.Errorf("%+v, %q", a, a.Name.Text)
	}
}

// An HTML export shows labels that the embedded session file cannot hold.
func TestSidecarAnnotations_HTML(t *testing.T) {
	s := openWithSidecar(t, "wave/project/0aa11111-1111-4111-8111-111111111111.jsonl")
	annotate(t, s, "Another name", map[string]string{"msg-00000067-0000-4000-8000-000000000067": "found <it>"})
	job, err := export.Prepare(t.Context(), s, export.Options{Part: export.Part{Scope: export.Tree}, Kind: export.HTML, RenderHTML: htmlexport.NewRenderer(htmlexport.Options{})})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(job.Omitted(), "no place") {
		t.Errorf("left %q", job.Omitted())
	}
	var b strings.Builder
	if _, err := job.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "found &lt;it&gt;") || !strings.Contains(b.String(), "Another name") {
		t.Error("the page shows no label or no name")
	}
}

// Images in separate files are embedded in an exported session file. A caller that stores
// a sidecar gets their names instead.
func TestSeparateImages(t *testing.T) {
	png, err := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
	if err != nil {
		t.Fatal(err)
	}
	s := openWithSidecar(t, "dialects/omp18-blobs/input.jsonl")
	const name = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	blobs := filepath.Join(filepath.Dir(s.Path()), "blobs")
	o := export.Options{Part: export.Part{Scope: export.Tree}, Kind: export.JSONL}
	path, err := exportText(t, s, o) // the session lacks this image
	if err != nil {
		t.Fatal(err)
	}
	if b := readBody(t, openFile(t, path), 0).Blocks[1]; b.Blob != name {
		t.Errorf("%+v", b)
	}
	if err := os.MkdirAll(blobs, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(blobs, name), png, 0o600); err != nil {
		t.Fatal(err)
	}
	if path, err = exportText(t, s, o); err != nil {
		t.Fatal(err)
	}
	if b := readBody(t, openFile(t, path), 0).Blocks[1]; b.Blob != "" || !bytes.Equal(b.Data, png) || b.Name != "image/png" {
		t.Errorf("%+v", b)
	}
	o.SidecarAnnotations = true
	job, err := export.Prepare(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := job.Write(t.Context(), io.Discard)
	if err != nil || len(r.Blobs) != 1 || r.Blobs[0] != name {
		t.Errorf("%v, %v", r.Blobs, err)
	}
}

// An export of a whole session copies its label lines and appends the labels of the
// sidecar.
func TestSidecarAnnotations_LabelLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	text := `{"type":"session","version":4,"id":"s","timestamp":"2025-03-01T10:00:00.000Z","cwd":"/p"}
{"type":"message","id":"u1","parentId":null,"timestamp":"2025-03-01T10:00:01.000Z","message":{"role":"user","content":"q"}}
{"type":"label","id":"l1","parentId":"u1","timestamp":"2025-03-01T10:00:02.000Z","targetId":"u1","label":"one"}
{"type":"message","id":"a1","parentId":"l1","timestamp":"2025-03-01T10:00:03.000Z","message":{"role":"assistant","content":[],"stopReason":"stop"}}
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openWithState(t, path, t.TempDir())
	annotate(t, s, "A name", map[string]string{"u1": "", "l1": "on a label", "a1": "two"})
	out, err := exportText(t, s, export.Options{Part: export.Part{Scope: export.Tree}, Kind: export.JSONL})
	if err != nil {
		t.Fatal(err)
	}
	again := openFile(t, out)
	if diff := cmp.Diff(map[string]string{"l1": "on a label", "a1": "two"}, labelTexts(again)); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	if to := readTree(again); to.Header().Name != "A name" || idOrNone(to, to.Leaf()) != "a1" || to.FindID("l1") == session.NoPos {
		t.Errorf("called %q, ends at %s", to.Header().Name, idOrNone(to, to.Leaf()))
	}
}
