package static

import (
	"io/fs"
	"net/http/httptest"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestStylesheet(t *testing.T) {
	t.Parallel()
	rec := httptest.NewRecorder()
	Handler().ServeHTTP(rec, httptest.NewRequest("GET", Prefix()+"/"+StylesheetName, nil))
	if rec.Code != 200 || rec.Header().Get("Content-Type") != "text/css; charset=utf-8" || !strings.Contains(rec.Header().Get("Cache-Control"), "immutable") {
		t.Errorf("the stylesheet: status %d, headers %v", rec.Code, rec.Header())
	}
	names, err := fs.Glob(files, "css/*.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		css, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(stylesheets, strings.TrimSuffix(path.Base(name), ".css")) || !strings.Contains(rec.Body.String(), string(css)) {
			t.Errorf("%s is not in the stylesheet", name)
		}
	}
}

// topLevelRule matches a rule that applies everywhere: it begins a line. Those in a query are
// indented.
var topLevelRule = regexp.MustCompile(`(?m)^([^\s@}/:][^{]*) \{`)

// A component looks the same on every page: only one stylesheet has a rule for a selector.
func TestStylesheets_DefineASelectorOnce(t *testing.T) {
	t.Parallel()
	definedIn := map[string]string{}
	for _, name := range stylesheets {
		css, err := fs.ReadFile(files, "css/"+name+".css")
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
