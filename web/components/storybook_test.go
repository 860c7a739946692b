package components

import (
	"flag"
	"fmt"
	"html"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var storybook = flag.String("storybook", "", "write the fixtures as pages, with an index, into this directory")

// TestStorybook writes the fixtures of the tests for people to look at: a page for each and
// an index that shows them all. It needs no server. Scripts do not run in it.
func TestStorybook(t *testing.T) {
	if *storybook == "" {
		t.Skip("make storybook writes it")
	}
	for to, from := range map[string]string{"static": "bundle", "static/img": "img"} {
		if err := os.CopyFS(filepath.Join(*storybook, to), os.DirFS(filepath.Join("../static", from))); err != nil {
			t.Fatal(err)
		}
	}
	all := fixtures()
	var index strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		text := render(t, all[name])
		if !strings.Contains(text, "<html") {
			text = storyPage(name, text)
		}
		text = strings.ReplaceAll(text, `"/static/x/`, `"static/`)
		text = strings.ReplaceAll(text, `<script src="static/js/boot.js"`, `<script type="text/plain"`)
		text = strings.Replace(text, "<html ", `<html class="js" `, 1)
		writeStoryFile(t, name, text)
		fmt.Fprintf(&index, "<h2><a href=\"%[1]s\">%[1]s</a></h2>\n<iframe src=\"%[1]s\" title=\"%[1]s\"></iframe>\n", html.EscapeString(name))
	}
	writeStoryFile(t, "index.html", storyIndex+index.String())
}

// storyPage returns a page that contains a fragment.
func storyPage(name, fragment string) string {
	return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + html.EscapeString(name) +
		"</title><link rel=\"stylesheet\" href=\"/static/x/css/pages/all.css\"></head><body>" + fragment + "</body></html>\n"
}

// storyIndex is the beginning of the index.
const storyIndex = `<!doctype html>
<meta charset="utf-8">
<title>Components</title>
<style>
body { font: 14px/1.4 system-ui, sans-serif; margin: 24px; }
iframe { width: 100%; height: 560px; border: 1px solid #bbb; }
</style>
<h1>Pages and components with canned data</h1>
`

func writeStoryFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(*storybook, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
