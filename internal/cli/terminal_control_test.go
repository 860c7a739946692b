package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"sessiontree/internal/cli/terminal"
)

// hostile contains sequences that terminals obey: a color, a title, the clipboard, a
// link, a reset, and the same as C1 characters.
const hostile = "x\x1b[31m\x1b]0;t\a\x1b]52;c;ZXZpbA==\a\x1b]8;;http://evil.example\x1b\\y\x1bc\u009b31m\u009d52;c;ZXZpbA==\u009cz\u202ezyx\u2066\x7f\r"

// harmlessText fails the test if text contains control characters.
func harmlessText(t *testing.T, what, text string) {
	t.Helper()
	if i := strings.IndexFunc(text, terminal.IsControl); i >= 0 || !utf8.ValidString(text) {
		t.Errorf("%s prints %q", what, text[max(0, i-40):min(len(text), max(0, i)+40)])
	}
}

// No verb prints control characters from a file, a file name or the command line.
func TestNoTerminalControls(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("such file names are not possible")
	}
	quoted := func(s string) string {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	id, dir := quoted("b"+hostile), t.TempDir()
	talk := strings.ReplaceAll(headerLine, `"one"`, quoted("one"+hostile)) + promptLine("a", "", "hello") +
		`{"type":"message","id":` + id + `,"parentId":"a","timestamp":"2026-02-03T09:00:02.000Z","message":{"role":` + quoted("user") + `,"content":` + quoted(hostile+"\n"+hostile) + `}}` + "\n" +
		`{"type":"label","id":"l1","parentId":` + id + `,"timestamp":"2026-02-03T09:00:03.000Z","targetId":` + id + `,"label":` + quoted(hostile) + `}` + "\n" +
		`{"type":"message","id":"c","parentId":"nowhere` + strings.Trim(id, `"`) + `","timestamp":"2026-02-03T09:00:04.000Z","message":{"role":"assistant","model":` + quoted(hostile) + `,"content":[{"type":"toolCall","id":"t","name":` + quoted(hostile) + `,"arguments":{"x":` + quoted(hostile) + `}}]}}` + "\n" +
		`{"type":"session_info","id":"n","parentId":"c","timestamp":"2026-02-03T09:00:05.000Z","name":` + quoted(hostile) + `}` + "\n"
	path := filepath.Join(dir, "s"+strings.ReplaceAll(hostile, "/", "_")+"\n.jsonl")
	for name, text := range map[string]string{path: talk, filepath.Join(dir, "bad"+"\x1b[31m\xff\xfe\u009b.jsonl"): "no session\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	state := t.TempDir()
	for _, args := range [][]string{
		{"list", dir}, {"list", filepath.Join(dir, "none"+hostile)}, {"tree", path}, {"tree", path, "--layout", "outline"}, {"path", path}, {"context", path},
		{"check", path}, {"branches", path}, {"label", path, "a" + hostile}, {"label", path, "a", "x", "--dry-run"}, {"label", path, "a", hostile}, {"rename", path, hostile},
		{"rename", path, "fine", "--dry-run"}, {"branch", path, "a", "--dry-run"}, {"branch", path, "a", "--label", hostile}, {"pop", path, "--dry-run"},
		{"switch", path, "c", "--dry-run"}, {"fork", path, "c", "--dry-run"}, {"fork", path, "c", "-o", filepath.Join(dir, "f"+hostile[:8]+".jsonl")},
		{"export", path, "-o", filepath.Join(dir, "e"+hostile[:8]+".jsonl")}, {"export", path, "--as", "md", "-o", "-"}, {"cherry-pick", path, "b", "--dry-run"},
		{"merge", path, "b", "--dry-run"}, {"migrate", path}, {"repair", path, "--dry-run"}, {"share", path, "--title", hostile, "--share-url", "https://share.example"},
		{"shares"}, {hostile}, {"tree", "--" + hostile}, {"tree", path, "--filter", hostile},
	} {
		for _, more := range [][]string{nil, {"--json"}} {
			var out, bad bytes.Buffer
			runCommandLine(t.Context(), append(append(args, more...), "--state", state), &out, &bad)
			if args[0] == "export" { // Markdown may contain direction marks
				bad.Write(bytes.ReplaceAll(bytes.ReplaceAll(out.Bytes(), []byte("\u202e"), nil), []byte("\u2066"), nil))
				out.Reset()
			}
			harmlessText(t, strings.Join(append(args[:1:1], more...), " "), out.String()+bad.String())
			if more != nil && out.Len() > 0 && args[0] != "export" && !json.Valid(out.Bytes()) {
				t.Errorf("%v prints no JSON: %q", args, &out)
			}
			if args[0] == "list" && more == nil && strings.Count(out.String(), "\n") > 4 {
				t.Errorf("list prints %q", &out)
			}
		}
	}
	// JSON keeps the characters escaped, and a file gets the original bytes.
	var out, bad bytes.Buffer
	runCommandLine(t.Context(), []string{"list", dir, "--json"}, &out, &bad)
	var list listJSON
	if err := json.Unmarshal(out.Bytes(), &list); err != nil || len(list.Sessions) == 0 || *list.Sessions[0].Name != strings.TrimSpace(hostile) && *list.Sessions[0].Name != hostile {
		t.Errorf("the name in JSON: %+v, %v", list.Sessions, err)
	}
}
