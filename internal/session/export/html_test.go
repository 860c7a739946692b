package export_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"sessiontree/internal/sampletest"
	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/redact"
	"sessiontree/internal/slowtest"
	"sessiontree/internal/web/htmlexport"
)

// exportHTML exports a session as HTML and returns the page with its session file.
func exportHTML(t testing.TB, path string, o export.Options) (text, name string, embedded []byte) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	o.Kind, o.RenderHTML = export.HTML, htmlexport.NewRenderer(htmlexport.Options{})
	job, err := export.Prepare(t.Context(), openFile(t, path), o)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := job.Write(t.Context(), &b); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 || err != nil {
		t.Errorf("%s: left behind %v, %v", path, left, err)
	}
	h, err := export.ReadHTML(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var file bytes.Buffer
	if err := h.Write(&file); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return b.String(), h.Name, file.Bytes()
}

// saveHTML writes a session to a new file.
func saveHTML(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

var scriptPattern = regexp.MustCompile(`(?is)<script([^>]*)>(.*?)</script>`)

// readableParts returns the decompressed data that the script of a page reads.
func readableParts(t testing.TB, page string) string {
	t.Helper()
	var all strings.Builder
	for _, s := range scriptPattern.FindAllStringSubmatch(page, -1) {
		if !strings.Contains(s[1], `id="part-`) {
			continue
		}
		text, err := io.ReadAll(flate.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(s[2]))))
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

func hashText(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// The content security policy allows only the page's own script and style, by their
// hashes.
func TestHTML_Policy(t *testing.T) {
	text, name, _ := exportHTML(t, saveHTML(t, sampleSession), export.Options{Part: export.Part{Scope: export.Tree}})
	if name != "fix-it-b.jsonl" {
		t.Errorf("the session file is named %q", name)
	}
	var run []string
	for _, s := range scriptPattern.FindAllStringSubmatch(text, -1) {
		if s[1] == "" {
			run = append(run, s[2])
		} else if !strings.HasPrefix(s[1], ` type="text/plain" id="`) || strings.ContainsAny(s[2], "<>&") {
			t.Errorf("a script element of other kind: %s", s[1])
		}
	}
	styles := regexp.MustCompile(`(?is)<style[^>]*>(.*?)</style>`).FindAllStringSubmatch(text, -1)
	if len(run) != 1 || len(styles) != 1 || strings.Contains(run[0], "<!--") {
		t.Fatalf("%d scripts, %d styles", len(run), len(styles))
	}
	want := `<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; script-src ` + strings.ReplaceAll(hashText(run[0]), "'", "&#39;") +
		`; style-src ` + strings.ReplaceAll(hashText(styles[0][1]), "'", "&#39;") + `; img-src data:; base-uri &#39;none&#39;; form-action &#39;none&#39;">`
	head, _, _ := strings.Cut(text, "<style>")
	if !strings.Contains(head, want) {
		t.Errorf("want %s\nin %s", want, head)
	}
	for _, bad := range []string{`src="/`, `href="/`, `="http:`, ` style="`, ` onclick`} {
		if _, body, _ := strings.Cut(text, `<body><a class="skip-link"`); strings.Contains(body, bad) {
			t.Errorf("the page holds %s", bad)
		}
	}
	for _, wantText := range []string{"noindex", "no-referrer", "Exported session", "look at", "I look."} {
		if !strings.Contains(text, wantText) {
			t.Errorf("without script the page does not say %q", wantText)
		}
	}
}

// The session file in a page equals a direct export as a session file.
func TestHTML_RoundTrip(t *testing.T) {
	slowtest.SkipIfShort(t)
	var files []string
	for _, pattern := range []string{"pi/*/input.jsonl", "dialects/*/input.jsonl", "wave/*/input.jsonl", "claude/project/*.jsonl"} {
		some, err := filepath.Glob(testdata + pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, some...)
	}
	if len(files) < 50 {
		t.Fatalf("only %d sessions", len(files))
	}
	for _, file := range sampletest.Cases(files) {
		s := openFile(t, file)
		for i, part := range samplePartsOf(readTree(s), 1) {
			if _, err := export.Prepare(t.Context(), s, export.Options{Part: part, Kind: export.JSONL}); errors.Is(err, session.ErrInvalid) {
				continue // nothing to export, as for a session file
			}
			if i > 3 {
				break
			}
			o := export.Options{Part: part, Origin: export.Origin{Seed: "seed", Made: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}}
			_, name, embedded := exportHTML(t, file, o)
			o.Kind = export.JSONL
			plain, err := exportText(t, s, o)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(plain)
			if err != nil || !bytes.Equal(embedded, want) || !strings.HasSuffix(name, ".jsonl") {
				t.Errorf("%s %+v: a page gives back %d bytes as %s, not %d; %v", file, part, len(embedded), name, len(want), err)
			}
		}
	}
}

// Replaced values are nowhere in a page: neither in visible nor in compressed data nor in
// names.
func TestHTML_Redacted(t *testing.T) {
	for _, scope := range []export.Scope{export.Path, export.Subtree, export.Tree} {
		text, name, embedded := exportHTML(t, saveHTML(t, sampleSession), export.Options{Part: export.Part{Entry: "u3", Scope: scope}, Redactor: knownSecrets{}, Classes: map[string]bool{"keys": true}})
		inner := readableParts(t, text)
		for what, s := range map[string]string{"page": text, "name": name, "session file": string(embedded), "parts": inner} {
			if regexp.MustCompile(`(?i)secret-?\d`).MatchString(s) {
				t.Errorf("%s: the %s holds a secret", scope, what)
			}
		}
		if !strings.Contains(inner, "[key]") || !strings.Contains(text, "redacted") {
			t.Errorf("%s: what was replaced is not told", scope)
		}
	}
}

// The same with the real rules.
func TestHTML_RealRules(t *testing.T) {
	const key = "ghp_1aB2cD3eF4gH5iJ6kL7mN8oP9qR0sT1uV2wX"
	rules := redact.New(redact.Options{Home: "/home/tester", User: "tester", Host: "workbench"})
	text, _, embedded := exportHTML(t, saveHTML(t, strings.ReplaceAll(sampleSession, "SECRET", key+" ")), export.Options{
		Part: export.Part{Scope: export.Tree}, Redactor: rules, Classes: map[string]bool{redact.ClassKeys: true, redact.ClassPersonal: true},
	})
	all := text + string(embedded) + readableParts(t, text)
	for _, bad := range []string{key, key[8:24], "/home/tester"} {
		if strings.Contains(all, bad) {
			t.Errorf("the page holds %s", bad)
		}
	}
}

// An export leaves no temporary session file, whatever ends it.
func TestHTML_RemovesTempFiles(t *testing.T) {
	path := saveHTML(t, sampleSession)
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	job, err := export.Prepare(t.Context(), openFile(t, path), export.Options{Part: export.Part{Scope: export.Tree}, Kind: export.HTML, RenderHTML: htmlexport.NewRenderer(htmlexport.Options{}), Progress: func(done, total int) {
		if done > total {
			t.Errorf("%d of %d", done, total)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	full := errors.New("full")
	for name, write := range map[string]func(n int) error{
		"cancel": func(n int) error { cancel(); return nil },
		"error":  func(n int) error { return full },
		"panic":  func(n int) error { panic("stop") },
	} {
		func() {
			defer func() { _ = recover() }()
			c := ctx
			if name != "cancel" {
				c = t.Context()
			}
			if _, err := job.Write(c, writerFunc(func(b []byte) (int, error) { return len(b), write(len(b)) })); err == nil {
				t.Errorf("%s: no error", name)
			}
		}()
		if left, err := os.ReadDir(dir); len(left) > 0 || err != nil {
			t.Errorf("%s: left behind %v, %v", name, left, err)
		}
	}
}

type writerFunc func(b []byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// The error says whether the input is no page or incomplete.
func TestReadHTML_Refused(t *testing.T) {
	text, _, _ := exportHTML(t, saveHTML(t, sampleSession), export.Options{Part: export.Part{Scope: export.Tree}})
	at := strings.Index(text, `id="session-file"`)
	from := strings.Index(text[at:], ">") + at + 1
	for name, c := range map[string]struct {
		page string
		want error
	}{
		"other page": {"<!doctype html><p>hello", session.ErrNoSession},
		"cut early":  {text[:at-40], session.ErrNoSession},
		"cut inside": {text[:from+100], session.ErrInvalid},
		"damaged":    {text[:from+60] + "AAAAAAAA" + text[from+68:], session.ErrInvalid},
		"no base64":  {text[:from] + "###" + text[from:], session.ErrInvalid},
	} {
		h, err := export.ReadHTML(strings.NewReader(c.page))
		if err == nil {
			err = h.Write(io.Discard)
		}
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The name of the embedded file is always a safe name of a session file.
func TestReadHTML_Name(t *testing.T) {
	long := strings.Repeat("ä", 300)
	for given, want := range map[string]string{
		"../../etc/passwd": "passwd.jsonl", "..": "session.jsonl", ".": "session.jsonl", "": "session.jsonl", ".jsonl": "session.jsonl", "/": "session.jsonl",
		".bashrc": "bashrc.jsonl", `a\..\b.jsonl`: "b.jsonl", "GNUmakefile": "GNUmakefile.jsonl", "-rf": "rf.jsonl", "--help.jsonl": "help.jsonl",
		"authorized_keys": "authorized_keys.jsonl", "a.jsonl.exe": "a.jsonl.exe.jsonl", "a.JSONL": "a.JSONL.jsonl", "*": "session.jsonl",
		"CON": "session-CON.jsonl", "nul.jsonl": "session-nul.jsonl", "com1.x": "session-com1.x.jsonl", "a&quot;b.jsonl": "a-b.jsonl", "a b;rm -rf $(x).jsonl": "a-b-rm-rf-x.jsonl",
		"a&#10;b&#27;[31m.jsonl": "a-b-31m.jsonl", "a&#x202e;b": "a-b.jsonl", "a..b--c.jsonl": "a.b-c.jsonl", "Überblick.jsonl": "Überblick.jsonl",
		"fix-the-build-u3-good-end.jsonl": "fix-the-build-u3-good-end.jsonl", "C:evil": "C-evil.jsonl", long: long[:200] + ".jsonl",
	} {
		h, err := export.ReadHTML(strings.NewReader(`<script id="session-file" data-name="` + given + `">x</script>`))
		if err != nil || h.Name != want {
			t.Errorf("%q is named %q, %v; want %q", given, h.Name, err, want)
		}
	}
}

// A small page cannot fill a disk.
func TestReadHTML_Ratio(t *testing.T) {
	slowtest.SkipIfShort(t)
	var b bytes.Buffer
	to64 := base64.NewEncoder(base64.StdEncoding, &b)
	z := gzip.NewWriter(to64)
	zeros := make([]byte, 1<<20)
	for range 80 {
		if _, err := z.Write(zeros); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), to64.Close()); err != nil {
		t.Fatal(err)
	}
	h, err := export.ReadHTML(strings.NewReader(`<script id="session-file" data-name="s.jsonl">` + b.String() + `</script>`))
	if err != nil {
		t.Fatal(err)
	}
	var n countWriter
	if err := h.Write(&n); !errors.Is(err, session.ErrInvalid) || n > 65<<20 {
		t.Errorf("%d bytes of zeros in a page of %d are written, %v", n, b.Len(), err)
	}
}

// countWriter counts bytes.
type countWriter int

func (c *countWriter) Write(b []byte) (int, error) {
	*c += countWriter(len(b))
	return len(b), nil
}

// The page embeds images, including those in separate files.
func TestHTML_Images(t *testing.T) {
	const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	data, err := base64.StdEncoding.DecodeString(pixel)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	name := hex.EncodeToString(sum[:])
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "blobs"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "blobs", name), data, 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "s.jsonl")
	slot := `{"type":"title","v":1,"title":"Pictures","updatedAt":"2026-02-03T09:00:00.000Z","pad":""}`
	lines := []string{
		slot[:len(slot)-2] + strings.Repeat(" ", 255-len(slot)) + `"}`,
		`{"type":"session","version":3,"id":"01964f3a-2b1c-7d4e-8f00-000000000002","timestamp":"2026-02-03T09:00:00.000Z","cwd":"/p"}`,
		`{"type":"message","id":"u1","parentId":null,"timestamp":"2026-02-03T09:00:01.000Z","message":{"role":"user","content":[{"type":"image","mimeType":"image/png","data":"` + pixel + `"}]}}`,
		`{"type":"message","id":"u2","parentId":"u1","timestamp":"2026-02-03T09:00:02.000Z","message":{"role":"user","content":[{"type":"image","mimeType":"image/png","data":"blob:sha256:` + name + `"}]}}`,
		`{"type":"message","id":"a1","parentId":"u2","timestamp":"2026-02-03T09:00:03.000Z","message":{"role":"assistant","model":"m","content":[{"type":"text","text":"Two."}]}}`,
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text, _, _ := exportHTML(t, path, export.Options{Part: export.Part{Scope: export.Tree}})
	visible, _, _ := strings.Cut(text, `<script type="text/plain"`)
	if n := strings.Count(visible, `src="data:image/png;base64,`+pixel+`"`); n != 2 {
		t.Errorf("%d images are shown, not 2", n)
	}
	if n := strings.Count(readableParts(t, text), pixel); n != 2 {
		t.Errorf("%d images are in the path, not 2", n)
	}
}
