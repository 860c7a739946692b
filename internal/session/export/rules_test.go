package export_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/redact"
)

// With the real rules an export stays the same tree, whatever is replaced and omitted,
// and all its lines can be parsed.
func TestRealRules(t *testing.T) {
	rules := redact.New(redact.Options{Home: "/home/tester", User: "tester", Host: "workbench"})
	var files []string
	for _, pattern := range []string{"pi/*/input.jsonl", "dialects/*/input.jsonl", "claude/project/*.jsonl", "wave/*/*.jsonl"} {
		some, err := filepath.Glob(testdata + pattern)
		if err != nil || len(some) == 0 {
			t.Fatal(pattern, err)
		}
		files = append(files, some...)
	}
	tree0 := export.Options{Part: export.Part{Scope: export.Tree}, Kind: export.JSONL}
	redacted, without := tree0, tree0
	redacted.Redactor, redacted.Classes = rules, map[string]bool{redact.ClassKeys: true, redact.ClassPersonal: true}
	without.Omit = export.Omissions{Output: true, Thinking: true, Images: true}
	for _, file := range files {
		s := openFile(t, file)
		plain, err := exportText(t, s, tree0)
		if errors.Is(err, session.ErrInvalid) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		was := readTree(openFile(t, plain))
		for what, o := range map[string]export.Options{"redacted": redacted, "without": without} {
			path, err := exportText(t, s, o)
			if err != nil {
				t.Fatalf("%s, %s: %v", file, what, err)
			}
			is := readTree(openFile(t, path))
			if was.Len() != is.Len() || was.Leaf() != is.Leaf() {
				t.Errorf("%s, %s: %d entries became %d", file, what, was.Len(), is.Len())
				continue
			}
			for p := range session.Pos(was.Len()) {
				if was.Parent(p) != is.Parent(p) || was.At(p).Kind != is.At(p).Kind {
					t.Errorf("%s, %s: entry %d is another one", file, what, p)
				}
			}
		}
	}
}

func TestPlanted(t *testing.T) {
	rules := redact.New(redact.Options{Home: "/home/tester", User: "tester", Host: "workbench"})
	const key = "ghp_1aB2cD3eF4gH5iJ6kL7mN8oP9qR0sT1uV2wX"
	planted := strings.NewReplacer("SECRET1", key, "SECRET2", key, "SECRET3", key, "SECRET4", key, "SECRET5", "of tester@example.test at").Replace(sampleSession)
	planted = strings.Replace(planted, `"name":"Fix`, `"name":"/home/tester/`+key+` Fix`, 1)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(planted), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openFile(t, path)
	for _, scope := range []export.Scope{export.Path, export.Subtree, export.Tree} {
		for _, as := range []export.Kind{export.JSONL, export.Markdown} {
			o := export.Options{Part: export.Part{Entry: "u3", Scope: scope}, Kind: as, Redactor: rules, Classes: map[string]bool{redact.ClassKeys: true, redact.ClassPersonal: true}}
			job, err := export.Prepare(t.Context(), s, o)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if _, err := job.Write(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			for _, secret := range []string{"ghp_", "1ab2cd3e", "/home/tester", "home-tester", "tester@", "hm ghp"} {
				if strings.Contains(strings.ToLower(b.String()+" "+job.DownloadName()), secret) {
					t.Errorf("%s %s, %s: %q stays:\n%s", scope, as, job.DownloadName(), secret, b.String())
				}
			}
		}
	}
}
