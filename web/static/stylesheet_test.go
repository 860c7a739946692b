package static

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var importPattern = regexp.MustCompile(`(?m)^@import "\.\./([a-z]+)\.css";$`)

// importsOf returns the stylesheets that the one of a page imports, in order.
func importsOf(t *testing.T, page string) []string {
	t.Helper()
	css, err := os.ReadFile("css/pages/" + page + ".css")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range importPattern.FindAllStringSubmatch(string(css), -1) {
		names = append(names, m[1])
	}
	return names
}

// All pages have the same order of stylesheets, which decides between equal selectors, and all.css
// has every stylesheet.
func TestStylesheetsOfPages(t *testing.T) {
	t.Parallel()
	all := importsOf(t, "all")
	names, err := filepath.Glob("css/*.css")
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		names[i] = strings.TrimSuffix(filepath.Base(name), ".css")
	}
	if got := slices.Sorted(slices.Values(all)); !slices.Equal(got, names) {
		t.Errorf("all.css imports\n%q, want\n%q", got, names)
	}
	for _, page := range []string{"session", "panels", "list"} {
		imports := importsOf(t, page)
		var want []string
		for _, name := range all {
			if slices.Contains(imports, name) {
				want = append(want, name)
			}
		}
		if len(imports) < 5 || !slices.Equal(imports, want) {
			t.Errorf("%s.css imports\n%q, want\n%q", page, imports, want)
		}
	}
}

// A page of a session gets panels.css later. The cascade is that of all.css only if panels.css
// repeats what follows its first stylesheet.
func TestPanelStylesheetsComeInOrder(t *testing.T) {
	t.Parallel()
	all, first, later := importsOf(t, "all"), importsOf(t, "session"), importsOf(t, "panels")
	seen := false
	for _, name := range all {
		added := slices.Contains(later, name)
		seen = seen || added
		if seen && !added && slices.Contains(first, name) {
			t.Errorf("panels.css has to repeat %s.css", name)
		}
	}
	if !seen {
		t.Error("panels.css adds nothing")
	}
}

// topLevelRule matches a rule that applies everywhere: it begins a line. Those in a query are
// indented.
var topLevelRule = regexp.MustCompile(`(?m)^([^\s@}/:][^{]*) \{`)

// A component looks the same on every page: only one stylesheet has a rule for a selector.
func TestStylesheets_DefineASelectorOnce(t *testing.T) {
	t.Parallel()
	definedIn := map[string]string{}
	for _, name := range importsOf(t, "all") {
		css, err := os.ReadFile("css/" + name + ".css")
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range topLevelRule.FindAllSubmatch(css, -1) {
			selector := string(m[1])
			if other, ok := definedIn[selector]; ok && other != name {
				t.Errorf("%s.css and %s.css have rules for %s", other, name, selector)
			}
			definedIn[selector] = name
		}
	}
}
