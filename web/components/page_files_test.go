package components

import (
	"io/fs"
	"os"
	"regexp"
	"testing"

	"sessiontree/web/static"
)

// Each page has a script and a stylesheet, and the program contains both.
func TestPageFiles(t *testing.T) {
	t.Parallel()
	sources, err := fs.Glob(os.DirFS("."), "*.templ")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`@layout\([^"\n]*"(page-[a-z-]+)"\)`).FindAllSubmatch(text, -1) {
			used[pageScript(string(m[1]))], used[pageStylesheet(string(m[1]))] = true, true
		}
	}
	scripts, err := fs.Glob(os.DirFS("../static"), "js/pages/*.js")
	if err != nil || len(scripts) < 5 {
		t.Fatalf("%d scripts, %v", len(scripts), err)
	}
	for _, script := range scripts {
		if !used[script] {
			t.Errorf("no page has the script %s", script)
		}
	}
	for name := range used {
		if _, err := fs.Stat(static.Files(), name); err != nil {
			t.Error(err)
		}
	}
}
